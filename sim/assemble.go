package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"twindrift/sim/measure"
	"twindrift/sim/result"
)

// result puts together what the measures have counted of a lane, and the baseline.
func (r *run) result(which int) (*result.Result, error) {
	known, _ := knownPartitions(r.plan)
	sn := r.cfg.Scenario
	sn.Generator = r.contestants[which].Generator
	out := &result.Result{
		Format: result.Format, Version: result.Version, Scenario: sn,
		Input: r.input(), Sites: map[string]*result.Site{}, Between: map[string]*result.Between{},
		SiteNames: []string{}, PairNames: []string{},
		Notes: append([]string{}, sn.Notes(known)...),
	}
	out.Notes = append(out.Notes, clockNotes(r.plan, r.clock)...)
	sites, pairs := make([]*result.Site, len(r.sites)), make([]*result.Between, len(r.pairs))
	errs := make([]error, len(r.sites)+len(r.pairs))
	var all sync.WaitGroup
	for i, s := range r.sites {
		out.SiteNames = append(out.SiteNames, s.model.Name)
		all.Go(func() { sites[i], errs[i] = r.site(s, which) })
	}
	for i, p := range r.pairs {
		a, b := r.sites[p.a].model.Name, r.sites[p.b].model.Name
		out.PairNames = append(out.PairNames, a+"-"+b)
		all.Go(func() { pairs[i], errs[len(r.sites)+i] = r.between(p, which, a, b) })
	}
	all.Wait()
	for i, name := range out.SiteNames {
		out.Sites[name] = sites[i]
	}
	for i, name := range out.PairNames {
		out.Between[name] = pairs[i]
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

func (r *run) site(s *siteRun, which int) (*result.Site, error) {
	site := &result.Site{Name: s.model.Name, Push: r.push(s, s.lanes[which]), Consumers: []result.Consumer{}, Lag: []result.LagPoint{}}
	for i, c := range s.model.Consumers {
		consumer := result.Consumer{Node: c.Node, Consumed: c.Consumed, MaxWaitMs: c.MaxWaitNs / 1e6, Partitions: []string{}}
		for _, index := range s.partitions[i] {
			p := &r.plan.Partitions[index]
			consumer.Partitions = append(consumer.Partitions, fmt.Sprintf("%s/%d", p.Topic, p.Number))
		}
		site.Consumers = append(site.Consumers, consumer)
	}
	for _, l := range s.lanes[which].push.Lags() {
		site.Lag = append(site.Lag, result.LagPoint{MinuteMs: l.Minute * 60_000, Draws: l.Draws, MaxLagMs: l.MaxMs})
	}
	own, base := s.lanes[which], s.lanes[baseline]
	site.Lane, site.Baseline = own.result, base.result
	return site, errors.Join(own.err, base.err)
}

func (r *run) push(s *siteRun, l *lane) result.Push {
	p := l.push
	out := result.Push{
		Consumed: p.Consumed, Filtered: p.Filtered, Refused: p.Refused, StoreOff: p.StoreOff, Deduplicated: p.Deduplicated, Stored: p.Stored, Pushed: p.Pushed, Late: p.Late, Again: p.Again, StoredAgain: l.list.Again.Stored,
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
	out.Witnesses = r.witnesses(s, l, p.First, func(e *measure.Entry) string {
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
