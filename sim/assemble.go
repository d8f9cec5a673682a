package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"twindrift/generator"
	"twindrift/sim/measure"
	"twindrift/sim/order"
	"twindrift/sim/result"
	"twindrift/sim/tally"
)

// result puts together what the measures have counted.
func (r *run) result() (*result.Result, error) {
	out := &result.Result{
		Format: result.Format, Version: result.Version, Scenario: r.cfg.Scenario,
		Input: r.input(), Sites: map[string]*result.Site{}, Between: map[string]*result.Between{},
		SiteNames: []string{}, PairNames: []string{},
		Notes: append([]string{}, r.cfg.Scenario.Notes(r.plan.Partitions)...),
	}
	var errs []error
	for _, s := range r.sites {
		out.SiteNames = append(out.SiteNames, s.model.Name)
		site, err := r.site(s)
		errs = append(errs, err)
		out.Sites[s.model.Name] = site
	}
	for _, p := range r.pairs {
		a, b := r.sites[p.a].model.Name, r.sites[p.b].model.Name
		name := a + "-" + b
		out.PairNames = append(out.PairNames, name)
		between, err := r.between(p, a, b)
		errs = append(errs, err)
		out.Between[name] = between
	}
	out.Checks = checks(out)
	for _, c := range out.Checks {
		if !c.Passed {
			errs = append(errs, fmt.Errorf("the sums of this run do not add up (%s: %d against %d): this is a fault of the tool, please report it", c.Name, c.Left, c.Right))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

func (r *run) input() result.Input {
	in := result.Input{
		Messages:   r.plan.Messages,
		Skipped:    r.feed.skipped,
		PeakSecond: result.SecondCount{Second: r.plan.PeakSecond, Count: r.plan.PeakCount},
		Notes:      []result.Note{},
	}
	in.Partitions = r.inputPartitions()
	seen := false
	for i := range r.plan.Partitions {
		p := &r.plan.Partitions[i]
		in.NoTimestamp += p.NoTimestamp
		in.Disorder.Reordered += p.Reordered
		in.Disorder.MaxBehindMs = max(in.Disorder.MaxBehindMs, p.MaxBehindMs)
		if p.Messages == p.NoTimestamp {
			continue
		}
		if !seen {
			in.MinMs, in.MaxMs, seen = p.MinMs, p.MaxMs, true
		}
		in.MinMs, in.MaxMs = min(in.MinMs, p.MinMs), max(in.MaxMs, p.MaxMs)
	}
	in.Disorder.Share = share(in.Disorder.Reordered, in.Messages)
	for _, n := range r.plan.Notes {
		in.Notes = append(in.Notes, result.Note{Kind: n.Kind, Text: n.Text, Rows: n.Rows})
	}
	return in
}

func (r *run) inputPartitions() []result.InputPartition {
	parts := []result.InputPartition{}
	for i := range r.plan.Partitions {
		p := &r.plan.Partitions[i]
		parts = append(parts, result.InputPartition{
			Topic: p.Topic, Partition: p.Number, Messages: p.Messages, FirstOffset: p.FirstOffset, LastOffset: p.LastOffset,
			MinMs: p.MinMs, MaxMs: p.MaxMs,
			Disorder: result.Disorder{Reordered: p.Reordered, Share: share(p.Reordered, p.Messages), MaxBehindMs: p.MaxBehindMs},
		})
	}
	return parts
}

func (r *run) site(s *siteRun) (*result.Site, error) {
	site := &result.Site{Name: s.model.Name, Push: r.push(s), Consumers: []result.Consumer{}, Lag: []result.LagPoint{}}
	for i, c := range s.model.Consumers {
		consumer := result.Consumer{Node: c.Node, Consumed: c.Consumed, MaxWaitMs: c.MaxWaitNs / 1e6, Partitions: []string{}}
		for _, index := range s.partitions[i] {
			p := &r.plan.Partitions[index]
			consumer.Partitions = append(consumer.Partitions, fmt.Sprintf("%s/%d", p.Topic, p.Number))
		}
		site.Consumers = append(site.Consumers, consumer)
	}
	for _, l := range s.push.Lags() {
		site.Lag = append(site.Lag, result.LagPoint{MinuteMs: l.Minute * 60_000, Draws: l.Draws, MaxLagMs: l.MaxMs})
	}
	var errs []error
	for i, to := range [lanes]*result.Lane{chosen: &site.Lane, baseline: &site.Baseline} {
		lane, err := r.lane(s, s.lanes[i])
		errs = append(errs, err)
		*to = lane
	}
	return site, errors.Join(errs...)
}

func (r *run) push(s *siteRun) result.Push {
	p := s.push
	out := result.Push{
		Consumed: p.Consumed, Filtered: p.Filtered, StoreOff: p.StoreOff, Stored: p.Stored, Pushed: p.Pushed, Late: p.Late, Again: p.Again,
		DeadlineMs: r.cfg.Scenario.Deadline.Ms(),
		Lateness:   summary(&p.Lateness), Early: p.Lateness.Cumulative(-1), Histogram: bins(&p.Lateness, latenessEdges),
		Minutes: []result.MinuteRow{},
	}
	for _, ms := range deadlines(out.DeadlineMs) {
		late := p.Stored - p.Lateness.Cumulative(ms)
		out.Deadlines = append(out.Deadlines, result.DeadlineRow{DeadlineMs: ms, Late: late, Share: share(late, p.Stored)})
	}
	for minute, n := range p.ByMinute.Counts().All() {
		out.Minutes = append(out.Minutes, result.MinuteRow{MinuteMs: minute * 60_000, Stored: n, Late: p.LateByMin.Counts().Count(minute)})
	}
	out.Witnesses = r.witnesses(s, p.First, func(e *measure.Entry) string {
		return age(e.NowMs-e.EventMs) + " old when drawn"
	})
	return out
}

// age writes ms as a duration, as far as those go (292 years).
func age(ms int64) string {
	if ms > math.MaxInt64/int64(time.Millisecond) {
		return fmt.Sprintf("%d ms", ms)
	}
	return (time.Duration(ms) * time.Millisecond).String()
}

// deadlines are the ones a report compares, and the scenario's own.
func deadlines(own int64) []int64 {
	const minute = 60_000
	list := []int64{1 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, 60 * minute, own}
	slices.Sort(list)
	return slices.Compact(list)
}

func (r *run) lane(s *siteRun, l *lane) (result.Lane, error) {
	re := l.list.Reordering.Result()
	ratio, _ := re.Ratio()
	behind, _ := re.BehindMs.Max()
	out := result.Lane{
		Generator: l.name, PerSecond: l.capacity, UTCOffsetMs: r.options().UTCOffsetMs,
		Order: result.Order{
			Grained: grained(l.list.Discordance.Result()),
			Reordering: result.Reordering{
				Reordered: re.Reordered, Ratio: ratio, MaxBehindMs: behind,
				Extent: summary(&re.Extents), LateTime: summary(&re.LateMs),
			},
			OwnerDrift: result.OwnerDrift{
				Seconds:     summary(l.list.Drift.Counts()),
				ShareAtZero: share(l.list.Drift.Counts().Count(0), l.list.Drift.Counts().N()),
				Histogram:   bins(l.list.Drift.Counts(), secondEdges),
			},
		},
		Overflow:   r.overflow(s, l),
		Duplicates: r.duplicates(s, l),
		List:       result.List{Entries: l.list.Discordance.Result()[0].N, Overwritten: l.list.Again.Overwritten, Lost: l.list.Again.Lost, SeveralIDs: l.list.Again.SeveralIDs},
	}
	out.Order.Witnesses = r.witnesses(s, [][]measure.Entry{l.list.Reordered}, func(e *measure.Entry) string {
		return "stands after a later message"
	})
	return out, errors.Join(l.list.Discordance.Err(), l.list.Reordering.Err())
}

func (r *run) overflow(s *siteRun, l *lane) result.Overflow {
	out := result.Overflow{Undrawn: undrawn([4]int64{}), Nodes: []result.NodeOverflow{}}
	var offset, hops tally.Counts
	var first [][]measure.Entry
	for i, o := range l.overflow {
		second, count := o.Peak()
		biggest, _ := o.Offset.Counts().Max()
		full, runs, longest := o.Chains(l.capacity)
		node := result.NodeOverflow{
			Node: s.nodes[i], IDs: o.IDs, WithOffset: o.WithOffset, MaxOffset: biggest, Undrawn: undrawn(o.Undrawn),
			WrongNode: o.WrongNode, FullSlots: full, Chains: runs, Peak: result.SecondCount{Second: second, Count: count},
			Headroom: []result.HeadroomPoint{},
		}
		if runs > 0 {
			node.Longest = &result.Chain{FirstSecond: longest.FirstSecond, SpanS: longest.Span,
				FirstNotFull: longest.FirstSecond + longest.Span, MaxHops: longest.MaxHops}
		}
		for _, d := range measure.HeadroomOffsets {
			if h, ok := measure.HeadroomAt(o.Asked.Counts(), d); ok {
				node.Headroom = append(node.Headroom, result.HeadroomPoint{OffsetS: d, PerSecond: h.PerSecond(), FromSecond: h.From, ToSecond: h.To})
			}
		}
		out.Nodes = append(out.Nodes, node)
		out.IDs += o.IDs
		out.WithOffset += o.WithOffset
		out.WrongNode += o.WrongNode
		out.FullSlots += full
		for cause, n := range node.Undrawn {
			out.Undrawn[cause] += n
		}
		offset.Merge(o.Offset.Counts())
		hops.Merge(o.Hops.Counts())
		first = append(first, o.First)
	}
	out.Share = share(out.WithOffset, out.IDs)
	out.Offset, out.Hops = summary(&offset), summary(&hops)
	out.Histogram = bins(&offset, secondEdges)
	out.Witnesses = r.witnesses(s, first, func(e *measure.Entry) string {
		asked := e.EventMs
		if l.byClock {
			asked = e.NowMs
		}
		return fmt.Sprintf("owner second %d s after its own", floorDiv(l.layout.OwnerMs(e.ID), 1000)-floorDiv(asked, 1000))
	})
	return out
}

func (r *run) duplicates(s *siteRun, l *lane) result.Duplicates {
	d := &l.list.Duplicates
	out := result.Duplicates{
		IDs: d.Extra, Groups: d.Groups, Distinct: d.Distinct, ByCause: causes(d.ByCause), Unexplained: d.ByCause[measure.Unexplained],
		WithinNode: map[string]int64{}, Scores: d.Scores, Witnesses: r.groups(d.First, []*siteRun{s}),
	}
	for _, node := range s.nodes {
		out.WithinNode[strconv.Itoa(node)] = d.WithinNode[node]
	}
	return out
}

func (r *run) between(p *pairRun, a, b string) (*result.Between, error) {
	pair := p.lanes[chosen].pair
	out := &result.Between{A: a, B: b, Both: pair.Both, OnlyA: pair.OnlyA, OnlyB: pair.OnlyB}
	var errs []error
	for i, to := range [lanes]*result.PairLane{chosen: &out.PairLane, baseline: &out.Baseline} {
		*to = r.pairLane(p, p.lanes[i])
		errs = append(errs, p.lanes[i].pair.Joint.Err())
	}
	return out, errors.Join(errs...)
}

func (r *run) pairLane(p *pairRun, l *pairLane) result.PairLane {
	m, c := l.pair, l.collisions
	out := result.PairLane{
		SameID: m.SameID, SameSecond: m.SameSecond, DifferentSecond: m.OtherSec,
		SameIDShare: share(m.SameID, m.Both), SameSecondShare: share(m.SameSecond, m.Both), DifferentShare: share(m.OtherSec, m.Both),
		Difference: summary(m.Difference.Counts()), Histogram: bins(m.Difference.Counts(), secondEdges),
		Grained: grained(m.Joint.Result()),
		Duplicates: result.PairDuplicates{
			IDs: c.Extra, Groups: c.Groups, ByCause: causes(c.ByCause), Unexplained: c.ByCause[measure.Unexplained],
			Witnesses: r.groups(c.First, []*siteRun{r.sites[p.a], r.sites[p.b]}),
		},
		Witnesses: []result.PairWitness{},
	}
	for _, j := range m.First {
		part := &r.plan.Partitions[j.Partition]
		out.Witnesses = append(out.Witnesses, result.PairWitness{
			Topic: part.Topic, Partition: part.Number, Offset: j.Offset, EventMs: j.EventMs,
			IDA: strconv.FormatInt(j.IDA, 10), IDB: strconv.FormatInt(j.IDB, 10),
			Detail: r.apart(p, j),
		})
	}
	return out
}

// apart says by how much the owner seconds of a message differ.
func (r *run) apart(p *pairRun, j measure.Joined) string {
	layout := r.sites[p.a].lanes[chosen].layout
	a, b := floorDiv(layout.OwnerMs(j.IDA), 1000), floorDiv(layout.OwnerMs(j.IDB), 1000)
	later, by := r.sites[p.b].model.Name, b-a
	if by < 0 {
		later, by = r.sites[p.a].model.Name, -by
	}
	return fmt.Sprintf("%d s later at %s", by, later)
}

// witnesses are the first entries of several lists by the clock, at most five.
func (r *run) witnesses(s *siteRun, lists [][]measure.Entry, detail func(*measure.Entry) string) []result.Witness {
	var entries []measure.Entry
	for _, l := range lists {
		entries = append(entries, l...)
	}
	slices.SortStableFunc(entries, func(a, b measure.Entry) int {
		return cmp.Or(cmp.Compare(a.NowMs, b.NowMs), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
	})
	out := []result.Witness{}
	for i := range entries[:min(len(entries), 5)] {
		out = append(out, r.witness(s, &entries[i], detail(&entries[i])))
	}
	return out
}

func (r *run) witness(s *siteRun, e *measure.Entry, detail string) result.Witness {
	p := &r.plan.Partitions[e.Partition]
	return result.Witness{
		Site: s.model.Name, Node: s.nodes[e.Consumer], Topic: p.Topic, Partition: p.Number, Offset: e.Offset,
		EventMs: e.EventMs, DrawMs: e.NowMs, ID: strconv.FormatInt(e.ID, 10), Detail: detail,
	}
}

// groups renders duplicate groups; an entry's site is an index into sites.
func (r *run) groups(groups []measure.Group, sites []*siteRun) []result.DuplicateGroup {
	out := []result.DuplicateGroup{}
	for _, g := range groups {
		dg := result.DuplicateGroup{ID: strconv.FormatInt(g.Entries[0].ID, 10), Cause: g.Cause, Occurrences: g.Occurrences}
		for i := range g.Entries {
			s := sites[0]
			if g.Sites != nil {
				s = sites[g.Sites[i]]
			}
			dg.Messages = append(dg.Messages, r.witness(s, &g.Entries[i], undrawnBy(g.Entries[i].Kind)))
		}
		out = append(out, dg)
	}
	return out
}

// undrawnBy says of an id that was not drawn why; of one that was, nothing.
func undrawnBy(kind generator.Kind) string {
	if kind == generator.Drawn {
		return ""
	}
	return "handed out undrawn: " + kind.String()
}

// causes lists every cause, with 0 where there was none.
func causes(found map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for _, cause := range measure.Causes {
		if cause != measure.Unexplained {
			out[cause] = found[cause]
		}
	}
	return out
}

// undrawn lists the kinds of ids that were handed out without being drawn.
func undrawn(byKind [4]int64) map[string]int64 {
	return map[string]int64{measure.StaleDay: byKind[1], measure.JumpLimit: byKind[2], measure.DayEnd: byKind[3]}
}

func grained(pairs [order.Grains]order.Pairs) result.Grained {
	g := result.Grained{
		N: pairs[0].N, Comparable: map[string]int64{}, Discordant: map[string]int64{},
		DiscordantShare: map[string]*float64{}, TauA: map[string]*float64{}, TauB: map[string]*float64{},
	}
	for i, name := range order.GrainNames {
		p := pairs[i]
		g.Comparable[name] = p.Concordant + p.Discordant
		g.Discordant[name] = p.Discordant
		g.DiscordantShare[name] = defined(p.DiscordantShare())
		g.TauB[name] = defined(p.TauB())
		if tau, ok := p.TauA(); ok && p.Concordant+p.Discordant > 0 {
			g.TauA[name] = &tau
		} else {
			g.TauA[name] = nil
		}
	}
	return g
}

func defined(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// summary is nil for no values.
func summary(c *tally.Counts) *result.Summary {
	if c.N() == 0 {
		return nil
	}
	at := func(p float64) int64 { v, _ := c.Quantile(p); return v }
	low, _ := c.Min()
	high, _ := c.Max()
	mean, _ := c.Mean()
	return &result.Summary{N: c.N(), Min: low, P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: high, Mean: mean}
}

// Edges of histograms.
var (
	latenessEdges = []int64{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000}
	secondEdges   = []int64{-60, -10, -5, -2, -1, 0, 1, 2, 3, 4, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600}
)

// bins counts values between edges; the first bin starts at the smallest value
// and the last ends after the largest. Empty bins at either end are left out.
func bins(c *tally.Counts, edges []int64) []result.Bin {
	out := []result.Bin{}
	low, ok := c.Min()
	if !ok {
		return out
	}
	high, _ := c.Max()
	from, below := low, int64(0)
	add := func(to int64) {
		upTo := c.Cumulative(to - 1)
		out = append(out, result.Bin{From: from, To: to, Count: upTo - below})
		from, below = to, upTo
	}
	for _, edge := range edges {
		if edge > low && edge <= high {
			add(edge)
		}
	}
	add(high + 1)
	return out
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// checks are the sums that must add up.
func checks(r *result.Result) []result.Check {
	out := []result.Check{}
	add := func(name string, left, right int64) {
		out = append(out, result.Check{Name: name, Left: left, Right: right, Passed: left == right})
	}
	for _, name := range r.SiteNames {
		s := r.Sites[name]
		p := s.Push
		add(name+": consumed - again = input - skipped", p.Consumed-p.Again, r.Input.Messages-r.Input.Skipped)
		add(name+": consumed = filtered + stored + store-off", p.Consumed, p.Filtered+p.Stored+p.StoreOff)
		add(name+": stored = pushed + late", p.Stored, p.Pushed+p.Late)
		for _, l := range []struct {
			suffix string
			lane   *result.Lane
		}{{"", &s.Lane}, {" (baseline)", &s.Baseline}} {
			o, d := &l.lane.Overflow, &l.lane.Duplicates
			add(name+": ids = stored + store-off"+l.suffix, o.IDs, p.Stored+p.StoreOff)
			add(name+": list = stored - overwritten - lost"+l.suffix, l.lane.Order.N, p.Stored-l.lane.List.Overwritten-l.lane.List.Lost)
			add(name+": stored = distinct + extra copies"+l.suffix, p.Stored, d.Distinct+d.IDs)
			add(name+": extra copies = sum by cause"+l.suffix, d.IDs, sum(d.ByCause)+d.Unexplained)
		}
	}
	for _, name := range r.PairNames {
		b := r.Between[name]
		a, c := r.Sites[b.A].Push, r.Sites[b.B].Push
		add(name+": both + only "+b.A+" = stored at "+b.A, b.Both+b.OnlyA, a.Stored)
		add(name+": both + only "+b.B+" = stored at "+b.B, b.Both+b.OnlyB, c.Stored)
		for _, l := range []struct {
			suffix string
			lane   *result.PairLane
		}{{"", &b.PairLane}, {" (baseline)", &b.Baseline}} {
			add(name+": same id + same second + different = both"+l.suffix, l.lane.SameID+l.lane.SameSecond+l.lane.DifferentSecond, b.Both)
			add(name+": pairs measured = both"+l.suffix, l.lane.N, b.Both)
			add(name+": extra copies = sum by cause"+l.suffix, l.lane.Duplicates.IDs, sum(l.lane.Duplicates.ByCause)+l.lane.Duplicates.Unexplained)
		}
	}
	return out
}

func sum(counts map[string]int64) int64 {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	return total
}
