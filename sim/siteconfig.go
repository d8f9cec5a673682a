package sim

import (
	"cmp"
	"maps"
	"slices"

	"twindrift/sim/scenario"
	"twindrift/sim/site"
)

// siteConfig is what package site needs to know of a scenario's site, with
// deal the partitions of each consumer.
func (r *run) siteConfig(sc *scenario.Site, deal [][]int) (site.Config, error) {
	sn := &r.cfg.Scenario
	cfg := site.Config{
		Name: sc.Name, Seed: uint64(sn.Seed), Replication: r.cfg.replication, Clock: r.siteClock(&sc.Clock),
		Link: sc.Link.Delay, LinkTopics: maps.Clone(sc.Link.Topics), Outages: r.windows(sc.Link.Outages),
		Observed: sc.Observed,
		Filter:   filterOf(&sn.Filter), StoreOff: map[string]bool{},
		Redelivery: site.Redelivery{Probability: sc.Redelivery.Probability, AfterNs: int64(sc.Redelivery.After)},
		StartNs:    r.clock.Ns(r.startMs()),
		PartDraws:  max(1, r.partRows()/len(sc.Consumers)),
		Aligned:    r.together(),
	}
	for _, topic := range sn.Store.Except {
		cfg.StoreOff[topic] = true
	}
	for i := range sc.Consumers {
		cfg.Consumers = append(cfg.Consumers, r.consumerConfig(&sc.Consumers[i], deal[i]))
	}
	moved, to, err := moves(sc, r.plan)
	if err != nil {
		return cfg, err
	}
	for i, m := range sc.Rebalances {
		cfg.Handovers = append(cfg.Handovers, site.Handover{AtNs: r.momentNs(m.At), Partitions: moved[i], To: to[i]})
	}
	slices.SortStableFunc(cfg.Handovers, func(a, b site.Handover) int { return cmp.Compare(a.AtNs, b.AtNs) })
	return cfg, nil
}

func (r *run) consumerConfig(c *scenario.Consumer, partitions []int) site.ConsumerConfig {
	cc := site.ConsumerConfig{
		Node: int(c.Node), Partitions: partitions, Workers: c.Workers,
		Service: c.Service, Handling: c.Handling,
		Stalls: r.windows(c.Stalls), CommitNs: int64(c.Commit),
	}
	if c.Parallel == scenario.ParallelPartitions {
		cc.Parallel = site.Partitions
	}
	for _, x := range c.Restarts {
		state := map[string]site.EventKind{
			scenario.StateLost: site.StateLost, scenario.StateKept: site.StateKept, scenario.StateSnapshot: site.StateRestored,
		}[x.State]
		cc.Restarts = append(cc.Restarts, site.Restart{AtNs: r.momentNs(x.At), DownNs: int64(x.Down), State: state, AgeNs: int64(x.Age)})
	}
	slices.SortStableFunc(cc.Restarts, func(a, b site.Restart) int { return cmp.Compare(a.AtNs, b.AtNs) })
	return cc
}

// redelivers says whether messages may be drawn more than once at a site.
func redelivers(sc *scenario.Site) bool {
	return sc.Redelivery.Probability > 0 || len(sc.Rebalances) > 0 ||
		slices.ContainsFunc(sc.Consumers, func(c scenario.Consumer) bool { return len(c.Restarts) > 0 })
}

func (r *run) siteClock(c *scenario.Clock) site.Clock {
	out := r.clock
	out.ErrorNs, out.DriftPPM, out.StartNs = int64(c.Error), c.DriftPPM, r.clock.Ns(r.startMs())
	for _, s := range c.Steps {
		out.Steps = append(out.Steps, site.Step{AtNs: r.momentNs(s.At), ByNs: int64(s.By)})
	}
	slices.SortStableFunc(out.Steps, func(a, b site.Step) int { return cmp.Compare(a.AtNs, b.AtNs) })
	return out
}

func (r *run) windows(list []scenario.Stretch) (out []site.Window) {
	for _, w := range list {
		from := r.momentNs(w.At)
		out = append(out, site.Window{From: from, To: from + int64(w.For)})
	}
	slices.SortStableFunc(out, func(a, b site.Window) int { return cmp.Compare(a.From, b.From) })
	return out
}

// momentNs is a moment of a scenario in virtual time.
func (r *run) momentNs(m scenario.Moment) int64 {
	return r.clock.Ns(plausible(m.Ms(r.startMs()), r.clock))
}

// startMs is the earliest timestamp of the capture; 0 where there is none.
func (r *run) startMs() int64 {
	low, any := int64(0), false
	for i := range r.plan.Partitions {
		if p := &r.plan.Partitions[i]; p.Messages > p.NoTimestamp && (!any || p.MinMs < low) {
			low, any = p.MinMs, true
		}
	}
	return plausible(low, r.clock)
}

func filterOf(f *scenario.Filter) site.Filter {
	out := site.Filter{Keep: f.Keep}
	for _, rule := range f.Drop {
		d := site.Drop{Topic: rule.Topic, Partition: site.AnyPartition, LargerThan: site.AnySize}
		if rule.Partition != nil {
			d.Partition = *rule.Partition
		}
		if len(rule.KeyHashMod) == 2 {
			d.KeyMod, d.KeyRest = uint64(rule.KeyHashMod[0]), uint64(rule.KeyHashMod[1])
		}
		if rule.ValueLargerThan != nil {
			d.LargerThan = *rule.ValueLargerThan
		}
		out.Drop = append(out.Drop, d)
	}
	return out
}
