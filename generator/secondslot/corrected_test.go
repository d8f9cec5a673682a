package secondslot

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

// midday is a moment of a day like any other, local time.
const midday int64 = 1_772_510_400_000

func newCorrected(t testing.TB, change func(*CorrectedConfig)) *Corrected {
	t.Helper()
	cfg := DefaultCorrected()
	if change != nil {
		change(&cfg)
	}
	c, err := NewCorrected(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// With the inputs that make the published form give ids twice, undrawn or of another
// node, the corrected one gives none of these: each input has an id of its own that says
// its node and a second at or after the event's, or an error. Restarts lose all but the
// marks of blocks. What is refused in each vector is told here.
func TestCorrectedVectors(t *testing.T) {
	refused := map[string]string{
		"burst-then-quiet":   "",
		"day-end":            "",
		"hot-second":         "",
		"live-and-backlog":   "",
		"odd-timestamps":     "72 no such node, 18 too far ahead, 18 too late",
		"random-walk":        "",
		"restart-replay":     "",
		"stale-day":          "",
		"sustained-overload": "",
	}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		t.Run(name, func(t *testing.T) {
			byNode := map[int32]*Corrected{}
			given := map[int64]bool{}
			why := map[string]int{}
			layout := DefaultLayout()
			for i, row := range readVector(t, name) {
				if row.reset {
					for _, c := range byNode {
						c.Reset()
					}
					continue
				}
				c := byNode[row.node]
				if c == nil {
					cfg := DefaultCorrected()
					cfg.Node = int(row.node)
					var err error
					if c, err = NewCorrected(cfg); err != nil {
						why["no such node"]++
						continue
					}
					byNode[row.node] = c
				}
				id, how, err := c.Draw(row.eventMs, 0)
				var ts *TimestampError
				switch {
				case errors.As(err, &ts):
					for name, kind := range map[string]error{"too early": ErrTooEarly, "too late": ErrTooLate, "no room": ErrNoRoom, "too old": ErrTooOld, "too far ahead": ErrTooFarAhead} {
						if errors.Is(err, kind) {
							why[name]++
						}
					}
				case err != nil:
					t.Fatal(err)
				case given[id]:
					t.Fatalf("row %d: id %d is given twice", i, id)
				case how.Kind != generator.Drawn || layout.Node(id) != int64(row.node) || !layout.Decode(id).Aligned():
					t.Fatalf("row %d: id %d of node %d is %v, %+v", i, id, row.node, how.Kind, layout.Decode(id))
				default:
					given[id] = true
					late := layout.secondMs(id) - generator.FloorDiv(row.eventMs, 1000)*1000
					if late < 0 || late > 600_000 {
						t.Fatalf("row %d: the id's second is %d ms after the event's", i, late)
					}
				}
			}
			var list []string
			for _, w := range slices.Sorted(maps.Keys(why)) {
				list = append(list, fmt.Sprintf("%d %s", why[w], w))
			}
			if got := strings.Join(list, ", "); got != refused[name] {
				t.Errorf("%d ids; refused: %q, want %q", len(given), got, refused[name])
			}
		})
	}
}

// plainCorrected is Corrected said plainly: counters of every second, looked at one after
// the other.
type plainCorrected struct {
	cfg    CorrectedConfig
	counts map[int64]int
	newest int64
	any    bool
}

func (p *plainCorrected) draw(eventMs int64) (second int64, seq int, err error) {
	s := generator.FloorDiv(eventMs+p.cfg.UTCOffsetMs, 1000)
	day := s / 86_400
	switch {
	case !p.any:
		p.any, p.newest = true, day
	case day > p.newest+p.cfg.AheadDays:
		return 0, 0, ErrTooFarAhead
	case day < p.newest-p.cfg.KeepDays && !p.cfg.ClampOld:
		return 0, 0, ErrTooOld
	case day < p.newest-p.cfg.KeepDays:
		s = (p.newest - p.cfg.KeepDays) * 86_400
	}
	p.newest = max(p.newest, day)
	for at := s; at <= s+p.cfg.Reach; at++ {
		if n := p.counts[at]; n < p.cfg.PerSecond {
			p.counts[at]++
			return at, n, nil
		}
	}
	return 0, 0, ErrNoRoom
}

// restored is a process that has the state of another, and the marks of this one.
func (p *plainCorrected) restored(saved *plainCorrected) *plainCorrected {
	to := &plainCorrected{p.cfg, maps.Clone(saved.counts), saved.newest, saved.any}
	if to.counts == nil {
		to.counts = map[int64]int{}
	}
	if b := p.cfg.Block; b > 0 {
		for at, n := range p.counts {
			to.counts[at] = max(to.counts[at], min((n+b-1)/b*b, p.cfg.PerSecond))
		}
		if p.any {
			to.newest, to.any = max(to.newest, p.newest), true
			if !saved.any {
				to.newest = p.newest
			}
		}
	}
	return to
}

// In any order of events, around midnights, with restarts that keep their marks and
// snapshots, ids are those of counting plainly.
func TestCorrectedIsCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultCorrected()
		cfg.Node, cfg.PerSecond = 3, rapid.IntRange(1, 4).Draw(t, "ids a second")
		cfg.Reach = rapid.Int64Range(0, 40).Draw(t, "reach")
		cfg.KeepDays = rapid.Int64Range(0, 2).Draw(t, "days kept")
		cfg.AheadDays = rapid.Int64Range(0, 3).Draw(t, "days ahead")
		cfg.ClampOld = rapid.Bool().Draw(t, "clamp")
		cfg.Block = rapid.IntRange(0, cfg.PerSecond).Draw(t, "block")
		c, err := NewCorrected(cfg)
		if err != nil {
			t.Fatal(err)
		}
		p := &plainCorrected{cfg: cfg, counts: map[int64]int{}}
		midnight := midday - midday%86_400_000 - cfg.UTCOffsetMs
		var saved generator.State
		var savedPlain *plainCorrected
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			switch rapid.IntRange(0, 40).Draw(t, "step") {
			case 0:
				c.Reset()
				p = p.restored(&plainCorrected{})
			case 1:
				saved = c.Snapshot()
				savedPlain = &plainCorrected{cfg, maps.Clone(p.counts), p.newest, p.any}
			case 2:
				if saved != nil {
					c.Restore(saved)
					p = p.restored(savedPlain)
				}
			default:
				ms := midnight + rapid.Int64Range(-3, 3).Draw(t, "day")*86_400_000 + rapid.Int64Range(-4, 3).Draw(t, "second")*1000
				second, seq, want := p.draw(ms)
				id, how, err := c.Draw(ms, 0)
				if !errors.Is(err, want) || (err == nil) != (want == nil) {
					t.Fatalf("%d: %v, want %v", ms, err, want)
				}
				if err != nil {
					continue
				}
				if want := second*secondTicks + 3*nodeTicks + int64(seq)*200 + Epoch; id != want || how.Kind != generator.Drawn {
					t.Fatalf("%d: id %d, want %d", ms, id, want)
				}
				if id < c.Floor(ms, 0) {
					t.Fatalf("%d: id %d is below the floor %d", ms, id, c.Floor(ms, 0))
				}
			}
		}
	})
}

