package sim

import (
	"context"
	"fmt"

	"twindrift/generator/catalog"
	"twindrift/replay"
	"twindrift/sim/measure"
	"twindrift/sim/order"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
	"twindrift/sim/site"
	"twindrift/sim/spill"
)

// Config is a run.
type Config struct {
	Source   replay.Source
	Scenario scenario.Scenario // validated

	// Planning and Replaying, either of which may be nil, are called now and
	// then with the messages gone over so far and those in all, from one
	// goroutine at a time.
	Planning, Replaying func(done, total int64)

	// Deliveries, where not nil, is asked once, before the replay, where every
	// delivery at every site is to go; a nil sink means nowhere.
	Deliveries func(partitions []result.InputPartition) (result.DeliverySink, error)

	// Memory is how many bytes of what has to wait may be held in memory; the
	// rest goes to a file in TempDir, overriding the default, the folder for
	// temporary files. 0 is no limit. Results do not depend on it.
	Memory  int64
	TempDir string

	replication uint32 // which one of the run this is
	epochBlocks int    // for tests, which want small epochs
	spilled     *int64 // for tests: bytes that went to disk
}

// Run replays a capture through the scenario's sites, as often as it has
// replications. The result depends on the messages and the scenario alone. A
// cancelled context ends it with the context's error.
func Run(ctx context.Context, cfg Config) (*result.Result, error) {
	if err := CheckThresholds(ctx, cfg.Scenario); err != nil {
		return nil, err
	}
	var err error
	if cfg.Source, err = withTraffic(cfg.Source, &cfg.Scenario); err != nil {
		return nil, err
	}
	plan, err := cfg.Source.Plan(ctx, cfg.Planning)
	if err != nil {
		return nil, err
	}
	res, err := replicated(ctx, cfg, plan)
	if err != nil {
		return nil, err
	}
	res.Thresholds, err = JudgeThresholds(res, cfg.Scenario.Thresholds)
	return res, err
}

// once replays the capture once.
func once(ctx context.Context, cfg Config, plan *replay.Plan) (*result.Result, error) {
	r, err := newRun(cfg, plan)
	if err != nil {
		return nil, err
	}
	if cfg.Memory > 0 {
		if r.store, err = spill.New(cfg.Memory, cfg.TempDir); err != nil {
			return nil, err
		}
		defer r.store.Close()
		r.spillTo(r.store)
		if cfg.spilled != nil {
			defer func() { *cfg.spilled = r.store.Written() }()
		}
	}
	if cfg.Deliveries != nil {
		if r.sink, err = cfg.Deliveries(r.inputPartitions()); err != nil {
			return nil, err
		}
	}
	if err := r.replay(ctx); err != nil {
		return nil, err
	}
	return r.result()
}

// run is a run at work.
type run struct {
	cfg   Config
	plan  *replay.Plan
	clock site.Clock
	feed  *feed
	sink  result.DeliverySink
	store *spill.Store // nil where all may stay in memory
	sites []*siteRun
	pairs []*pairRun
}

// siteRun is a site with its lanes: the chosen generator, then the baseline.
type siteRun struct {
	model      *site.Site
	nodes      []int
	partitions [][]int // by consumer
	push       *measure.Push
	lanes      [lanes]*lane
}

// The lanes.
const (
	chosen = iota
	baseline
	lanes
)

// pairRun is two sites compared, lane by lane.
type pairRun struct {
	a, b  int
	lanes [lanes]*pairLane
}

type pairLane struct {
	pair       *measure.Pair
	collisions *measure.Collisions
}

func newRun(cfg Config, plan *replay.Plan) (*run, error) {
	r := &run{cfg: cfg, plan: plan, clock: clockFor(plan)}
	for i := range cfg.Scenario.Sites {
		s, err := r.newSite(&cfg.Scenario.Sites[i])
		if err != nil {
			return nil, err
		}
		r.sites = append(r.sites, s)
	}
	for a := range r.sites {
		for b := a + 1; b < len(r.sites); b++ {
			p := &pairRun{a: a, b: b}
			for i := range p.lanes {
				p.lanes[i] = &pairLane{
					pair: measure.NewPair(r.sites[a].lanes[i].layout, len(plan.Partitions),
						r.sites[a].lanes[i].processes.Redelivers || r.sites[b].lanes[i].processes.Redelivers),
					collisions: measure.NewCollisions(r.sites[a].lanes[i].processes, r.sites[b].lanes[i].processes),
				}
			}
			for _, l := range p.lanes {
				l.pair.Pace(r.pace())
			}
			p.lanes[chosen].pair.Ranks = new(order.RankDisplacement)
			r.pairs = append(r.pairs, p)
		}
	}
	return r, nil
}

func (r *run) newSite(sc *scenario.Site) (*siteRun, error) {
	deal, err := assign(sc, r.plan)
	if err != nil {
		return nil, err
	}
	sn := &r.cfg.Scenario
	cfg, err := r.siteConfig(sc, deal)
	if err != nil {
		return nil, err
	}
	if err := bindDelays(&cfg, sn.Generator.UTCOffset.Ms()); err != nil {
		return nil, err
	}
	s := &siteRun{partitions: deal}
	for _, c := range cfg.Consumers {
		s.nodes = append(s.nodes, c.Node)
	}
	s.model = site.New(cfg, r.plan)
	s.push = measure.NewPush(len(s.nodes), sn.Deadline.Ms())
	for i, name := range [lanes]string{chosen: sn.Generator.Name, baseline: "consumption-time"} {
		variant := ""
		if i == chosen {
			variant = sn.Generator.Variant
		}
		if s.lanes[i], err = newLane(name, variant, r.options(), measure.Processes{
			Nodes: s.nodes, Redelivers: redelivers(sc), MemberIsID: sn.Store.Member == scenario.MemberID}); err != nil {
			return nil, fmt.Errorf("site %s: %w", sc.Name, err)
		}
	}
	for _, l := range s.lanes {
		l.list.Pace(r.pace())
	}
	s.lanes[chosen].list.Places = new(measure.Places)
	return s, nil
}

// wrapMs is a timestamp past which second-slot ids no longer fit int64:
// certainly not in ms.
const wrapMs = 8e14

// options are the generator's, from the scenario. Ids may run over only where
// the capture's timestamps make them.
func (r *run) options() catalog.Options {
	o := r.cfg.Scenario.Generator.Options(0)
	for i := range r.plan.Partitions {
		if r.plan.Partitions[i].MaxMs > wrapMs {
			o.WrapIDs = true
		}
	}
	return o
}
