package site

import (
	"errors"
	"fmt"
	"math"

	"twindrift/replay"
	"twindrift/sim/delay"
	"twindrift/sim/luck"
)

// Config is one site.
type Config struct {
	Name       string // results depend on it: it is part of every draw of luck
	Seed       uint64
	Clock      Clock
	Link       delay.Dist            // from the source log to the site
	LinkTopics map[string]delay.Dist // instead of Link, by topic
	Filter     Filter
	StoreOff   map[string]bool // topics that are not stored
	Consumers  []ConsumerConfig
}

// Site is one data center. It belongs to one goroutine.
type Site struct {
	Name      string
	Clock     Clock
	Consumers []*Consumer
}

// New sets a site up for the partitions of a capture.
func New(cfg Config, plan *replay.Plan) *Site {
	s := &Site{Name: cfg.Name, Clock: cfg.Clock}
	for _, cc := range cfg.Consumers {
		c := &Consumer{
			Node:     cc.Node,
			clock:    cfg.Clock,
			parallel: cc.Parallel,
			inOrder:  cc.Handling.IsZero(),
			free:     newWorkers(max(1, cc.Workers)),
			nextNs:   math.MinInt64,
		}
		for _, index := range cc.Partitions {
			c.parts = append(c.parts, newPartition(cfg, cc, index, plan))
		}
		s.Consumers = append(s.Consumers, c)
	}
	return s
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
		luck:        luck.New(cfg.Seed, cfg.Name, planned.Topic, planned.Number),
		link:        cfg.Link,
		service:     cc.Service,
		handling:    cc.Handling,
		lastArrival: math.MinInt64,
		freeNs:      math.MinInt64,
	}
	if d, ok := cfg.LinkTopics[planned.Topic]; ok {
		p.link = d
	}
	p.random = !p.rule.keep || !p.link.Fixed() || !p.service.Fixed() || !p.handling.Fixed()
	return p
}

// Advance takes in an epoch, rows by partition, after which everything
// appended before nextAppendMs is known (math.MaxInt64 after the last), and
// fills draws, one a consumer. The error wraps ErrTooLong.
func (s *Site) Advance(rows []Rows, nextAppendMs int64, draws []Draws) error {
	for i, c := range s.Consumers {
		c.advance(rows, nextAppendMs, &draws[i])
		if c.overrun {
			return fmt.Errorf("site %s, node %d: after %d messages its %w", s.Name, c.Node, c.Consumed, ErrTooLong)
		}
	}
	return nil
}

// ErrTooLong says that a consumer falls behind so far that its time runs over.
var ErrTooLong = errors.New("work reaches past the year 2262, where virtual time ends: its service and handling are too long for this traffic")