// A million events of one second: 200 seconds are full, and a draw looks at a few words
// however long they are; the first second of the next day takes what 23:59:59 cannot.
func TestCorrectedHotSecond(t *testing.T) {
	c := newCorrected(t, nil)
	endOfDay := midday - midday%86_400_000 - DefaultUTCOffsetMs + 86_399_000
	looked := int64(0)
	last := int64(math.MinInt64)
	for i := range int64(1_000_000) {
		id, how, err := c.Draw(endOfDay, 0)
		if err != nil || id <= last {
			t.Fatalf("draw %d: id %d after %d, %v", i, id, last, err)
		}
		last = id
		looked += int64(how.Hops)
	}
	layout := DefaultLayout()
	if offset := (layout.secondMs(last) - endOfDay) / 1000; offset != 199 || layout.Decode(last).Seq != 4999 {
		t.Errorf("the last id is %d s later, %+v; want 199 s, the last of its second", offset, layout.Decode(last))
	}
	if looked > 2_000_000 {
		t.Errorf("%d steps for a million draws", looked)
	}
	if id, _, err := c.Draw(endOfDay+1000, 0); err != nil || layout.secondMs(id) != endOfDay+200_000 {
		t.Errorf("the next day's first second: %d, %v", layout.secondMs(id)-endOfDay, err)
	}
}

