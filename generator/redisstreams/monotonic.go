package redisstreams

import "twindrift/generator/redis"

// writeMonotonic says the event time where it is past the last id's ms, and otherwise the
// id above the last one, which the process remembers. A process that does not, having just
// started, asks the server for it.
func (g *Generator) writeMonotonic(c call) (entry, error) {
	last, stream := g.counter(0), g.stream(0)
	if !last.any {
		top, err := g.top(c, stream)
		if err != nil {
			return entry{}, err
		}
		*last = counter{top, true}
	}
	if ms := uint64(c.eventMs); ms > last.id.Ms {
		last.id = redis.EntryID{Ms: ms}
	} else {
		last.id = g.above(last.id)
	}
	e, err := g.add(c, stream, last.id)
	if err == nil {
		last.id = e.id
	}
	return e, err
}
