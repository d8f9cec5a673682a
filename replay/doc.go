// Package replay holds what a recorded message and a capture are.
//
// A capture is a set of partitions; a partition is a list of messages in
// offset order. Messages travel in batches of columns (Batch), never one by
// one. A Source is where a capture comes from: Parquet files, a traffic recipe
// or memory. It is read in two passes: Plan goes once over the whole capture
// and says what is in it; Open then hands out the rows, partition by
// partition, as often as needed and always in the same order within each
// partition.
//
// The words: an offset is Kafka's own number of a message in its partition and
// may have gaps; an ordinal counts the messages of a partition that are there,
// 0, 1, 2 and so on, without gaps. A timestamp is Kafka's, int64 milliseconds
// since the Unix epoch; it is never a time.Time inside.
package replay
