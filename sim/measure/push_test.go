package measure

import (
	"slices"
	"testing"

	"twindrift/sim/site"
)

// METRICS: equal to the deadline is pushed.
func TestDeadline(t *testing.T) {
	for age, late := range map[int64]int64{-5: 0, 0: 0, 899_999: 0, 900_000: 0, 900_001: 1} {
		p := NewPush(1, 900_000)
		d, g := columns(row{event: 7, now: 7 + age})
		p.Add(0, d, g)
		if p.Late != late || p.Pushed != 1-late || p.Stored != 1 {
			t.Errorf("%d ms old: %d late, %d pushed of %d", age, p.Late, p.Pushed, p.Stored)
		}
	}
}

func TestPush(t *testing.T) {
	p := NewPush(2, 1000)
	d, g := columns(
		row{offset: 0, event: 0, now: 0},
		row{offset: 1, event: 0, now: 59_999},
		row{offset: 2, event: 60_500, now: 60_000},
		row{offset: 3, event: 50_000, now: 60_001, state: site.Filtered},
		row{offset: 4, event: 50_000, now: 60_001, state: site.StoreOff},
		row{offset: 5, event: 60_000, now: 61_001},
	)
	p.Add(0, d, g)
	d, g = columns(row{offset: 6, event: -70_000, now: -60_001}, row{offset: 7, event: -60_000, now: -60_000})
	p.Add(1, d, g)
	if p.Consumed != 8 || p.Filtered != 1 || p.StoreOff != 1 || p.Stored != 6 || p.Pushed != 3 || p.Late != 3 {
		t.Errorf("consumed %d, filtered %d, store-off %d, stored %d, pushed %d, late %d", p.Consumed, p.Filtered, p.StoreOff, p.Stored, p.Pushed, p.Late)
	}
	if early := p.Lateness.Cumulative(-1); early != 1 {
		t.Errorf("%d early, want 1", early)
	}
	var lags []Lag
	for _, l := range p.Lags() {
		lags = append(lags, *l)
	}
	// Filtered and store-off messages are behind, too.
	if want := []Lag{{-2, 1, 9999}, {-1, 1, 0}, {0, 2, 59_999}, {1, 4, 10_001}}; !slices.Equal(lags, want) {
		t.Errorf("lag by minute %v, want %v", lags, want)
	}
	for minute, want := range map[int64][2]int64{-2: {1, 1}, -1: {1, 0}, 0: {2, 1}, 1: {2, 1}} {
		if got := [2]int64{p.ByMinute.Counts().Count(minute), p.LateByMin.Counts().Count(minute)}; got != want {
			t.Errorf("minute %d: stored and late %v, want %v", minute, got, want)
		}
	}
	if len(p.First[0]) != 2 || p.First[0][0].Offset != 1 || p.First[0][1].Offset != 5 || len(p.First[1]) != 1 {
		t.Errorf("witnesses %v", p.First)
	}
}
