package inspect

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"twindrift/replay"
)

func samplePlan() *replay.Plan {
	var p replay.Planner
	a := p.Partition("a-topic-with-quite-a-long-name", 65535)
	a.Add([]int64{5, 6, 9}, []int64{1767323045000, 1767323040000, replay.NoTimestamp}, []int8{0, 1, -1})
	p.Partition("b", 0).Add([]int64{0}, []int64{replay.NoTimestamp}, nil)
	plan := p.Plan()
	plan.Notes = []replay.Note{{Kind: "gaps", Rows: 2, Text: strings.Repeat("many words ", 20)}}
	return plan
}

func TestSummarise(t *testing.T) {
	s := Summarise(samplePlan(), []File{{Path: "x", Bytes: 10, Rows: 3}, {Path: "y", Bytes: 5, Rows: 1}})
	if s.Topics != 2 || s.Messages != 4 || s.Bytes != 15 || s.Rows != 4 || s.NoTimestamp != 2 || s.LogAppend != 1 || s.Reordered != 1 || s.MaxBehindMs != 5000 {
		t.Errorf("sums: %+v", s)
	}
	if s.SpanMs != 5000 || s.MeanPerSecond != 0.4 || s.First != "2026-01-02 03:04:00.000" || s.Last != "2026-01-02 03:04:05.000" {
		t.Errorf("times: %+v", s)
	}
	if s.PeakSecond != 1767323040 || s.PeakMessages != 1 {
		t.Errorf("peak second %d with %d", s.PeakSecond, s.PeakMessages)
	}
	if p := s.Partitions[1]; p.FirstMs != nil || p.LastMs != nil {
		t.Errorf("a partition without timestamps spans %d..%d", *p.FirstMs, *p.LastMs)
	}
	var b bytes.Buffer
	if err := s.JSON(&b); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("JSON: %v: %s", err, b.Bytes())
	}
}

func TestTextFits80Columns(t *testing.T) {
	plan := samplePlan()
	for range 3 {
		plan.Partitions = append(plan.Partitions, plan.Partitions...)
	}
	for range 3 {
		plan.Partitions = append(plan.Partitions, plan.Partitions...)
	}
	for i := range plan.Partitions {
		p := &plan.Partitions[i]
		p.Messages, p.Reordered, p.LastOffset, p.MaxBehindMs = 9_999_999_999, 9_999_999_999/3, 123_456_789_012, 1e15
	}
	plan.Messages = 0
	for _, p := range plan.Partitions {
		plan.Messages += p.Messages
	}
	var b bytes.Buffer
	if err := Summarise(plan, nil).Text(&b, "name"); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(l, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	if !strings.Contains(b.String(), "more partitions; -o json lists them all") {
		t.Errorf("not cut:\n%s", b.String())
	}
}

func TestWithoutTimestamps(t *testing.T) {
	var p replay.Planner
	p.Partition("b", 0).Add([]int64{0}, []int64{replay.NoTimestamp}, nil)
	s := Summarise(p.Plan(), nil)
	if s.FirstMs != nil || s.First != "" || s.Peak != "" || s.SpanMs != 0 {
		t.Errorf("times: %+v", s)
	}
	var b bytes.Buffer
	if err := s.Text(&b, "name"); err != nil || !strings.Contains(b.String(), "no message has a timestamp") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// Messages of one moment have no mean rate.
func TestWithoutSpan(t *testing.T) {
	var p replay.Planner
	p.Partition("a", 0).Add([]int64{0, 1}, []int64{1767323045000, 1767323045000}, nil)
	var b bytes.Buffer
	if err := Summarise(p.Plan(), nil).Text(&b, "x"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "  rate        most in one second: 2 at 2026-01-02 03:04:05 UTC") {
		t.Errorf("the text has no rate without a mean:\n%s", b.String())
	}
}
