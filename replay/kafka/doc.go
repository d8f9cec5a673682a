// Package kafka reads recorded Kafka topics, bounded and exactly.
//
// The end is fixed before the first message is asked for: Client.Snapshot notes,
// for every partition, where its log starts and ends (high watermark, last stable
// offset) and from what these and the asked-for bounds make, which offsets are to be
// read. Client.Read then goes over them, and is done when its position reaches the
// end. The position is an offset, not a message: control records, aborted
// transactions and what compaction has taken away move it on and are no messages.
//
// Read fetches record batches as they are stored, checks their CRC and walks over
// the records itself (walk.go), so that timestamps keep their raw 64 bits (the client
// library turns them into nanoseconds, which overflow for timestamps in microseconds)
// and payloads that nobody asked for are passed over. Message sets of the formats
// before Kafka 0.11 are decoded by the library.
//
// What cannot be read is an error or a Gap with a reason, never left out in silence.
package kafka