// Past its reach a full second is an error, and gives nothing out.
func TestCorrectedReach(t *testing.T) {
	c := newCorrected(t, func(cfg *CorrectedConfig) { cfg.PerSecond, cfg.Reach, cfg.Block = 2, 3, 0 })
	for range 8 {
		if _, _, err := c.Draw(midday, 0); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, _, err := c.Draw(midday, 0); !errors.Is(err, ErrNoRoom) {
			t.Fatal(err)
		}
	}
	if id, _, err := c.Draw(midday+1000, 0); err != nil || DefaultLayout().secondMs(id) != midday+4000 {
		t.Fatal(id, err)
	}
}

// A restart behind marks wastes less than a block of each second.
func TestCorrectedWaste(t *testing.T) {
	c := newCorrected(t, func(cfg *CorrectedConfig) { cfg.Block = 10 })
	for range 25 {
		c.Draw(midday, 0)
	}
	c.Draw(midday+1000, 0)
	c.Reset()
	if c.Wasted() != 5+9 {
		t.Errorf("%d wasted, want 14", c.Wasted())
	}
	if id, _, _ := c.Draw(midday, 0); DefaultLayout().Decode(id).Seq != 30 {
		t.Errorf("goes on at %d, want 30", DefaultLayout().Decode(id).Seq)
	}
}

// What the published form takes as it comes is refused.
func TestCorrectedRefusesConfigs(t *testing.T) {
	for want, change := range map[string]func(*CorrectedConfig){
		"node 10: want 0 to 9":                   func(c *CorrectedConfig) { c.Node = 10 },
		"node -1: want 0 to 9":                   func(c *CorrectedConfig) { c.Node = -1 },
		"step 128: want 129 or more":             func(c *CorrectedConfig) { c.Step = 128 },
		"6000 ids a second at a step of 200 run": func(c *CorrectedConfig) { c.PerSecond = 6000 },
		"reach -1 s":                             func(c *CorrectedConfig) { c.Reach = -1 },
		"-1 days kept":                           func(c *CorrectedConfig) { c.KeepDays = -1 },
		"blocks of 5001":                         func(c *CorrectedConfig) { c.Block = 5001 },
		"UTC offset":                             func(c *CorrectedConfig) { c.UTCOffsetMs = 1e9 },
	} {
		cfg := DefaultCorrected()
		change(&cfg)
		if _, err := NewCorrected(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	c := newCorrected(t, nil)
	if _, _, err := c.DrawNode(4, midday); err == nil {
		t.Error("draws for another node")
	}
}

func BenchmarkCorrected(b *testing.B) {
	for name, at := range map[string]func(i int) int64{
		"uncontended": func(i int) int64 { return midday + int64(i)/4*1000%86_400_000 },
		"in-one-full": func(i int) int64 { return midday + int64(i)/1_000_000*1000 },
	} {
		b.Run(name, func(b *testing.B) {
			c := newCorrected(b, func(cfg *CorrectedConfig) { cfg.Reach = 86_400 })
			for i := 0; b.Loop(); i++ {
				if _, _, err := c.Draw(at(i), 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
