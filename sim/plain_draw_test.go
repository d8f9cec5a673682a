package sim

// The draws of ids, the plain way: those of all processes of all sites in one
// list, one after the other.

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/redis"
	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// plainLane is one generator at all sites.
type plainLane struct {
	catalog.Entry
	layout  generator.Layout
	byClock bool // ids are of the clock, not of the event
	apart   bool // ids of two sites are told apart by where they are kept
	overrun bool // a sequence may run past its node's digits
	gens    map[*plainProcess]generator.Generator
}

// plainRun is every delivery at every site, with its ids by both lanes.
func plainRun(t failer, sc *scenario.Scenario, replication uint32, parts []replay.Partition, messages [][]plainMessage) (worlds []*plainWorld, lanes [2]*plainLane) {
	for i := range sc.Sites {
		worlds = append(worlds, plainSite(t, sc, &sc.Sites[i], replication, parts, messages))
	}
	for lane, name := range [2]string{sc.Generator.Name, "consumption-time"} {
		variant := ""
		if lane == chosen {
			variant = sc.Generator.Variant
		}
		entry, err := catalog.Find(name, variant)
		if err != nil {
			t.Fatal(err)
		}
		lanes[lane] = plainDraw(t, sc, worlds, entry, lane)
	}
	for _, w := range worlds {
		plainOverwrite(sc, w.all)
	}
	return worlds, lanes
}

// plainDraw is MODEL 4 and 5 for a generator: calls come in the order of their
// draw times over all processes, ties by partition, message and delivery.
func plainDraw(t failer, sc *scenario.Scenario, worlds []*plainWorld, entry catalog.Entry, lane int) *plainLane {
	l := &plainLane{Entry: entry, byClock: entry.ByClock, gens: map[*plainProcess]generator.Generator{}}
	if c := sc.Generator.Counter; c != nil && c.Time == "event" && entry.Name == "redis-counter" {
		l.byClock = false
	}
	shared := sc.Generator.Redis != nil && sc.Generator.Redis.Shared
	l.apart = entry.Name == "redis-streams" || entry.Name == "redis-counter" && !shared
	l.overrun = entry.Slots && sc.Generator.Step*sc.Generator.PerSecond > 1_000_000
	var server *redis.Server
	var calls []plainCall
	for i, w := range worlds {
		if server == nil || !shared {
			server = w.server()
		}
		for _, p := range w.processes {
			o := sc.Generator.Options(p.Node)
			o.WrapIDs = true // as the published code; the engine lets them where the capture needs it
			o.Workers, o.Site, o.Redis = p.Workers, int64(i), server
			for _, part := range w.parts {
				o.Numbers = append(o.Numbers, part.Number)
			}
			g, layout, err := entry.New(o)
			if err != nil {
				t.Fatal(err)
			}
			l.gens[p], l.layout = g, layout
			for _, d := range p.done {
				calls = append(calls, plainCall{site: i, process: p, d: d})
			}
		}
	}
	slices.SortStableFunc(calls, plainCall.compare)
	lives, saved := map[*plainProcess][]plainLife{}, map[*plainProcess]generator.State{}
	for _, w := range worlds {
		for _, p := range w.processes {
			lives[p] = p.lives
		}
	}
	happen := func(p *plainProcess, what string) {
		g := l.gens[p]
		switch what {
		case "saved":
			saved[p] = g.(generator.Snapshotter).Snapshot()
		case scenario.StateLost:
			g.Reset()
		case scenario.StateSnapshot:
			g.(generator.Snapshotter).Restore(saved[p])
		}
	}
	for _, c := range calls {
		p, d := c.process, c.d
		for ; len(lives[p]) > 0 && lives[p][0].at <= d.draw; lives[p] = lives[p][1:] {
			happen(p, lives[p][0].what)
		}
		if !d.filtered {
			d.ids[lane] = l.one(t, l.gens[p], d)
		}
	}
	for p, left := range lives {
		for _, life := range left {
			happen(p, life.what)
		}
	}
	return l
}

