package measure

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
	"twindrift/sim/site"
)

const dawn = 1_772_540_000 // a second

// at is a delivery with an id of second dawn, drawn so many ms later.
func at(offset, afterMs, node, seq int64, kind generator.Kind) row {
	return row{offset: offset, event: dawn * 1000, now: dawn*1000 + afterMs, id: idOf(dawn, node, seq), kind: kind}
}

// The causes of GENERATORS 1, each by the smallest case of it.
func TestCauses(t *testing.T) {
	overrun := processes(1)
	overrun.Overrun = true
	byClock := processes(1)
	byClock.ByClock = true
	inUnit := func(r row, event int64) row { r.event = event; return r }
	for name, test := range map[string]struct {
		of     Processes
		rows   [][]row // by consumer
		causes map[string]int64
		extra  int64
		within map[int]int64
	}{
		"none": {processes(1, 2), [][]row{{at(1, 0, 1, 0, 0), at(2, 0, 1, 1, 0)}, {at(3, 0, 2, 0, 0)}}, nil, 0, nil},
		"stale-day": {processes(1), [][]row{{at(1, 0, 1, 0, generator.Drawn), at(2, 9, 1, 0, generator.StaleDay), at(3, 9, 1, 0, generator.StaleDay)}},
			map[string]int64{StaleDay: 2}, 2, map[int]int64{1: 2}},
		"stale-day, original gone": {processes(1), [][]row{{at(2, 9, 1, 0, generator.StaleDay), at(3, 9, 1, 0, generator.StaleDay)}},
			map[string]int64{StaleDay: 1}, 1, map[int]int64{1: 1}},
		"jump-limit": {processes(1, 2), [][]row{{at(1, 0, 2, 0, generator.JumpLimit)}, {at(2, 9, 2, 0, generator.Drawn)}},
			map[string]int64{JumpLimit: 1}, 1, map[int]int64{}},
		"day-end": {processes(1), [][]row{{at(1, 0, 2, 0, generator.DayEnd), at(2, 1, 2, 0, generator.DayEnd), at(3, 2, 2, 0, generator.DayEnd)}},
			map[string]int64{DayEnd: 2}, 2, map[int]int64{1: 2}},
		"shared-node": {processes(1, 1, 1), [][]row{{at(1, 0, 1, 0, 0)}, {at(2, 0, 1, 0, 0)}, {at(3, 0, 1, 0, 0)}},
			map[string]int64{SharedNode: 2}, 2, map[int]int64{1: 2}},
		"node-range by node": {processes(1, 11), [][]row{{at(1, 0, 1, 0, 0)}, {at(2, 0, 1, 0, 0)}},
			map[string]int64{NodeRange: 1}, 1, map[int]int64{}},
		"node-range by sequence": {processes(1, 2), [][]row{{at(1, 0, 2, 0, 0)}, {at(2, 0, 2, 0, 0)}},
			map[string]int64{NodeRange: 1}, 1, map[int]int64{}},
		"node-range round a second": {overrun, [][]row{{at(1, 0, 1, 0, 0), at(2, 0, 1, 0, 0)}},
			map[string]int64{NodeRange: 1}, 1, map[int]int64{1: 1}},
		"wrong-unit, seconds": {processes(1), [][]row{{inUnit(at(1, 0, 1, 0, 0), 1_772_540_000), inUnit(at(2, 0, 1, 0, generator.JumpLimit), 1_772_540_000)}},
			map[string]int64{WrongUnit: 1}, 1, map[int]int64{1: 1}},
		"wrong-unit, microseconds": {processes(1), [][]row{{inUnit(at(1, 0, 1, 0, 0), 1_772_540_000_000_000), at(2, 0, 1, 0, 0)}},
			map[string]int64{WrongUnit: 1}, 1, map[int]int64{1: 1}},
		"the clock's unit": {byClock, [][]row{{inUnit(at(1, 0, 1, 0, 0), 1_772_540_000), inUnit(at(2, 0, 1, 0, generator.StaleDay), 1_772_540_000)}},
			map[string]int64{StaleDay: 1}, 1, map[int]int64{1: 1}},
		"two causes in one group": {processes(1, 1), [][]row{{at(1, 5, 1, 0, generator.StaleDay), at(2, 9, 1, 0, generator.Drawn)}, {at(3, 10, 1, 0, generator.Drawn)}},
			map[string]int64{StaleDay: 1, SharedNode: 1}, 2, map[int]int64{1: 2}},
		"unexplained": {processes(1), [][]row{{at(1, 0, 1, 0, 0), at(2, 0, 1, 0, 0)}},
			map[string]int64{Unexplained: 1}, 1, map[int]int64{1: 1}},
	} {
		l, _ := listOf(test.of, test.rows...)
		d := l.Duplicates
		if !maps.Equal(d.ByCause, test.causes) || d.Extra != test.extra || !maps.Equal(d.WithinNode, test.within) {
			t.Errorf("%s: %d extra copies, by cause %v, within nodes %v; want %d, %v, %v", name, d.Extra, d.ByCause, d.WithinNode, test.extra, test.causes, test.within)
		}
	}
}

