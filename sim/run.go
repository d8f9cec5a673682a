package sim

import (
	"context"
	"fmt"
	"slices"

	"twindrift/replay"
	"twindrift/sim/measure"
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

	// Against are generators that the scenario's is compared with, on the same draws
	// of luck. Only Compete looks at them.
	Against []scenario.Generator

	replication uint32 // which one of the run this is
	epochBlocks int    // for tests, which want small epochs
	inOrder     bool   // for tests, which want all lanes drawn in the order of virtual time
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
	cfg.Against = nil
	res, err := replicated(ctx, cfg, plan)
	if err != nil {
		return nil, err
	}
	res.Thresholds, err = JudgeThresholds(res, cfg.Scenario.Thresholds)
	return res, err
}

// once replays the capture once. It gives a result of the scenario's generator, and of
// each that it is compared with.
func once(ctx context.Context, cfg Config, plan *replay.Plan) ([]*result.Result, error) {
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
	defer r.interruptAtEnd(ctx)()
	err = r.replay(ctx)
	if closing := r.close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	var results []*result.Result
	for which := range r.contestants {
		if which == baseline {
			continue
		}
		res, err := r.result(which)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, nil
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

	contestants []*contestant // by lane
}

// close ends what generators have started outside. The error is the first.
func (r *run) close() (first error) {
	for _, s := range r.sites {
		for _, l := range s.lanes {
			if err := l.close(); err != nil && first == nil {
				first = fmt.Errorf("site %s: %w", s.model.Name, err)
			}
		}
	}
	return first
}

// interruptAtEnd interrupts when ctx ends before stop is called. stop waits for an
// interrupt that is under way.
func (r *run) interruptAtEnd(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(done)
		r.interrupt()
	})
	return func() {
		if !forget() {
			<-done
		}
	}
}

// interrupt ends what generators have started outside, at once.
func (r *run) interrupt() {
	for _, s := range r.sites {
		for _, l := range s.lanes {
			l.interrupt()
		}
	}
}

// siteRun is a site with its lanes: the chosen generator, the baseline, and those that
// the chosen one is compared with.
type siteRun struct {
	model      *site.Site
	nodes      []int
	partitions [][]int // by consumer
	lanes      []*lane
}

// The first lanes.
const (
	chosen = iota
	baseline
)

// pairRun is two sites compared, lane by lane.
type pairRun struct {
	a, b  int
	lanes []*pairLane
}

type pairLane struct {
	pair       *measure.Pair
	collisions *measure.Collisions

	result result.PairLane // of all that was compared
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
			for i, atA := range r.sites[a].lanes {
				atB := r.sites[b].lanes[i]
				l := &pairLane{
					pair:       measure.NewPair(atA.layout, len(plan.Partitions), atA.processes.Redelivers || atB.processes.Redelivers),
					collisions: measure.NewCollisions(atA.processes, atB.processes),
				}
				l.pair.Pace(r.pace())
				if i != baseline {
					l.pair.CompareRanks()
				}
				p.lanes = append(p.lanes, l)
			}
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
	for i, g := range r.generators() {
		processes := measure.Processes{
			Nodes: s.nodes, Redelivers: redelivers(sc), MemberIsID: sn.Store.Member == scenario.MemberID,
			SiteApart: !g.shared(), SetsBack: setsBack(&sc.Clock),
		}
		l, err := newLane(g.Name, g.Variant, r.options(g, sc, len(r.sites)), processes)
		if err != nil {
			return nil, fmt.Errorf("site %s: %w", sc.Name, err)
		}
		l.list.Pace(r.pace())
		if sn.Store.Deduplicate {
			l.refused = map[messageKey]bool{}
		}
		if i != baseline {
			l.list.Places = new(measure.Places)
			l.push = measure.NewPush(len(s.nodes), sn.Deadline.Ms())
		}
		s.lanes = append(s.lanes, l)
	}
	return s, nil
}

// setsBack says whether a clock ever shows a time once more.
func setsBack(c *scenario.Clock) bool {
	return slices.ContainsFunc(c.Steps, func(s scenario.ClockStep) bool { return s.By < 0 })
}

// wrapMs is a timestamp past which second-slot ids no longer fit int64:
// certainly not in ms.
const wrapMs = 8e14

// wraps says whether the capture's timestamps make ids run over. Only then may they.
func (r *run) wraps() bool {
	return slices.ContainsFunc(r.plan.Partitions, func(p replay.Partition) bool { return p.MaxMs > wrapMs })
}
