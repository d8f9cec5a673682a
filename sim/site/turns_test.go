package site

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Partitions take turns as they do when all of them are gone over for each message:
// the earliest arrival among those that can go, at the first moment when one can.
func TestTurnsAgreeWithGoingOverAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := func(what string) int64 { return rapid.Int64Range(0, 9).Draw(t, what) }
		var parts []*partition
		for range rapid.IntRange(1, 5).Draw(t, "partitions") {
			p, at := &partition{freeNs: math.MinInt64}, int64(0)
			for range small("messages") {
				at += small("gap")
				p.queue.add(&waiting{arrivalNs: at})
			}
			parts = append(parts, p)
		}
		var q turns
		q.reset(parts)
		clock := int64(math.MinInt64)
		for {
			first := int64(math.MaxInt64)
			for _, p := range parts {
				if p.queue.len() > 0 {
					first = min(first, max(p.queue.firstNs(), p.freeNs))
				}
			}
			next := q.next()
			if first == math.MaxInt64 || next == math.MaxInt64 {
				if first != next {
					t.Fatalf("the next can go at %d, want %d", next, first)
				}
				return
			}
			if clock = max(clock, first); max(clock, next) != clock {
				t.Fatalf("the next can go at %d, want %d", next, first)
			}
			clock += rapid.SampledFrom([]int64{0, 0, 0, 5}).Draw(t, "worker")
			var want *partition
			for _, p := range parts {
				if p.queue.len() > 0 && p.freeNs <= clock && p.queue.firstNs() <= clock && (want == nil || p.queue.firstNs() < want.queue.firstNs()) {
					want = p
				}
			}
			got := q.first(clock)
			if got != want {
				t.Fatalf("at %d another partition goes first", clock)
			}
			if rapid.IntRange(0, 4).Draw(t, "what") == 0 { // a message that comes again, of any partition that can go
				if p := rapid.SampledFrom(parts).Draw(t, "again"); p.freeNs <= clock {
					p.freeNs = clock + small("service")
				}
				continue
			}
			got.freeNs = clock + small("service")
			got.passOn(1)
			q.gone()
		}
	})
}

// Of many partitions, few are looked at for a message.
func BenchmarkTurns(b *testing.B) {
	var parts []*partition
	for i := range int64(500) {
		p := &partition{freeNs: math.MinInt64}
		for j := range int64(100) {
			p.queue.add(&waiting{arrivalNs: j*500 + i})
		}
		parts = append(parts, p)
	}
	var q turns
	for b.Loop() {
		for _, p := range parts {
			p.queue.head, p.freeNs = 0, math.MinInt64
		}
		q.reset(parts)
		for at := q.next(); at != math.MaxInt64; at = q.next() {
			p := q.first(at)
			p.freeNs = at + 700
			p.passOn(1)
			q.gone()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/50_000, "ns/message")
}