// A restarted process has forgotten what it gave out.
func TestRestartIsACause(t *testing.T) {
	for kind, cause := range map[site.EventKind]string{site.StateLost: Restart, site.StateSaved: Unexplained} {
		l := NewList(processes(1))
		d, g := columns(at(1, 0, 1, 0, 0), at(2, 0, 1, 0, 0))
		d.Events = []site.Event{{Row: 1, Kind: kind}}
		l.Add(0, d, g)
		l.Close(1<<62, 1<<62, settled, nil)
		if got := l.Duplicates.ByCause; got[cause] != 1 || len(got) != 1 {
			t.Errorf("event %d: causes %v, want %s", kind, got, cause)
		}
	}
}

// Witnesses: the original first, at most five of a group, at most three groups
// of a cause.
func TestDuplicateWitnesses(t *testing.T) {
	var rows []row
	for seq := range int64(5) {
		for k := range int64(7) {
			kind := generator.StaleDay
			if k == 3 {
				kind = generator.Drawn
			}
			rows = append(rows, at(seq*10+k, k, 1, seq, kind))
		}
	}
	l, _ := listOf(processes(1), rows)
	d := l.Duplicates
	if d.Groups != 5 || d.Extra != 30 || d.Distinct != 5 || len(d.First) != 3 {
		t.Fatalf("%d groups, %d extra, %d distinct, %d shown", d.Groups, d.Extra, d.Distinct, len(d.First))
	}
	for i, g := range d.First {
		if g.Cause != StaleDay || g.Occurrences != 7 || len(g.Entries) != 5 || g.Entries[0].Offset != int64(i)*10+3 || g.Entries[1].Offset != int64(i)*10 {
			t.Errorf("group %d: %+v", i, g)
		}
	}
}

// However many copies an id has, they are counted and shown as Explain tells them apart.
func TestGroupsAreAsExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := processes(1, 1, 2)
		var s sorter
		e := new(entries)
		for i := range int64(rapid.IntRange(2, 30).Draw(t, "copies")) {
			e.append(Entry{ID: idOf(dawn, 1, 0), EventMs: dawn * 1000, NowMs: dawn*1000 + rapid.Int64Range(0, 3).Draw(t, "now"), Offset: i / 2,
				Partition: rapid.Int32Range(0, 1).Draw(t, "partition"), Consumer: rapid.Int16Range(0, 2).Draw(t, "consumer"),
				Kind: rapid.SampledFrom([]generator.Kind{generator.Drawn, generator.StaleDay, generator.JumpLimit}).Draw(t, "kind"), Life: uint8(i % 2)})
		}
		s.sort(e)
		w := walk{entries: e}
		all := w.appendTo(nil, 0, e.len())
		var d Duplicates
		d.addGroup(&copies{walk{entries: e}, 0, e.len(), &p, 0})
		order, causes := Explain(all, p)
		byCause, within := map[string]int64{}, map[int]int64{1: -1, 2: -1}
		for _, cause := range causes[1:] {
			byCause[cause]++
		}
		for _, one := range all {
			within[p.Nodes[one.Consumer]]++
		}
		maps.DeleteFunc(within, func(_ int, n int64) bool { return n < 1 })
		var shown []Entry
		for _, i := range order[:min(len(order), witnesses)] {
			shown = append(shown, all[i])
		}
		if d.Extra != int64(len(all)-1) || !maps.Equal(d.ByCause, byCause) || !maps.Equal(d.WithinNode, within) {
			t.Fatalf("%d extra copies, %v, %v; want %d, %v, %v", d.Extra, d.ByCause, d.WithinNode, len(all)-1, byCause, within)
		}
		if g := d.First[0]; g.Cause != causes[1] || !slices.Equal(g.Entries, shown) {
			t.Fatalf("shown %+v, want %s: %+v", g, causes[1], shown)
		}
	})
}

