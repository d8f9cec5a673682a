package secondslot

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"twindrift/generator"
)

// [no-timestamp], [wrong-unit]: what is drawn and what is refused at the ends
// of time.
func TestTimestampsAtTheEnds(t *testing.T) {
	g := newSingle(t, 0)
	lastMs := int64(g.maxLocalMs) - DefaultUTCOffsetMs
	for _, c := range []struct {
		eventMs int64
		want    error
	}{
		{-1, nil}, // lands in 08:00 of day 0
		{-DefaultUTCOffsetMs, nil},
		{-DefaultUTCOffsetMs - 1, ErrTooEarly},
		{math.MinInt64, ErrTooEarly},
		{lastMs, nil},
		{lastMs + 1, ErrTooLate},
		{1789430400123456, ErrTooLate}, // us
		{math.MaxInt64, ErrTooLate},
	} {
		for form, g := range map[string]generator.Generator{"single": g, "concurrent": newConcurrent(t, 0)} {
			id, how, err := g.Draw(c.eventMs, 0)
			var at *TimestampError
			switch {
			case !errors.Is(err, c.want):
				t.Errorf("%s: %d: error %v, want %v", form, c.eventMs, err, c.want)
			case err != nil && (!errors.As(err, &at) || at.EventMs != c.eventMs || id != 0 || how != generator.Outcome{}):
				t.Errorf("%s: %d: the error does not name it: %v", form, c.eventMs, err)
			case err == nil && id < Epoch:
				t.Errorf("%s: %d: id %d wrapped", form, c.eventMs, id)
			}
		}
	}
	if id, _, _ := g.Draw(-1, 0); DefaultLayout().OwnerMs(id) != -1000 {
		t.Errorf("timestamp -1 is owned by %d ms", DefaultLayout().OwnerMs(id))
	}
}

// Even a second a day before the last that is taken, borrowing to the end of
// its day, stays an int64.
func TestLastTimestampBorrowsWithoutWrapping(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Node, cfg.PerSecond, cfg.Step = math.MaxInt32, 1, nodeTicks
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	lastMs := int64(g.maxLocalMs) - DefaultUTCOffsetMs
	highest := int64(0)
	for range 200_000 {
		id, _, err := g.Draw(lastMs, 0)
		if err != nil || id < highest {
			t.Fatalf("id %d after %d, error %v", id, highest, err)
		}
		highest = id
	}
}

func TestWrapIDs(t *testing.T) {
	cfg := DefaultConfig()
	cfg.WrapIDs = true
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, ms := range []int64{1789430400123456, 1789430400123456789, math.MaxInt64 - maxUTCOffsetMs - DefaultUTCOffsetMs} {
		if _, _, err := g.Draw(ms, 0); err != nil {
			t.Errorf("%d: %v", ms, err)
		}
	}
	if _, _, err := g.Draw(math.MaxInt64, 0); !errors.Is(err, ErrTooLate) {
		t.Errorf("a sum past int64: error %v, want %v", err, ErrTooLate)
	}
	if _, _, err := g.Draw(-DefaultUTCOffsetMs-1, 0); !errors.Is(err, ErrTooEarly) {
		t.Errorf("a negative index: error %v, want %v", err, ErrTooEarly)
	}
	if floor := g.Floor(1789430400000, 0); floor != math.MinInt64 {
		t.Errorf("floor %d: ids that wrap have none", floor)
	}
}

func TestDrawBatchGoesOnPastARefusedRow(t *testing.T) {
	g := newSingle(t, 1)
	ms := []int64{tenOClockMs, tenOClockMs, math.MinInt64, tenOClockMs}
	ids, kinds, hops := []int64{-1, -1, -1, -1}, make([]generator.Kind, 4), make([]int32, 4)
	if err := g.DrawBatch(generator.Calls{EventMs: ms}, ids, kinds, hops); err != nil {
		t.Fatal(err)
	}
	if want := []int64{tenOClockNode, tenOClockNode + 200, 0, tenOClockNode + 400}; !slices.Equal(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
	if want := []generator.Kind{generator.Drawn, generator.Drawn, generator.TooEarly, generator.Drawn}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"step 0":            func(c *Config) { c.Step = 0 },
		"UTC offset":        func(c *Config) { c.UTCOffsetMs = maxUTCOffsetMs + 1 },
		"ids a second":      func(c *Config) { c.PerSecond = nextMask + 1 },
		"jump limit -1":     func(c *Config) { c.JumpLimit = -1 },
		"node 2147483648: ": func(c *Config) { c.Node = math.MaxInt32 + 1 },
	} {
		cfg := DefaultConfig()
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: error %v, want one with %q", err, want)
		}
		if _, err := NewConcurrent(cfg); err == nil {
			t.Errorf("NewConcurrent takes a wrong %q", want)
		}
	}
	for _, node := range []int{-1, 10} { // [node-range]: the published fault
		cfg := DefaultConfig()
		cfg.Node = node
		if _, err := New(cfg); err != nil {
			t.Errorf("node %d is refused: %v", node, err)
		}
	}
}
