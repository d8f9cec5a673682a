// Package redisstreams gives messages the ids of entries in a Redis stream, ms-seq: each
// is appended (XADD) with an id that a strategy chooses, and a server refuses an id that
// is not above the stream's last one (design page GENERATORS, section 4).
//
// The strategies:
//
//   - Auto leaves the id to the server: its clock, and where that is not past the last
//     entry, one above the last entry. Nothing is refused, and nothing says when the
//     message happened.
//   - Event says the event time, and counts the messages of one ms that come one after the
//     other. Messages out of order are refused.
//   - Monotonic says the event time where that is past the last id, and one above the last
//     id otherwise. One event far in the future pins all later ids to it.
//   - PartitionCoded is Event with the partition in the sequence number, 1000 numbers
//     each. In one ms, partition 0 after partition 1 is refused all the same.
//   - Sharded is Event on a stream for each partition. Ids of two streams are not
//     compared, and can be equal.
//
// With Config.Retry a refused write is made good: the producer asks for the stream's last
// id and writes above it, for two round trips more.
//
// An id is packed into an int64, ms<<20 | seq (Layout), so a ms has room for 1,048,576.
//
// All commands of a draw reach the server at one moment, half a round trip after the
// draw, as if nobody came between a refusal and its retry; so commands come to the server
// in the order of draws.
package redisstreams
