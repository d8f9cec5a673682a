package measure

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/sim/site"
)

// draw is one of a consumer's draws.
type draw struct {
	consumer int
	minute   int64
	ns       int64
	message  int64 // ordinal of partition 0
	delivery int32
	recurs   bool
	state    site.State
	id       int64
}

// randomDraws are draws of a site with three consumers, ascending by time, in
// which messages may come again.
func randomDraws(t *rapid.T, again bool) []draw {
	var all []draw
	ns := rapid.Int64Range(-200, 200).Draw(t, "start") * 1e9
	deliveries := map[int64]int32{}
	random := rapid.Uint64().Draw(t, "ids")
	next := func(n uint64) uint64 { // few choices are worth making small
		random = random*6364136223846793005 + 1442695040888963407
		return random >> 33 % n
	}
	often := rapid.SampledFrom([]uint64{1000, 300, 80}).Draw(t, "messages from one restart to the next")
	step := rapid.SampledFrom([]uint64{2e9, 5e7, 5e7}).Draw(t, "ns between draws, at most")
	falling := int64(rapid.SampledFrom([]int{0, 0, 3, 400}).Draw(t, "ids fall back by up to"))
	for i := range rapid.IntRange(0, 1500).Draw(t, "draws") {
		ns += int64(next(step))
		if next(100) == 0 {
			ns += 600e9
		}
		d := draw{consumer: int(next(3)), ns: ns, minute: generator.FloorDiv(ns, 60e9), message: int64(i ^ 7), id: int64(i) - int64(next(uint64(falling)+1))}
		if again && i > 0 && next(4) == 0 {
			d.message = max(0, int64(i)-1-int64(next(300)))
			d.id -= int64(next(200))
		}
		if n := len(all); again && n > 0 && next(8) == 0 { // at once, at two processes
			d.ns, d.minute, d.message = all[n-1].ns, all[n-1].minute, all[n-1].message
			ns = d.ns
		}
		d.delivery = deliveries[d.message]
		deliveries[d.message]++
		if n := len(all); d.delivery > 1 && d.message == all[n-1].message && next(2) == 0 { // and at one, twice the same
			d.consumer, d.delivery = all[n-1].consumer, all[n-1].delivery
		}
		d.state = stateOf(d.message)
		all = append(all, d)
		if again && d.message > 150 && next(often) == 0 { // a restart: many come again, with ids far below
			for m := d.message - 150; m < d.message; m++ {
				ns += 1e6
				all = append(all, draw{consumer: d.consumer, ns: ns, minute: generator.FloorDiv(ns, 60e9), message: m, id: m - 500,
					delivery: deliveries[m], state: stateOf(m)})
				deliveries[m]++
			}
			ns += 600e9
		}
	}
	for i := range all { // it tells of first deliveries; of others, and where none follows, it may say so
		all[i].recurs = again && next(10) == 0 || all[i].delivery == 0 && deliveries[all[i].message] > 1
	}
	return all
}

// stateOf filters some messages.
func stateOf(message int64) site.State {
	if message%11 == 5 {
		return site.Filtered
	}
	return site.Store
}

// The tops are those of the whole list, put together anew for each minute.
func TestNewest(t *testing.T) {
	short, cut := 0, 0
	one := func(t *rapid.T) {
		again := rapid.Bool().Draw(t, "again")
		n := NewNewest(&site.Clock{}, again)
		if again {
			n.limit = newestMost // few enough to run out
		}
		draws := randomDraws(t, again)
		var tops []Top
		floor, from := int64(math.MinInt64), 0
		for from < len(draws) || floor != math.MaxInt64 {
			// One consumer may be ahead of the others.
			to := min(len(draws), from+rapid.SampledFrom([]int{600, 250, 60, 1}).Draw(t, "epoch"))
			for c := range 3 {
				n.Add(drawColumns(draws[from:to], c))
			}
			nextNs := int64(math.MaxInt64)
			if to < len(draws) {
				nextNs = draws[to].ns
			}
			was := len(tops)
			tops, floor = n.Close(nextNs, tops)
			for _, top := range tops[was:] {
				if top.Minute >= floor {
					t.Fatalf("minute %d closed, although only those before %d are over", top.Minute, floor)
				}
			}
			from = to
		}
		for _, top := range tops {
			whole := listAt(draws, top.Minute)
			seen := whole[:min(len(whole), newestMost)]
			if top.Cut && len(top.Entries) < newestMost {
				seen = seen[:len(top.Entries)]
				short++
			}
			if top.Cut {
				cut++
			}
			if !slices.Equal(top.Entries, seen) {
				t.Fatalf("minute %d: seen %v, want %v", top.Minute, top.Entries, seen)
			}
		}
		var minutes, want []int64
		for _, top := range tops {
			minutes = append(minutes, top.Minute)
		}
		for _, d := range draws {
			if d.state == site.Store && (len(want) == 0 || want[len(want)-1] != d.minute) {
				want = append(want, d.minute)
			}
		}
		if !slices.Equal(minutes, want) {
			t.Fatalf("minutes %v, want %v", minutes, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			one(t)
		}
	})
	if short == 0 || cut == 0 {
		t.Errorf("%d lists cut, %d of them short: the test does not reach what it is about", cut, short)
	}
}

