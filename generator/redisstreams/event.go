package redisstreams

import "twindrift/generator/redis"

// writeEvent says the event time and a number that the producer counts for it: one more
// than that of the last message where that had the same ms, and 0 otherwise. After a retry
// it counts on from the id that was written.
func (g *Generator) writeEvent(c call) (entry, error) {
	return g.addCounted(c, g.counter(0), g.stream(0))
}

// writeSharded is writeEvent with a stream and a count for each partition.
func (g *Generator) writeSharded(c call) (entry, error) {
	return g.addCounted(c, g.counter(c.partition), g.stream(1+int64(c.partition)))
}

func (g *Generator) addCounted(c call, n *counter, stream redis.Key) (entry, error) {
	e, err := g.add(c, stream, n.count(c.eventMs))
	if err == nil {
		n.id = e.id
	}
	return e, err
}
