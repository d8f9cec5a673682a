package measure

import (
	"cmp"
	"slices"

	"twindrift/sim/site"
	"twindrift/sim/tally"
)

const minuteMs = 60_000

// Push measures late-push filtering at one site: what becomes of the consumed
// messages, how late they are drawn, and how far the site stands behind the
// source log.
type Push struct {
	Consumed, Filtered, Refused, StoreOff, Deduplicated, Stored, Pushed, Late int64
	Again                                                                     int64 // deliveries of messages that were drawn before

	Lateness  tally.Counts  // of stored messages, ms: clock at the draw less event time
	ByMinute  tally.Repeats // stored messages by minute of the clock
	LateByMin tally.Repeats // late ones
	First     [][]Entry     // the first late ones of each consumer

	deadlineMs int64
	lag        map[int64]*Lag
	last       *Lag
	late       []int64 // scratch: lateness
}

// Lag is one minute of a site's clock: draws, and the longest time from append
// to draw.
type Lag struct {
	Minute int64 // index since 1970
	Draws  int64
	MaxMs  int64
}

// NewPush measures a site with so many consumers against a deadline; a message
// drawn exactly at it is pushed.
func NewPush(consumers int, deadlineMs int64) *Push {
	return &Push{First: make([][]Entry, consumers), deadlineMs: deadlineMs, lag: map[int64]*Lag{}}
}

// Add takes in a consumer's draws. IDs are those of the chosen generator.
// Neighbours are mostly drawn in one minute.
func (p *Push) Add(consumer int, d *site.Draws, g *Drawn) {
	p.Consumed += int64(d.Len())
	p.late = p.late[:0]
	var lag *Lag
	startMs := int64(0)
	for i, state := range g.State {
		now, again := d.NowMs[i], d.Again[i] > 0
		if again {
			p.Again++
		}
		if lag == nil || uint64(now-startMs) >= minuteMs {
			lag = p.lagAt(floorDiv(now, minuteMs))
			startMs = lag.Minute * minuteMs
		}
		lag.add(now - d.AppendMs[i])
		switch state {
		case site.Filtered:
			p.Filtered++
			continue
		case site.Refused:
			p.Refused++
			continue
		case site.StoreOff:
			p.StoreOff++
			continue
		case site.Deduplicated:
			p.Deduplicated++
			continue
		}
		p.Stored++
		p.late = append(p.late, now-d.EventMs[i])
		p.ByMinute.Add(lag.Minute)
		if !Late(now, d.EventMs[i], p.deadlineMs) {
			p.Pushed++
			continue
		}
		p.Late++
		p.LateByMin.Add(lag.Minute)
		if first := &p.First[consumer]; len(*first) < witnesses {
			*first = append(*first, entryOf(consumer, d, g, i))
		}
	}
	p.Lateness.AddEach(p.late)
}

// Late says whether a message made at eventMs and handled at nowMs, both as
// the site's clock reads them, comes after the push deadline. At the deadline
// itself it is still pushed.
func Late(nowMs, eventMs, deadlineMs int64) bool { return nowMs-eventMs > deadlineMs }

// Lags are the minutes in ascending order.
func (p *Push) Lags() []*Lag {
	lags := make([]*Lag, 0, len(p.lag))
	for _, l := range p.lag {
		lags = append(lags, l)
	}
	slices.SortFunc(lags, func(a, b *Lag) int { return cmp.Compare(a.Minute, b.Minute) })
	return lags
}

func (p *Push) lagAt(minute int64) *Lag {
	if p.last != nil && p.last.Minute == minute {
		return p.last
	}
	l := p.lag[minute]
	if l == nil {
		l = &Lag{Minute: minute, MaxMs: -1 << 63}
		p.lag[minute] = l
	}
	p.last = l
	return l
}

func (l *Lag) add(ms int64) {
	l.Draws++
	l.MaxMs = max(l.MaxMs, ms)
}
