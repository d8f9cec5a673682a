package parquet

// MetadataKey is the key of the file's key-value metadata under which a
// capture says what is in it: a Metadata as JSON.
const MetadataKey = "twindrift.capture"

// Metadata is what a capture file says about itself.
type Metadata struct {
	Version    string              `json:"version"`           // of the tool that wrote the file
	Cluster    string              `json:"cluster,omitempty"` // Kafka cluster id, where known
	Partitions []PartitionMetadata `json:"partitions"`
}

// PartitionMetadata is one partition's part in a capture file.
type PartitionMetadata struct {
	Topic    string `json:"topic"`
	Number   int32  `json:"partition"`
	Start    int64  `json:"start"` // first offset
	End      int64  `json:"end"`   // last offset + 1
	Messages int64  `json:"messages"`

	// What only the broker knows; absent where the messages did not come
	// straight from Kafka.
	HighWatermark    *int64 `json:"high_watermark,omitempty"`
	LastStableOffset *int64 `json:"last_stable_offset,omitempty"`
	Isolation        string `json:"isolation,omitempty"` // read_committed or read_uncommitted
	Gaps             []Gap  `json:"gaps,omitempty"`
}

// Gap is a range of offsets, From to To-1, that the capture does not hold.
type Gap struct {
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Reason string `json:"reason"` // retention, compaction-or-control or withheld-open-transaction
}
