package report

import (
	"cmp"
	"fmt"
	"slices"

	"twindrift/replay/figure"
	"twindrift/sim/result"
)

// worstPartitions is how many partitions the table of disorder has.
const worstPartitions = 10

// input says what was replayed.
func (t *text) input() {
	in := &t.Input
	t.heading("INPUT")
	if in.Messages == 0 {
		t.line("  no message")
		t.notes()
		return
	}
	const label = "  %-12s"
	t.wrap(fmt.Sprintf(label, "messages"), fmt.Sprintf("%s in %s of %s", count(in.Messages),
		counted(int64(len(in.Partitions)), "partition"), counted(topics(in.Partitions), "topic")))
	if in.NoTimestamp > 0 {
		t.wrap(fmt.Sprintf(label, ""), fmt.Sprintf("%s without a timestamp, %s left out", count(in.NoTimestamp), count(in.Skipped)))
	}
	if in.NoTimestamp == in.Messages {
		t.line(fmt.Sprintf(label, "event time") + "no message has a timestamp")
		t.notes()
		return
	}
	t.line(fmt.Sprintf(label, "event time") + fmt.Sprintf("%s to %s UTC", moment(in.MinMs), moment(in.MaxMs)))
	if len(t.sites) > 0 && t.sites[0].UTCOffsetMs != 0 && sayLocalTime(t.layout()) {
		by := t.sites[0].UTCOffsetMs
		t.line(fmt.Sprintf(label, "in the ids") + fmt.Sprintf("%s to %s %s", moment(in.MinMs+by), moment(in.MaxMs+by), zone(by)))
	}
	t.wrap(fmt.Sprintf(label, "rate"), t.rate())
	t.disorder(fmt.Sprintf(label, "disorder"))
	t.notes()
}

func topics(partitions []result.InputPartition) int64 {
	names := map[string]bool{}
	for _, p := range partitions {
		names[p.Topic] = true
	}
	return int64(len(names))
}

func (t *text) rate() string {
	in := &t.Input
	s := ""
	if span := float64(in.MaxMs) - float64(in.MinMs); span >= 1000 {
		s = fmt.Sprintf("%s a second on average over %s; ", figure.Rate(float64(in.Messages-in.NoTimestamp)/span*1000), duration(in.MaxMs-in.MinMs))
	}
	s += fmt.Sprintf("most in one second: %s at %s UTC", count(in.PeakSecond.Count), clock(in.PeakSecond.Second))
	if c := t.perSecond(); c > 0 {
		s += fmt.Sprintf(" (one node can number %s)", count(c))
	}
	return s
}

func (t *text) disorder(label string) {
	in := &t.Input
	if in.Disorder.Reordered == 0 {
		t.wrap(label, "none: in every partition timestamps never go back")
		return
	}
	t.wrap(label, fmt.Sprintf("%s (%s) with a timestamp below one before it in the partition, at most %s below",
		counted(in.Disorder.Reordered, "message"), share(in.Disorder.Reordered, in.Messages), duration(in.Disorder.MaxBehindMs)))
	var worst []*result.InputPartition
	for i := range in.Partitions {
		if in.Partitions[i].Disorder.Reordered > 0 {
			worst = append(worst, &in.Partitions[i])
		}
	}
	slices.SortStableFunc(worst, func(a, b *result.InputPartition) int {
		return cmp.Or(cmp.Compare(b.Disorder.Reordered, a.Disorder.Reordered), cmp.Compare(b.Disorder.MaxBehindMs, a.Disorder.MaxBehindMs))
	})
	t.line("")
	t.line(fmt.Sprintf("  %-26s%13s%13s%12s%13s", "partition", "messages", "reordered", "share", "at most"))
	for _, p := range worst[:min(len(worst), worstPartitions)] {
		name := short(fmt.Sprintf("%s/%d", p.Topic, p.Partition), 25)
		t.line("  " + left(name, 26) + fmt.Sprintf("%13s%13s%12s%13s", brief(p.Messages), brief(p.Disorder.Reordered),
			share(p.Disorder.Reordered, p.Messages), duration(p.Disorder.MaxBehindMs)))
	}
	if more := len(worst) - worstPartitions; more > 0 {
		t.line(fmt.Sprintf("  and %s with less disorder", counted(int64(more), "partition")))
	}
	if calm := int64(len(in.Partitions) - len(worst)); calm > 0 {
		t.line(fmt.Sprintf("  none in %s", counted(calm, "partition")))
	}
}

// notes are what was found in the input, and what the run has to say.
func (t *text) notes() {
	if len(t.Input.Notes)+len(t.Result.Notes) == 0 {
		return
	}
	t.line("")
	for _, n := range t.Input.Notes {
		t.wrap("  note: ", n.Text)
	}
	for _, n := range t.Result.Notes {
		t.wrap("  note: ", n)
	}
}
