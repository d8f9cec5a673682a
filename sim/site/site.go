package site

import (
	"errors"
	"fmt"
	"math"

	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/luck"
	"twindrift/sim/spill"
)

// Config is one site.
type Config struct {
	Name        string // results depend on it: it is part of every draw of luck
	Seed        uint64
	Replication uint32 // of the run, with luck of its own
	Clock       Clock
	Link        delay.Dist            // from the source log to the site
	LinkTopics  map[string]delay.Dist // instead of Link, by topic
	Outages     []Window              // of the link: what would arrive in one arrives at its end; ascending
	Observed    bool                  // messages arrive when the capture saw them processed, not by the link
	Filter      Filter
	StoreOff    map[string]bool // topics that are not stored
	Consumers   []ConsumerConfig
	Handovers   []Handover // ascending
	Redelivery  Redelivery
	StartNs     int64 // from when commits are counted
	PartDraws   int   // of a consumer, after which an epoch is told in parts; 0 for never
	Aligned     bool  // draws are told by Tell
}

// Site is one data center. It belongs to one goroutine.
type Site struct {
	Name      string
	Clock     *Clock
	Consumers []*Consumer

	handovers []Handover
	isAligned bool
	aligned   alignment

	nextAppendMs int64 // everything appended before is known
	spill        *spill.Owner
	parts        []*partition // scratch
}

// New sets a site up for the partitions of a capture.
func New(cfg Config, plan *replay.Plan) *Site {
	s := &Site{Name: cfg.Name, Clock: &cfg.Clock, handovers: cfg.Handovers, isAligned: cfg.Aligned}
	chances, bounds := newLucky(), map[string]*delay.Bounds{}
	for i, cc := range cfg.Consumers {
		c := &Consumer{
			Node:     cc.Node,
			clock:    s.Clock,
			most:     cfg.PartDraws,
			parallel: cc.Parallel,
			inOrder:  cc.Handling.IsZero(),
			inRuns:   cc.Handling.IsZero() && cfg.Redelivery.Probability == 0,
			atOnce:   cc.Service.IsZero() && len(cc.Stalls) == 0,
			service:  cc.Service,
			handling: cc.Handling,
			stalls:   cc.Stalls,
			free:     newWorkers(max(1, cc.Workers)),
			nextNs:   math.MinInt64,
			sinceNs:  math.MinInt64,
			moments:  newMoments(cc.Restarts, handsOverAt(cfg.Handovers, i), cc.CommitNs, cfg.StartNs),
		}
		for _, index := range cc.Partitions {
			p := newPartition(cfg, cc, index, plan)
			p.chances = chances
			if topic := plan.Partitions[index].Topic; bounds[topic] == nil {
				bounds[topic] = p.link.Bounds()
			}
			p.bounds = bounds[plan.Partitions[index].Topic]
			c.parts = append(c.parts, p)
		}
		s.Consumers = append(s.Consumers, c)
	}
	return s
}

// handsOverAt is when a consumer may have to give partitions away.
func handsOverAt(list []Handover, consumer int) (at []int64) {
	for _, h := range list {
		if h.To != consumer {
			at = append(at, h.AtNs)
		}
	}
	return at
}

func newPartition(cfg Config, cc ConsumerConfig, index int, plan *replay.Plan) *partition {
	planned := &plan.Partitions[index]
	p := &partition{
		blockRows:   plan.BlockRows,
		index:       int32(index),
		messages:    planned.Messages,
		floorMs:     planned.BlockFloorMs,
		rule:        cfg.Filter.rule(planned.Topic, planned.Number),
		storeOff:    cfg.StoreOff[planned.Topic],
		outages:     cfg.Outages,
		again:       cfg.Redelivery.compiled(),
		baseMs:      cfg.Clock.BaseMs,
		observed:    cfg.Observed,
		luck:        luck.New(cfg.Seed, cfg.Name, planned.Topic, planned.Number).Replication(cfg.Replication),
		link:        cfg.Link,
		service:     cc.Service,
		handling:    cc.Handling,
		lastArrival: math.MinInt64,
		freeNs:      math.MinInt64,
	}
	if d, ok := cfg.LinkTopics[planned.Topic]; ok {
		p.link = d
	}
	p.look()
	return p
}

// look sees what it takes to say what happens to a message: which draws of luck, and
// whether the time of day.
func (p *partition) look() {
	others := !p.rule.keep || !p.service.Fixed() || !p.handling.Fixed()
	p.random = others || !p.link.Fixed()
	p.onlyLink = p.random && !others
	p.varies = p.link.Varies() || p.service.Varies() || p.handling.Varies()
}

// Advance takes in an epoch, rows by partition, after which everything
// appended before nextAppendMs is known (math.MaxInt64 after the last), and
// fills draws, one a consumer; those of an aligned site are for Tell to give, and
// draws plays no part. The error wraps ErrTooLong.
func (s *Site) Advance(rows []Rows, nextAppendMs int64, draws []Draws) error {
	if s.isAligned {
		s.aligned.begin(s.Consumers, false)
		draws = s.aligned.done
	}
	for i, c := range s.Consumers {
		c.take(rows, &draws[i])
	}
	s.nextAppendMs = nextAppendMs
	return s.advance()
}

// advance goes on until the epoch or a part of it is full.
func (s *Site) advance() error {
	limit := s.limit()
	for {
		until, reached := min(s.nextHandover(), limit), true
		for i, c := range s.Consumers {
			rests := s.isAligned && s.aligned.rests(i, c)
			if !rests {
				c.advance(s.nextAppendMs, until)
			}
			if s.isAligned {
				s.aligned.rested[i] = rests
			}
			reached = reached && c.nextNs >= until
		}
		if !reached || until == limit {
			break
		}
		s.handOver()
	}
	for _, c := range s.Consumers {
		c.finish(min(s.nextHandover(), limit))
		if c.overrun {
			return fmt.Errorf("site %s, node %d: after %d messages its %w", s.Name, c.Node, c.Consumed, ErrTooLong)
		}
	}
	s.shed()
	return s.spill.Err()
}

// Ahead is what is known of the draws still to come at the site: lower bounds
// of their event times and of its clock at them; math.MaxInt64 for none.
func (s *Site) Ahead() (minEventMs, nextNowMs int64) {
	minEventMs, nextNowMs = math.MaxInt64, math.MaxInt64
	for _, c := range s.Consumers {
		minEventMs, nextNowMs = min(minEventMs, c.MinEventMs()), min(nextNowMs, c.NextNowMs())
	}
	minEventMs, nextNowMs, _ = s.aligned.ahead(minEventMs, nextNowMs, 0)
	return minEventMs, nextNowMs
}

// Settled fills limits, by partition, with the ordinal of the first message
// that may still be drawn at the site.
func (s *Site) Settled(limits []int64) {
	for i := range limits {
		limits[i] = math.MaxInt64
	}
	for _, c := range s.Consumers {
		c.settled(limits)
	}
	s.aligned.settled(limits)
}

// ErrTooLong says that a consumer falls behind so far that its time runs over.
var ErrTooLong = errors.New("work reaches past the year 2262, where virtual time ends: its service and handling are too long for this traffic")
