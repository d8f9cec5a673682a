// Package parquet keeps captures in Parquet files: it writes them (Writer,
// Create) and reads its own and those of others (Open), as a replay.Source.
//
// # What is read
//
// A capture needs, of each message, its topic, partition, offset and timestamp.
// They come from columns, found by their usual names whatever their case
// (timestamp, ts, kafka_timestamp, event_time and so on; table in layout.go) or
// named in Options.Map. What has no column comes from the file's path:
//
//	topic+partition+start.ext         Kafka Connect's S3 sink
//	topic+partition+start+end.ext     Kafka Connect's HDFS sink
//	topic-partition-start             Aiven's sinks
//	topic=T/partition=P/, T/partition=P/
//
// and what the path does not say either is made up, which the plan's notes say:
// the file's name as the topic, partition 0, rows numbered in the order of
// files and rows. The timestamp is never made up.
//
// The hash of the key comes from column key_hash, else it is xxhash64 of the
// bytes of column key, or of whatever column is mapped to key_hash (text and
// binary as they are, numbers little endian as Parquet stores them), else 0.
// Lengths come from key_len and value_len, else from key and value; a key that
// is not known counts as null, a value that is not known as empty.
//
// # Timestamps
//
// INT64 with TIMESTAMP in ms, us or ns (LogicalType, else ConvertedType); INT96;
// DATE; date-time text, read as UTC where it has no zone; plain integers, whose
// unit is named or told from the magnitude of all values. Times are rounded
// down to ms, also before 1970. -1 ms is Kafka's "no timestamp" wherever it
// stands, and so is -1 of plain integers in any unit.
//
// # Order and duplicates
//
// The partitions of a capture come in offset order however the rows lie in the
// files, and a message (topic, partition, offset) that is there more than once
// counts once. Both are found from the range of offsets that each row group has
// of each partition: where ranges follow one another, row groups are read in
// that order; where they overlap, those rows are put in order in memory.
//
// # Damage
//
// Files are not trusted. Pages are decoded here and not by the Parquet library
// (which reads the footer), because it fills up values that are missing and
// makes room for whatever sizes a page announces. A file either gives as many
// rows as its footer counts, in every column that is read, or an error that
// names file, row group, column and, where it can, the row. Checksums are
// checked where there are any. Files of our own must besides hold the messages
// of each partition that they say they hold (Metadata).
package parquet
