package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"twindrift/datasets"
	"twindrift/replay"
	"twindrift/replay/parquet"
)

// partitionsOf reads a whole sample, partition by partition.
func partitionsOf(t *testing.T, sample string) (*replay.Plan, []*replay.Batch) {
	t.Helper()
	source, err := datasets.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := source.Plan(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := source.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	parts := make([]*replay.Batch, len(plan.Partitions))
	for i := range parts {
		parts[i] = &replay.Batch{}
	}
	for p := range parts {
		for {
			var b replay.Batch
			err := stream.Next(p, &b)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Offset {
				parts[b.Partition[i]].Append(&b, i)
			}
		}
	}
	return plan, parts
}

// turns says how the rows of partitions are interleaved: which partition the
// next row is taken from, given how many rows of each have been.
type turns func(taken []int, total []*replay.Batch) int

// roundRobin takes one row of each partition in turn.
func roundRobin(taken []int, total []*replay.Batch) int {
	best := -1
	for p := range taken {
		if taken[p] < total[p].Len() && (best < 0 || taken[p] < taken[best]) {
			best = p
		}
	}
	return best
}

// byTime takes the row with the earliest timestamp.
func byTime(taken []int, total []*replay.Batch) int {
	best := -1
	for p := range taken {
		if taken[p] < total[p].Len() && (best < 0 || total[p].TimestampMs[taken[p]] < total[best].TimestampMs[taken[best]]) {
			best = p
		}
	}
	return best
}

// oneByOne takes the last partition whole, then the one before it.
func oneByOne(taken []int, total []*replay.Batch) int {
	for p := len(taken) - 1; p >= 0; p-- {
		if taken[p] < total[p].Len() {
			return p
		}
	}
	return -1
}

// write writes a capture cut into so many files.
func write(t *testing.T, dir string, files int, plan *replay.Plan, parts []*replay.Batch, next turns) {
	t.Helper()
	taken := make([]int, len(parts))
	for f := range files {
		w, err := parquet.Create(filepath.Join(dir, fmt.Sprintf("part-%d.parquet", f)), parquet.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var out replay.Batch
		for rows := (plan.Messages + int64(files) - 1) / int64(files); rows > 0; rows-- {
			p := next(taken, parts)
			if p < 0 {
				break
			}
			out.Append(parts[p], taken[p])
			out.Partition[out.Len()-1] = w.Partition(plan.Partitions[p].Topic, plan.Partitions[p].Number)
			taken[p]++
		}
		if err := w.Write(&out); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func runJSON(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Main(append([]string{"run", "-q", "-o", "json"}, args...), strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("run %s: status %d: %s", strings.Join(args, " "), status, errs.String())
	}
	return out.Bytes()
}

// The same scenario and seed give the same bytes, whatever the number of cores,
// the number of files, and the order in which rows of different partitions
// stand in them.
func TestRunDependsOnMessagesAlone(t *testing.T) {
	for _, sample := range []string{"market-open", "two-midnights"} {
		plan, parts := partitionsOf(t, sample)
		flags := []string{"--node", "1+3,2+4", "--workers", "2", "--service", "exponential:100us"}
		want := runJSON(t, append(flags, "--sample", sample)...)
		for name, cut := range map[string]struct {
			files int
			turns turns
		}{
			"one file by time":            {1, byTime},
			"one file in turn":            {1, roundRobin},
			"seven files by time":         {7, byTime},
			"seven files, one by one":     {7, oneByOne},
			"as many files as partitions": {len(parts), oneByOne},
		} {
			dir := t.TempDir()
			write(t, dir, cut.files, plan, parts, cut.turns)
			for _, cores := range []int{1, 2} {
				before := runtime.GOMAXPROCS(cores)
				got := runJSON(t, append(flags, dir)...)
				runtime.GOMAXPROCS(before)
				if !bytes.Equal(got, want) {
					t.Errorf("%s, %s, on %d cores: the result differs from the sample's own", sample, name, cores)
				}
			}
		}
	}
}