// Between two sites: what is on top of each site's own duplicates.
func TestCollisions(t *testing.T) {
	for name, test := range map[string]struct {
		a, b          Processes
		atA, atB      []row
		extra, groups int64
		causes        map[string]int64
	}{
		"the same message":  {processes(1), processes(1), []row{at(1, 0, 1, 0, 0)}, []row{at(1, 5, 1, 0, 0)}, 0, 0, map[string]int64{}},
		"different ids":     {processes(1), processes(2), []row{at(1, 0, 1, 0, 0)}, []row{at(1, 5, 2, 0, 0)}, 0, 0, map[string]int64{}},
		"one node at both":  {processes(1), processes(1), []row{at(1, 0, 1, 0, 0)}, []row{at(2, 5, 1, 0, 0)}, 1, 1, map[string]int64{SharedNode: 1}},
		"the end of a day":  {processes(1), processes(2), []row{at(1, 0, 2, 0, generator.DayEnd)}, []row{at(2, 5, 2, 0, 0)}, 1, 1, map[string]int64{DayEnd: 1}},
		"a site's own":      {processes(1), processes(1), []row{at(1, 0, 1, 0, 0), at(2, 0, 1, 0, generator.StaleDay)}, []row{at(1, 0, 1, 0, 0)}, 0, 0, map[string]int64{}},
		"on top of its own": {processes(1), processes(1), []row{at(1, 0, 1, 0, 0), at(2, 0, 1, 0, generator.StaleDay)}, []row{at(2, 0, 1, 0, 0), at(3, 0, 1, 0, generator.StaleDay)}, 1, 1, map[string]int64{StaleDay: 1}},
		"the larger is the base": {processes(1), processes(1), []row{at(1, 0, 1, 0, 0)},
			[]row{at(2, 0, 1, 0, 0), at(3, 0, 1, 0, generator.StaleDay)}, 1, 1, map[string]int64{SharedNode: 1}},
	} {
		_, a := listOf(test.a, test.atA)
		_, b := listOf(test.b, test.atB)
		c := NewCollisions(test.a, test.b)
		c.Add(a, b, 1<<62, 1<<62)
		if c.Extra != test.extra || c.Groups != test.groups || !maps.Equal(c.ByCause, test.causes) {
			t.Errorf("%s: %d extra in %d groups, %v; want %d in %d, %v", name, c.Extra, c.Groups, c.ByCause, test.extra, test.groups, test.causes)
		}
	}
}

