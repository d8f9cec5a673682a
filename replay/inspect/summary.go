package inspect

import (
	"twindrift/replay"
	"twindrift/replay/figure"
)

// Version is that of the JSON form. It changes when a field is taken away or
// changes its meaning; fields may be added.
const Version = 1

// NodeCapacity is how many ids a node of the second-slot generator gives out
// for one second of event time.
const NodeCapacity = 5000

// Summary is what is in a capture. Times are ms since the Unix epoch; times in
// words are UTC.
type Summary struct {
	Version  int    `json:"inspect_version"`
	Files    []File `json:"files,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"`
	Rows     int64  `json:"rows,omitempty"` // in the files; messages may be fewer
	Messages int64  `json:"messages"`

	FirstMs *int64 `json:"first_ms"` // smallest timestamp; null if no message has one
	LastMs  *int64 `json:"last_ms"`
	First   string `json:"first,omitempty"`
	Last    string `json:"last,omitempty"`
	SpanMs  int64  `json:"span_ms"`

	MeanPerSecond float64 `json:"mean_per_second"` // over the span; 0 for a span of 0
	PeakSecond    int64   `json:"peak_second"`     // Unix; the second of event time with most messages
	Peak          string  `json:"peak,omitempty"`
	PeakMessages  int64   `json:"peak_messages"`
	NodeCapacity  int64   `json:"node_capacity_per_second"`

	NoTimestamp    int64   `json:"no_timestamp"`
	LogAppend      int64   `json:"log_append"` // timestamp set by the broker
	Reordered      int64   `json:"reordered"`  // timestamp below the largest before it in its partition
	ReorderedShare float64 `json:"reordered_share"`
	MaxBehindMs    int64   `json:"max_behind_ms"`

	Topics     int         `json:"topics"`
	Partitions []Partition `json:"partitions"`
	Notes      []Note      `json:"notes"`
}

// File is one file of a capture.
type File struct {
	Path      string            `json:"path"`
	Bytes     int64             `json:"bytes"`
	Rows      int64             `json:"rows"`
	RowGroups int               `json:"row_groups"`
	WrittenBy string            `json:"written_by,omitempty"`
	Columns   map[string]string `json:"columns"`        // column of a capture: column of the file
	Time      string            `json:"timestamp_type"` // how the file holds its timestamps
}

// Partition is one partition.
type Partition struct {
	Topic          string  `json:"topic"`
	Partition      int32   `json:"partition"`
	Messages       int64   `json:"messages"`
	FirstOffset    int64   `json:"first_offset"`
	LastOffset     int64   `json:"last_offset"`
	FirstMs        *int64  `json:"first_ms"`
	LastMs         *int64  `json:"last_ms"`
	NoTimestamp    int64   `json:"no_timestamp"`
	LogAppend      int64   `json:"log_append"`
	Reordered      int64   `json:"reordered"`
	ReorderedShare float64 `json:"reordered_share"`
	MaxBehindMs    int64   `json:"max_behind_ms"`
}

// Note is something the user should know.
type Note struct {
	Kind string `json:"kind"`
	Rows int64  `json:"rows"`
	Text string `json:"text"`
}

// Summarise takes a plan and, where the capture is made of files, those.
func Summarise(plan *replay.Plan, files []File) *Summary {
	s := &Summary{
		Version: Version, Files: files, Messages: plan.Messages, NodeCapacity: NodeCapacity,
		PeakSecond: plan.PeakSecond, PeakMessages: plan.PeakCount,
		Partitions: []Partition{}, Notes: []Note{},
	}
	for _, f := range files {
		s.Bytes += f.Bytes
		s.Rows += f.Rows
	}
	topic := ""
	for i, p := range plan.Partitions {
		if i == 0 || p.Topic != topic {
			s.Topics++
			topic = p.Topic
		}
		s.add(p)
	}
	for _, n := range plan.Notes {
		s.Notes = append(s.Notes, Note{Kind: n.Kind, Rows: n.Rows, Text: n.Text})
	}
	s.ReorderedShare = share(s.Reordered, s.Messages)
	if s.FirstMs != nil {
		s.SpanMs = *s.LastMs - *s.FirstMs
		s.First, s.Last = figure.Moment(*s.FirstMs), figure.Moment(*s.LastMs)
		s.Peak = figure.Moment(plan.PeakSecond * 1000)
		if s.SpanMs > 0 {
			s.MeanPerSecond = float64(s.Messages-s.NoTimestamp) / (float64(s.SpanMs) / 1000)
		}
	}
	return s
}

func (s *Summary) add(p replay.Partition) {
	out := Partition{
		Topic: p.Topic, Partition: p.Number, Messages: p.Messages,
		FirstOffset: p.FirstOffset, LastOffset: p.LastOffset,
		NoTimestamp: p.NoTimestamp, LogAppend: p.LogAppend,
		Reordered: p.Reordered, ReorderedShare: share(p.Reordered, p.Messages), MaxBehindMs: p.MaxBehindMs,
	}
	if p.NoTimestamp < p.Messages {
		first, last := p.MinMs, p.MaxMs
		out.FirstMs, out.LastMs = &first, &last
		if s.FirstMs == nil {
			s.FirstMs, s.LastMs = new(int64), new(int64)
			*s.FirstMs, *s.LastMs = first, last
		}
		*s.FirstMs, *s.LastMs = min(*s.FirstMs, first), max(*s.LastMs, last)
	}
	s.NoTimestamp += p.NoTimestamp
	s.LogAppend += p.LogAppend
	s.Reordered += p.Reordered
	s.MaxBehindMs = max(s.MaxBehindMs, p.MaxBehindMs)
	s.Partitions = append(s.Partitions, out)
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
