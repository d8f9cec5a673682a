package measure

import (
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/generator/secondslot"
)

var published = &Rules{Layout: secondslot.DefaultLayout(), PerSecond: 5000, JumpLimit: 16}

// midnight is the second 00:00:00 of a day at UTC+8.
const midnight = 1_772_553_600

// Every kind of id beside its digits, and digits that belie it.
func TestDigitsOfEveryKind(t *testing.T) {
	of := func(second, owner, node, seq int64, kind generator.Kind) Entry {
		return Entry{ID: idOf(owner, node, seq), EventMs: second*1000 + 7, NowMs: second*1000 + 9, Kind: kind}
	}
	for name, test := range map[string]struct {
		node int
		e    Entry
		want bool
	}{
		"drawn":                          {1, of(dawn, dawn, 1, 4999, generator.Drawn), true},
		"drawn, borrowed":                {1, of(dawn, dawn+3, 1, 0, generator.Drawn), true},
		"drawn, another node":            {1, of(dawn, dawn, 2, 0, generator.Drawn), false},
		"drawn, node 11":                 {11, of(dawn, dawn+1, 1, 7, generator.Drawn), true},
		"drawn, an earlier second":       {1, of(dawn, dawn-1, 1, 0, generator.Drawn), false},
		"drawn past the day":             {1, of(midnight-1, midnight, 1, 0, generator.Drawn), false},
		"stale day":                      {1, of(dawn, dawn, 1, 0, generator.StaleDay), true},
		"stale day, sequence 1":          {1, of(dawn, dawn, 1, 1, generator.StaleDay), false},
		"stale day, another second":      {1, of(dawn, dawn+1, 1, 0, generator.StaleDay), false},
		"jump limit":                     {1, of(dawn, dawn+17, 2, 0, generator.JumpLimit), true},
		"jump limit, node 9":             {9, of(dawn, dawn+20, 10, 0, generator.JumpLimit), true},
		"jump limit, too near":           {1, of(dawn, dawn+16, 2, 0, generator.JumpLimit), false},
		"jump limit, its own node":       {1, of(dawn, dawn+17, 1, 0, generator.JumpLimit), false},
		"jump limit, sequence 1":         {1, of(dawn, dawn+17, 2, 1, generator.JumpLimit), false},
		"jump limit past the day":        {1, of(midnight-17, midnight, 2, 0, generator.JumpLimit), false},
		"day end":                        {1, of(midnight-2, midnight, 2, 0, generator.DayEnd), true},
		"day end, not midnight":          {1, of(midnight-2, midnight-1, 2, 0, generator.DayEnd), false},
		"day end, the midnight after it": {1, of(midnight-2, midnight+86_400, 2, 0, generator.DayEnd), false},
	} {
		if got := published.drawnAsSaid(&test.e, &Processes{Nodes: []int{test.node}}); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// A cause is kept where the digits bear it out, and becomes none where not.
func TestCauseMustFitTheDigits(t *testing.T) {
	named := func(nodes ...int) Processes {
		p := processes(nodes...)
		p.Rules = published
		return p
	}
	moved := func(r row, bySeconds int64) row { r.event += bySeconds * 1000; return r }
	for name, test := range map[string]struct {
		of   Processes
		rows [][]row // by consumer; the extra copy last
		want string
	}{
		"stale-day":                       {named(1), [][]row{{at(1, 0, 1, 0, 0), at(2, 9, 1, 0, generator.StaleDay)}}, StaleDay},
		"stale-day, not its first id":     {named(1), [][]row{{at(1, 0, 1, 3, 0), at(2, 9, 1, 3, generator.StaleDay)}}, Unexplained},
		"jump-limit":                      {named(2, 1), [][]row{{at(1, 0, 2, 0, 0)}, {moved(at(2, 9, 2, 0, generator.JumpLimit), -17)}}, JumpLimit},
		"jump-limit, too near":            {named(2, 1), [][]row{{at(1, 0, 2, 0, 0)}, {moved(at(2, 9, 2, 0, generator.JumpLimit), -3)}}, Unexplained},
		"day-end, not at midnight":        {named(2, 1), [][]row{{at(1, 0, 2, 0, 0)}, {moved(at(2, 9, 2, 0, generator.DayEnd), -1)}}, Unexplained},
		"shared-node":                     {named(1, 1), [][]row{{at(1, 0, 1, 0, 0)}, {at(2, 9, 1, 0, 0)}}, SharedNode},
		"shared-node, of a later second":  {named(1, 1), [][]row{{at(1, 0, 1, 0, 0)}, {moved(at(2, 9, 1, 0, 0), 1)}}, Unexplained},
		"node-range":                      {named(1, 11), [][]row{{at(1, 0, 1, 0, 0)}, {moved(at(2, 9, 1, 0, 0), -1)}}, NodeRange},
		"node-range, not by its own node": {named(1, 2), [][]row{{at(1, 0, 1, 0, 0)}, {at(2, 9, 1, 0, 0)}}, Unexplained},
	} {
		l, _ := listOf(test.of, test.rows...)
		if got := l.Duplicates.ByCause; got[test.want] != 1 || len(got) != 1 {
			t.Errorf("%s: causes %v, want %s", name, got, test.want)
		}
	}
}

// Whatever the generator gives and says, the digits agree; with the kind of
// another draw they do not.
func TestDigitsAgreeWithTheGenerator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := secondslot.DefaultConfig()
		cfg.Node = rapid.IntRange(-3, 12).Draw(t, "node")
		cfg.PerSecond = rapid.SampledFrom([]int{1, 2, 5000}).Draw(t, "per second")
		cfg.Step = rapid.SampledFrom([]int{1, 100, 200}).Draw(t, "step")
		cfg.JumpLimit = rapid.IntRange(0, 4).Draw(t, "jump limit")
		g, err := secondslot.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		rules := &Rules{Layout: cfg.Layout(), PerSecond: int64(cfg.PerSecond), JumpLimit: int64(cfg.JumpLimit)}
		p := &Processes{Nodes: []int{cfg.Node}}
		for range rapid.IntRange(1, 60).Draw(t, "draws") {
			ms := int64(midnight-1-rapid.IntRange(0, 8).Draw(t, "before"))*1000 +
				rapid.SampledFrom([]int64{0, 0, 0, 0, 86_400_000}).Draw(t, "day")
			id, how, err := g.Draw(ms, 0)
			if err != nil {
				t.Fatal(err)
			}
			for kind := generator.Drawn; kind <= generator.DayEnd; kind++ {
				e := Entry{ID: id, EventMs: ms, Kind: kind}
				agrees := rules.drawnAsSaid(&e, p)
				// The first id of a second is drawn or the stale-day one; only
				// the slot knows.
				first := how.Kind == generator.StaleDay && kind == generator.Drawn ||
					how.Kind == generator.Drawn && kind == generator.StaleDay && how.Hops == 0
				if kind == how.Kind && !agrees || kind != how.Kind && agrees && !first {
					t.Fatalf("id %d of event %d, %s: digits agree with %s: %v", id, ms, how.Kind, kind, agrees)
				}
			}
		}
	})
}