// plainCall is a draw.
type plainCall struct {
	site    int
	process *plainProcess
	d       *plainDelivery
}

func (c plainCall) compare(o plainCall) int {
	return cmp.Or(cmp.Compare(c.d.draw, o.d.draw), cmp.Compare(c.d.part, o.d.part), cmp.Compare(c.d.offset, o.d.offset),
		cmp.Compare(c.d.delivery, o.d.delivery), cmp.Compare(c.site, o.site), cmp.Compare(c.process.index, o.process.index))
}

// one is one draw.
func (l *plainLane) one(t failer, g generator.Generator, d *plainDelivery) plainID {
	var id [1]int64
	var kind [1]generator.Kind
	var hops [1]int32
	call := generator.Calls{EventMs: []int64{d.eventMs}, NowMs: []int64{d.nowMs}, AtNs: []int64{d.draw}, Partition: []int32{int32(d.part)}}
	if err := generator.DrawBatch(g, call, id[:], kind[:], hops[:]); err != nil {
		t.Fatal(err)
	}
	return plainID{id[0], kind[0], int64(hops[0]), l.layout.OwnerMs(id[0]), l.layout.Node(id[0]), l.byClock}
}

// server is a Redis as the scenario has it.
func (w *plainWorld) server() *redis.Server {
	s := w.sc.Generator.Redis
	if s == nil {
		return nil
	}
	cfg := redis.Config{RoundTripNs: int64(s.RoundTrip)}
	for _, o := range s.Outages {
		cfg.Outages = append(cfg.Outages, redis.Window{FromNs: w.ns(o.At), ToNs: w.ns(o.At) + int64(o.For)})
	}
	for _, f := range s.Failovers {
		cfg.Failovers = append(cfg.Failovers, redis.Failover{AtNs: w.ns(f.At), Lose: int(f.Lose)})
	}
	slices.SortStableFunc(cfg.Failovers, func(a, b redis.Failover) int { return cmp.Compare(a.AtNs, b.AtNs) })
	return redis.New(cfg)
}

// name is how results call the generator.
func (l *plainLane) name() string {
	if l.Name == "consumption-time" {
		return l.Name
	}
	return l.Name + " " + l.Variant
}

// hasNodes says whether ids say a node.
func (l *plainLane) hasNodes() bool { return l.Slots || l.Name == "snowflake" }

// alone says whether a process gives ids of its own while Redis is down.
func (l *plainLane) alone() bool { return l.Name == "redis-counter" && l.Variant == "corrected" }

// saysNode says whether the id of a delivery by the chosen generator says a node.
func (l *plainLane) saysNode(d *plainDelivery) bool {
	return l.hasNodes() || l.alone() && d.ids[chosen].id>>31&1 == 1
}

// text is an id as its users write it.
func (l *plainLane) text(id int64) string {
	if l.Name == "redis-streams" {
		return fmt.Sprintf("%d-%d", id>>20, id&(1<<20-1))
	}
	return fmt.Sprint(id)
}

// undrawn has every kind of id that is not what the generator promises.
func (l *plainLane) undrawn() map[string]int64 {
	out := map[string]int64{}
	for _, kind := range l.Kinds {
		out[kind.String()] = 0
	}
	return out
}

// noCauses has every cause that duplicates of the generator can have at a site.
func (l *plainLane) noCauses(s *scenario.Site) map[string]int64 {
	out := l.undrawn()
	out["wrong-unit"], out["restart"] = 0, 0
	if l.hasNodes() {
		out["shared-node"], out["node-range"] = 0, 0
	}
	if l.alone() {
		out["shared-node"] = 0
	}
	if l.apart {
		out["separate"] = 0
	}
	if l.byClock && !l.Slots && plainSetsBack(s) {
		out["clock-back"] = 0
	}
	return out
}

