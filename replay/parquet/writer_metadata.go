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
	TopicID          string `json:"topic_id,omitempty"`  // hexadecimal, which another topic of that name does not have
	From             *int64 `json:"from,omitempty"`      // offset from which it was read: where the file before ended
	Next             *int64 `json:"next,omitempty"`      // offset up to which it was read: where a recording goes on

	Gaps     []Gap `json:"gaps,omitempty"`
	MoreGaps int64 `json:"more_gaps,omitempty"` // offsets of further gaps, all compaction-or-control
}

// Gap is a range of offsets, From to To-1, that the capture does not hold.
type Gap struct {
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Reason string `json:"reason"` // retention, compaction-or-control or withheld-open-transaction
}

// compacted is the reason of gaps that nothing is lost in: what compaction has taken,
// transaction markers, and what was aborted.
const compacted = "compaction-or-control"

// ReadMetadata is what the capture file at path says about itself; nil in files of
// others.
func ReadMetadata(path string) (*Metadata, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return f.meta, nil
}
