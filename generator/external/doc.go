// Package external draws ids from a generator in another process, so that a team can try
// its own build before release.
//
// The command is started at the first draw, one process for each Generator, which stands
// for one simulated consumer. It reads requests from its standard input and writes one
// answer to each, in order, to its standard output, until its input ends; then it ends
// too. A request is the messages of a batch; of each it says the event time and the
// site's clock (both in ms since the Unix epoch), the node and the Kafka partition. A
// status other than 0 says that the message gets no id (generator.External). What the
// process writes to standard error is kept for error messages, its end at least; logs
// belong there.
//
// # Binary framing
//
// All numbers are little endian and signed, but for the counts. The two lowest integers of
// 64 bits are no ids, in either framing.
//
//	request   u32 count, then count x (i64 event_ms, i64 now_ms, i32 node, i32 partition)
//	answer    u32 count, then count x (i64 id, i32 status)
//
// The count of an answer is that of its request. Java's DataInputStream and
// DataOutputStream are big endian: go through a ByteBuffer.
//
// # NDJSON framing
//
// One line a message, and one line for each answer:
//
//	{"event_ms":1757901600000,"now_ms":1757901600250,"node":1,"partition":0}
//	{"id":"638935272001000000"}
//
// An answer's id is a string or an integer of 64 bits. Write it as a string where the
// language keeps numbers as float64, which lose digits beyond 2^53. A "status" may stand
// beside it, or instead of it when it is not 0; other names are passed over.
//
// The lines of a batch are written together, and nothing marks the end of a batch. A
// script answers line by line, and must flush its output when it has no more input ready:
// it may flush behind every line, which is simple and slow, or take what input there is,
// answer all the whole lines of it, and flush. A script that keeps answers back until
// more input comes waits forever, and the batch ends as a time-out.
//
// # What can be relied on
//
// Requests are written while answers are read, so a process may begin to answer before it
// has read all of a request, and up to InFlight requests are on their way at a time. A
// process should buffer its input and its output: a read or a write for each message
// costs more than the id.
//
// A restart in the scenario (Reset) ends the process, as Close does, and the next draw
// starts it anew with what it has kept itself, in a file or a Redis. There is no snapshot
// of it: Generator is no generator.Snapshotter, so a scenario that restores snapshots
// restores none here.
//
// The protocol is that of the design page GENERATORS, section 6. Generators to start from
// are below example.
package external
