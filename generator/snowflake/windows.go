package snowflake

import (
	"twindrift/generator"
	"twindrift/generator/redis"
)

// span is a range of numbers next..end-1 of a window.
type span struct {
	window, next, end int64
	readyNs           int64 // when it arrives
	kind              generator.Kind
}

func (s *span) left() int64 { return s.end - s.next }

// give takes the next number of the first window that is not past at ms.
func (g *Corrected) give(c *call, ms int64) (int64, generator.Kind) {
	s := &g.s
	if s.now.left() == 0 || s.now.window < ms {
		next := g.following(&s.now, ms)
		g.drop(&s.now)
		if s.ahead.left() == 0 || s.ahead.window < ms {
			g.drop(&s.ahead)
			if kind := g.ask(&s.ahead, next, c.ns); kind == generator.RedisDown {
				return s.local.give(c, ms, g.cfg.Worker)
			} else if kind.Refused() {
				return 0, kind
			}
		}
		s.now, s.ahead = s.ahead, span{}
		c.wait(s.now.readyNs)
	}
	w := &s.now
	if kind := inTime(w.window); kind.Refused() {
		return 0, kind
	}
	id := compose(w.window, g.cfg.Worker, w.next)
	w.next++
	if s.ahead.left() == 0 && (w.left() <= g.mostUsed || ms >= w.window-g.earlyMs) {
		next := g.following(w, ms)
		if w.left() > g.mostUsed { // this window will be past before its numbers are used
			next = g.windowAt(max(w.window+1, ms+g.tripMs))
		}
		g.ask(&s.ahead, next, c.ns) // where that fails, it is tried again
	}
	return id, w.kind
}

// following is the window to ask for at ms when those numbers are used up.
func (g *Corrected) following(w *span, ms int64) int64 {
	switch {
	case w.end == 0 || w.window < ms:
		return g.windowAt(ms + g.tripMs)
	case w.end < seqs:
		return w.window
	}
	return w.window + 2
}

// windowAt is the window that is asked for so that the answer comes at ms.
func (g *Corrected) windowAt(ms int64) int64 {
	ms += g.cfg.LeadMs
	return ms + ms&1
}

// ask takes a range of a window or of the first one after it that has one. The call goes
// on without waiting.
func (g *Corrected) ask(to *span, window, ns int64) generator.Kind {
	s, server := &g.s, g.cfg.Server
	for ; ; ns += server.RoundTripNs() {
		// How long ago the window's key was last used, if this process used it.
		if age := (ns-s.highestNs)/nsPerMs + s.highest - window; s.highestEnd > 0 && window <= s.highest && age > g.cfg.KeyLifeMs/2 {
			return generator.ClockBack
		}
		key := redis.Key{Name: redis.Alloc, Of: g.cfg.Worker, Window: window}
		reply, err := server.Incr(ns+server.RoundTripNs()/2, key, g.cfg.Range, g.cfg.KeyLifeMs*nsPerMs)
		if err != nil {
			return generator.RedisDown
		}
		g.costs.RoundTrips++
		switch first := reply.Value - g.cfg.Range; {
		case reply.Value > seqs: // the window is used up
			window += 2
		case window == s.highest && first < s.highestEnd: // a failover: ask again
		default:
			if window >= s.highest {
				s.highest, s.highestEnd, s.highestNs = window, reply.Value, ns
			}
			*to = span{window, first, reply.Value, ns + server.RoundTripNs(), generator.Drawn}
			if reply.Again {
				to.kind = generator.CounterBack
			}
			return generator.Drawn
		}
	}
}

// drop leaves the numbers of a span.
func (g *Corrected) drop(w *span) {
	g.costs.Wasted += w.left()
	*w = span{}
}