func drawColumns(draws []draw, consumer int) (*site.Draws, *Drawn) {
	d, g := &site.Draws{}, &Drawn{}
	for _, r := range draws {
		if r.consumer != consumer {
			continue
		}
		d.Partition, d.Ordinal, d.Offset = append(d.Partition, 0), append(d.Ordinal, r.message), append(d.Offset, r.message)
		d.DrawNs, d.State = append(d.DrawNs, r.ns), append(d.State, r.state)
		d.Delivery, d.Repeat = append(d.Delivery, r.delivery), append(d.Repeat, r.delivery > 0)
		d.Recurs = append(d.Recurs, r.recurs)
		g.ID = append(g.ID, r.id)
	}
	g.MarkRefused(d.State)
	return d, g
}

// listAt is the whole list as a minute ends, newest first.
func listAt(draws []draw, minute int64) []Shown {
	ids := map[int64]int64{}
	for _, d := range draws {
		if d.minute <= minute && d.state == site.Store {
			ids[d.message] = d.id
		}
	}
	var list []Shown
	for _, message := range slices.Sorted(maps.Keys(ids)) {
		list = append(list, Shown{ids[message], message})
	}
	slices.SortFunc(list, func(a, b Shown) int {
		return cmp.Or(cmp.Compare(b.ID, a.ID), cmp.Compare(b.Message, a.Message))
	})
	return list
}

// Two sites take turns; a minute is compared when it is over at both, and once.
func TestViews(t *testing.T) {
	entries := func(ids ...int64) (list []Shown) {
		for _, id := range ids {
			list = append(list, Shown{id * 1_000_000, id})
		}
		return list
	}
	var v Views
	v.Add([]Top{{Minute: 3, Entries: entries(2, 1)}, {Minute: 5, Entries: entries(4, 2, 1)}}, nil, 7, math.MinInt64)
	v.Add(nil, []Top{{Minute: 4, Entries: entries(2, 1)}}, 7, 5)
	if got := len(v.ByLength[0].Minutes); got != 2 {
		t.Fatalf("%d minutes compared of 3 and 4, which are over at both", got)
	}
	v.Add(nil, []Top{{Minute: 8, Entries: entries(1, 9), Cut: true}}, 9, 9)
	want := []ViewMinute{
		{Minute: 3, LenA: 2, Kendall: 0.5}, // only A says which of 1 and 2 is newer
		{Minute: 4, LenA: 2, LenB: 2, Overlap: 2, Jaccard: 1, RBO: 1, HasRBO: true},
		{Minute: 5, LenA: 3, LenB: 2, Overlap: 2, Jaccard: 2.0 / 3, HasRBO: true, Kendall: 2, RBO: -1}, // 4 is before 2 and 1 by A, behind them by B
	}
	for i, got := range v.ByLength[0].Minutes {
		if want[i].RBO == -1 {
			want[i].RBO = got.RBO // has right answers where it is made
		}
		if math.Abs(got.RBO-want[i].RBO) < 1e-12 {
			got.RBO = want[i].RBO
		}
		if got != want[i] {
			t.Errorf("minute %d: %+v, want %+v", got.Minute, got, want[i])
		}
	}
	if v.ByLength[0].Unknown != 1 || len(v.ByLength[0].Minutes) != 3 {
		t.Errorf("%d minutes compared and %d not known, want 3 and 1", len(v.ByLength[0].Minutes), v.ByLength[0].Unknown)
	}
}

func TestPairSorter(t *testing.T) {
	var s pairSorter
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.SampledFrom([]int64{1, 50, 1 << 24, 1 << 28, 1 << 40, math.MaxInt64}).Draw(t, "span")
		n := rapid.IntRange(0, 600).Draw(t, "pairs")
		type pair struct{ a, b int64 }
		var pairs []pair
		var a, b []int64
		low := rapid.Int64Range(math.MinInt64, 0).Draw(t, "low")
		seed := rapid.Uint64().Draw(t, "seed")
		for range n {
			seed = seed*6364136223846793005 + 1442695040888963407
			p := pair{low + int64(seed>>1)%span, int64(seed>>40) % 7}
			pairs = append(pairs, p)
			a, b = append(a, p.a), append(b, p.b)
		}
		slices.SortFunc(pairs, func(p, q pair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
		s.sort(a, b)
		for i, p := range pairs {
			if a[i] != p.a || b[i] != p.b {
				t.Fatalf("place %d: %d %d, want %d %d", i, a[i], b[i], p.a, p.b)
			}
		}
	})
}

// The series ends after a week, and the figures over all minutes go on.
func TestViewsOfManyMinutes(t *testing.T) {
	var v Views
	one := []Shown{{ID: 1, Message: 1}}
	for m := range int64(SeriesMost) {
		v.Add([]Top{{Minute: m, Entries: one}}, []Top{{Minute: m, Entries: one}}, m+1, m+1)
	}
	v.Add([]Top{{Minute: SeriesMost, Entries: []Shown{{ID: 2, Message: 2}}}}, nil, math.MaxInt64, math.MaxInt64)
	got := &v.ByLength[2]
	if got.N != SeriesMost+1 || len(got.Minutes) != SeriesMost || got.Jaccard != SeriesMost || got.Worst.Minute != SeriesMost {
		t.Errorf("%d minutes, %d in the series, Jaccard %v in all, the worst minute is %d", got.N, len(got.Minutes), got.Jaccard, got.Worst.Minute)
	}
}