// plainSetsBack says whether a site's clock is ever set back.
func plainSetsBack(s *scenario.Site) bool {
	return slices.ContainsFunc(s.Clock.Steps, func(step scenario.ClockStep) bool { return step.By < 0 })
}

// costs are those of the processes of a site together, which gave so many ids.
func (l *plainLane) costs(w *plainWorld, ids int64) *result.Costs {
	var out result.Costs
	var waits []int64
	sum := new(big.Int)
	for _, p := range w.processes {
		g, ok := l.gens[p].(generator.Coster)
		if !ok {
			return nil
		}
		c := g.Costs()
		out.RoundTrips += c.RoundTrips
		out.ServiceTrips += c.ServiceTrips
		out.Wasted += c.Wasted
		out.Keys += c.Keys
		out.Rejected += c.Rejected
		out.Pinned += c.Pinned
		out.MaxPinMs = max(out.MaxPinMs, c.MaxPinMs)
		for us, n := range c.Waits.All() {
			for range n {
				waits = append(waits, us)
				sum.Add(sum, big.NewInt(us))
				if us != 0 {
					out.Waited++
				}
			}
		}
	}
	out.TripsPerID = plainShare(out.RoundTrips, ids)
	if out.RoundTrips > 0 {
		out.IDsPerTrip = new(float64(ids) / float64(out.RoundTrips))
	}
	out.WaitedMs, out.Wait = sum.Div(sum, big.NewInt(1000)).Int64(), plainSummary(waits)
	return &out
}

// plainFault is what is wrong with one draw by itself.
func (l *plainLane) plainFault(d *plainDelivery, lane int) string {
	id, asked := d.ids[lane], d.eventMs
	if id.byClock {
		asked = d.nowMs
	}
	switch {
	case asked >= 1e9 && asked < 1e11, asked >= 1e14:
		return "wrong-unit"
	case id.kind != generator.Drawn:
		return id.kind.String()
	case l.hasNodes() && id.node != int64(d.node):
		return "node-range"
	}
	return ""
}

// plainCauses puts the deliveries that have one id at one site in order, the
// original first: what is sound before what is faulty, then by the clock. The
// others are extra copies: causes[i] is that of the one at i+1.
func (l *plainLane) plainCauses(s *scenario.Site, group []*plainDelivery, lane int) (sorted []*plainDelivery, causes []string) {
	var sound, faulty []*plainDelivery
	for _, d := range group {
		if l.plainFault(d, lane) == "" {
			sound = append(sound, d)
		} else {
			faulty = append(faulty, d)
		}
	}
	byClock(sound)
	byClock(faulty)
	sorted = append(sound, faulty...)
	for i, d := range sorted[1:] {
		if i+1 >= len(sound) {
			causes = append(causes, l.plainFault(d, lane))
		} else {
			causes = append(causes, l.shared(s, d, sound[0]))
		}
	}
	return sorted, causes
}

// shared is why two sound ids of a site are equal.
func (l *plainLane) shared(s *scenario.Site, d, original *plainDelivery) string {
	same := d.consumer == original.consumer
	switch {
	case l.ApartBy == catalog.Shards && d.part != original.part:
		return "separate"
	case same && d.life != original.life:
		return "restart"
	case same && l.overrun:
		return "node-range" // its sequence went round a whole second
	case same && l.byClock && !l.Slots && plainSetsBack(s):
		return "clock-back"
	case !same && l.saysNode(d) && d.node == original.node:
		return "shared-node"
	}
	return "unexplained"
}

// acrossSites is why an extra copy at one site has the id of the original at another.
func (l *plainLane) acrossSites(d, original *plainDelivery, lane int) string {
	if fault := cmp.Or(l.plainFault(d, lane), l.plainFault(original, lane)); fault != "" {
		return fault
	}
	switch {
	case l.apart:
		return "separate"
	case l.saysNode(d) && d.node == original.node:
		return "shared-node"
	}
	return "unexplained"
}