// However many messages have an id at two sites, they are counted and shown as Crossing
// tells them apart.
func TestCollisionsAreCrossings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := processes(1, 1, 2)
		side := func(name string) ([]Entry, *entries) {
			var s sorter
			e := new(entries)
			for range rapid.IntRange(1, 12).Draw(t, name) {
				e.append(Entry{ID: idOf(dawn, 1, 0), EventMs: dawn * 1000, NowMs: dawn*1000 + rapid.Int64Range(0, 3).Draw(t, "now"),
					Partition: rapid.Int32Range(0, 1).Draw(t, "partition"), Offset: rapid.Int64Range(0, 4).Draw(t, "offset"),
					Consumer: rapid.Int16Range(0, 2).Draw(t, "consumer"), Kind: rapid.SampledFrom([]generator.Kind{generator.Drawn, generator.StaleDay}).Draw(t, "kind")})
			}
			s.sort(e)
			w := walk{entries: e}
			return w.appendTo(nil, 0, e.len()), e
		}
		a, ea := side("at A")
		b, eb := side("at B")
		c := NewCollisions(of, of)
		c.compare(ea, eb)
		var x Crossing
		x.Of(a, b, of, of)
		byCause := map[string]int64{}
		for _, cause := range x.Causes {
			byCause[cause]++
		}
		if c.Extra != int64(len(x.Extra)) || !maps.Equal(c.ByCause, byCause) {
			t.Fatalf("%d extra copies, %v; want %d, %v", c.Extra, c.ByCause, len(x.Extra), byCause)
		}
		if c.Groups == 0 {
			return
		}
		base, other := a, b
		if x.OfB {
			base, other = b, a
		}
		shown := []Entry{base[x.Original]}
		for _, i := range x.Extra[:min(len(x.Extra), witnesses-1)] {
			shown = append(shown, other[i])
		}
		if g := c.First[0]; g.Cause != x.Causes[0] || g.Occurrences != int64(len(base)+len(x.Extra)) || !slices.Equal(g.Entries, shown) {
			t.Fatalf("shown %+v, want %s: %+v", g, x.Causes[0], shown)
		}
	})
}

// Sites close their seconds at different times, and lend their entries.
func TestCollisionsWaitForTheOtherSite(t *testing.T) {
	rowsOf := func(from int64) (rows []row) {
		for second := range int64(6) {
			rows = append(rows, row{offset: from + second, event: (dawn + second) * 1000, id: idOf(dawn+second, 1, 0)})
		}
		return rows
	}
	_, a := listOf(processes(1), rowsOf(0))
	_, b := listOf(processes(1), rowsOf(100))
	c := NewCollisions(processes(1), processes(1))
	var out []*entries
	lent := func(seconds []Second) (list []Second) {
		for _, s := range seconds {
			e := new(entries)
			for _, one := range entriesOf(s) {
				e.append(one)
			}
			e.users.Store(1)
			out = append(out, e)
			list = append(list, Second{s.At, e})
		}
		return list
	}
	for _, step := range []struct{ fromA, toA, fromB, toB int }{{0, 4, 0, 0}, {4, 5, 0, 2}, {5, 5, 2, 6}, {5, 6, 6, 6}} {
		nowA, nowB := lent(a[step.fromA:step.toA]), lent(b[step.fromB:step.toB])
		c.Add(nowA, nowB, dawn+int64(step.toA), dawn+int64(step.toB))
		Recycle(nowA) // which empties what nobody keeps
		Recycle(nowB)
	}
	if c.Extra != 6 || c.Groups != 6 || c.ByCause[SharedNode] != 6 {
		t.Errorf("%d extra copies in %d groups, %v; want 6 in 6", c.Extra, c.Groups, c.ByCause)
	}
	for _, e := range out {
		if users := e.users.Load(); users != 0 || e.len() > 0 {
			t.Errorf("%d users and %d entries are left of a second", users, e.len())
		}
	}
}

func TestFirstFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Int64Range(0, 60), 1, 40).Draw(t, "ids")
		slices.Sort(ids)
		place := rapid.IntRange(0, len(ids)-1).Draw(t, "place")
		least := rapid.Int64Range(ids[place]+1, 70).Draw(t, "least")
		want := place
		for want < len(ids) && ids[want] < least {
			want++
		}
		if got := firstFrom(ids, place, least); got != want {
			t.Fatalf("in %v from %d on, the first from %d is at %d, not at %d", ids, place, least, want, got)
		}
	})
}
