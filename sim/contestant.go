package sim

import (
	"cmp"
	"slices"

	"twindrift/generator/catalog"
	"twindrift/generator/redis"
	"twindrift/sim/scenario"
)

// contestant is a generator of a run, at all its sites: that of a lane.
type contestant struct {
	scenario.Generator
	traits catalog.Traits
	joint  bool          // draws are made in the order of virtual time, whatever the process
	server *redis.Server // of all sites; nil where each has one of its own
}

// generators are those of the lanes: the scenario's, the baseline, and those that it is
// compared with.
func (r *run) generators() []*contestant {
	if r.contestants == nil {
		g := r.cfg.Scenario.Generator
		base := scenario.Baseline(&g)
		for _, g := range append([]scenario.Generator{chosen: g, baseline: base}, r.cfg.Against...) {
			entry, _ := catalog.Find(g.Name, g.Variant) // validated
			r.contestants = append(r.contestants, &contestant{Generator: g, traits: entry.Traits, joint: entry.Redis || r.cfg.inOrder || r.cfg.Scenario.Store.Deduplicate})
		}
	}
	return r.contestants
}

// shared says whether all sites have one Redis.
func (c *contestant) shared() bool { return c.Redis != nil && c.Redis.Shared }

// together says whether any lane's generators are joint.
func (r *run) together() bool {
	return slices.ContainsFunc(r.generators(), func(c *contestant) bool { return c.joint })
}

// options are those of the consumers of a site, number index.
func (r *run) options(c *contestant, sc *scenario.Site, index int) []catalog.Options {
	server := c.server
	if c.traits.Redis && server == nil {
		server = redis.New(r.redisConfig(c.Redis))
		if c.shared() {
			c.server = server
		}
	}
	var numbers []int32
	for i := range r.plan.Partitions {
		numbers = append(numbers, r.plan.Partitions[i].Number)
	}
	var out []catalog.Options
	for _, consumer := range sc.Consumers {
		o := c.Options(consumer.Node)
		o.WrapIDs, o.Workers, o.Redis, o.Site, o.Numbers = r.wraps(), consumer.Workers, server, int64(index), numbers
		out = append(out, o)
	}
	return out
}

// redisConfig is what a server is like.
func (r *run) redisConfig(s *scenario.Redis) redis.Config {
	out := redis.Config{RoundTripNs: int64(s.RoundTrip)}
	for _, w := range r.windows(s.Outages) {
		out.Outages = append(out.Outages, redis.Window{FromNs: w.From, ToNs: w.To})
	}
	for _, f := range s.Failovers {
		out.Failovers = append(out.Failovers, redis.Failover{AtNs: r.momentNs(f.At), Lose: int(f.Lose)})
	}
	slices.SortStableFunc(out.Failovers, func(a, b redis.Failover) int { return cmp.Compare(a.AtNs, b.AtNs) })
	return out
}
