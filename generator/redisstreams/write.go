package redisstreams

import (
	"twindrift/generator"
	"twindrift/generator/redis"
)

// stream is the one stream of the site, or with Sharded that of a partition.
func (g *Generator) stream(shard int64) redis.Key {
	return redis.Key{Name: redis.Entries, Of: g.site, Window: shard}
}

// add writes an entry with an id that the producer has chosen. Where the server refuses
// it and there is a retry, the entry gets an id above the stream's last one.
func (g *Generator) add(c call, stream redis.Key, id redis.EntryID) (entry, error) {
	if err := fits(id); err != nil {
		return entry{}, err
	}
	e, err := g.answer(g.server.Add(c.atNs, stream, id))
	if err != redis.ErrNotAbove && err != redis.ErrZeroID {
		return e, err
	}
	g.costs.Rejected++
	if !g.retry {
		return e, err
	}
	top, err := g.top(c, stream)
	if err != nil {
		return entry{}, err
	}
	id = g.above(top)
	if err := fits(id); err != nil {
		return entry{}, err
	}
	return g.answer(g.server.Add(c.atNs, stream, id))
}

// answer takes the answer to a write, and counts it.
func (g *Generator) answer(added redis.Added, err error) (entry, error) {
	e := entry{id: added.ID}
	if added.Again {
		e.kind = generator.CounterBack
	}
	if err != redis.ErrDown {
		g.costs.RoundTrips++
	}
	if added.New {
		g.costs.Keys++
	}
	return e, err
}

// top asks for the last id of a stream.
func (g *Generator) top(c call, stream redis.Key) (redis.EntryID, error) {
	top, err := g.server.Top(c.atNs, stream)
	if err == nil {
		g.costs.RoundTrips++
	}
	return top, err
}

// above is the next id: the next sequence number, and after the last of these the next ms.
func (g *Generator) above(id redis.EntryID) redis.EntryID {
	if id.Seq >= g.lastSeq {
		return redis.EntryID{Ms: id.Ms + 1}
	}
	return redis.EntryID{Ms: id.Ms, Seq: id.Seq + 1}
}

// count is the next id of a producer that numbers the messages of one ms while they come
// one after the other.
func (n *counter) count(eventMs int64) redis.EntryID {
	id := redis.EntryID{Ms: uint64(eventMs)}
	if n.any && n.id.Ms == id.Ms {
		id.Seq = n.id.Seq + 1
	}
	*n = counter{id, true}
	return id
}
