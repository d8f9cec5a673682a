package measure

import (
	"cmp"
	"slices"

	"twindrift/generator"
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
// Neighbours are mostly drawn in one minute, and pushed.
func (p *Push) Add(consumer int, d *site.Draws, g *Drawn) {
	p.Consumed += int64(d.Len())
	p.late = resized(p.late, d.Len())
	stored := 0
	for i := 0; i < len(g.State); {
		lag := p.lagAt(generator.FloorDiv(d.NowMs[i], minuteMs))
		n := p.pushed(lag, d, g, i, p.late[stored:])
		p.Stored += int64(n)
		p.Pushed += int64(n)
		p.ByMinute.AddN(lag.Minute, int64(n))
		stored += n
		if i += n; i == len(g.State) || uint64(d.NowMs[i]-lag.Minute*minuteMs) >= minuteMs {
			continue
		}
		if p.add(consumer, lag, d, g, i) {
			p.late[stored] = d.NowMs[i] - d.EventMs[i]
			stored++
		}
		i++
	}
	p.Lateness.AddEach(p.late[:stored])
}

// pushed counts the rows from a row on, one after the other, that are drawn in a minute
// for the first time, stored and pushed, says how many those are, and sets their
// lateness.
func (p *Push) pushed(lag *Lag, d *site.Draws, g *Drawn, from int, lateness []int64) (n int) {
	states := g.State[from:]
	m := min(len(states), len(lateness))
	nows, events, appends := d.NowMs[from:][:m], d.EventMs[from:][:m], d.AppendMs[from:][:m]
	agains := d.Again[from:][:m]
	lateness = lateness[:m]
	startMs, longest := lag.Minute*minuteMs, lag.MaxMs
	for n < m && states[n] == site.Store && agains[n] == 0 && uint64(nows[n]-startMs) < minuteMs {
		now := nows[n]
		if Late(now, events[n], p.deadlineMs) {
			break
		}
		lateness[n] = now - events[n]
		longest = max(longest, now-appends[n])
		n++
	}
	lag.Draws += int64(n)
	lag.MaxMs = longest
	return n
}

// add counts row i and says whether it is stored.
func (p *Push) add(consumer int, lag *Lag, d *site.Draws, g *Drawn, i int) (stored bool) {
	now := d.NowMs[i]
	if d.Again[i] > 0 {
		p.Again++
	}
	lag.add(now - d.AppendMs[i])
	switch g.State[i] {
	case site.Filtered:
		p.Filtered++
		return false
	case site.Refused:
		p.Refused++
		return false
	case site.StoreOff:
		p.StoreOff++
		return false
	case site.Deduplicated:
		p.Deduplicated++
		return false
	}
	p.Stored++
	p.ByMinute.Add(lag.Minute)
	if !Late(now, d.EventMs[i], p.deadlineMs) {
		p.Pushed++
		return true
	}
	p.Late++
	p.LateByMin.Add(lag.Minute)
	if first := &p.First[consumer]; len(*first) < witnesses {
		*first = append(*first, entryOf(consumer, d, g, i))
	}
	return true
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
