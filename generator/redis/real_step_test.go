//go:build redis

package redis

import (
	"fmt"
	"math/rand/v2"
)

// step is a command of some kind that server and model carry out.
type step struct {
	kind string
	of   int64 // which key of those of this kind
	by   int64
	xadd xadd
}

// randomStep is any command, with XADD in one of these ways and with a ms that grows as the
// steps go on.
func randomStep(random *rand.Rand, i int, ways ...string) *step {
	c := &step{
		kind: []string{"incr", "expire", "lock", "unlock", "add", "add", "top"}[random.IntN(7)],
		of:   random.Int64N(2),
		by:   1 + random.Int64N(2000),
		xadd: xadd{how: ways[random.IntN(len(ways))], id: EntryID{uint64(random.IntN(2 + i/8)), uint64(random.IntN(4))}},
	}
	if c.kind == "add" && c.xadd.how == auto {
		// A stream that has gone by the clock is at today's date, so there are others for
		// it, which now and then are put where no clock is yet.
		c.of += 2
		if random.IntN(8) == 0 {
			c.xadd.how, c.xadd.id.Ms = given, c.xadd.id.Ms+1<<50
		}
	}
	if c.kind == "top" {
		c.of = random.Int64N(4)
	}
	return c
}

// onReal has the server carry it out. It gives the answer as text, refusals too, and how
// many writes that was; where the clock went into the answer, it notes its time.
func (c *step) onReal(r *realServer) (answer string, writes int) {
	r.t.Helper()
	switch c.kind {
	case "incr":
		return fmt.Sprint(r.do("INCRBY", fmt.Sprint("counter", c.of), c.by)), 1
	case "expire":
		r.do("MULTI")
		r.do("INCRBY", fmt.Sprint("counter", c.of), c.by)
		r.do("PEXPIRE", fmt.Sprint("counter", c.of), 600_000)
		return fmt.Sprint(r.do("EXEC").([]any)[0]), 1
	case "lock":
		if r.do("SET", fmt.Sprint("lock", c.of), 1, "NX", "PX", 600_000) == "OK" {
			return "true", 1
		}
		return "false", 0
	case "unlock":
		return "", int(r.do("DEL", fmt.Sprint("lock", c.of)).(int64))
	case "add":
		from := r.nowMs()
		id, err := r.xadd(fmt.Sprint("stream", c.of), c.xadd)
		if err != nil {
			return err.Error(), 0
		}
		if c.xadd.how == auto {
			c.xadd.id.Ms = min(max(id.Ms, uint64(from)), uint64(r.nowMs()))
		}
		return id.String(), 1
	}
	return r.top(fmt.Sprint("stream", c.of)).String(), 0
}

// onModel has the model carry it out, after a server has.
func (c *step) onModel(s *Server, atNs int64) (answer string, err error) {
	switch c.kind {
	case "incr":
		reply, err := s.Incr(atNs, Key{Counter, c.of, 0}, c.by, 0)
		return fmt.Sprint(reply.Value), err
	case "expire":
		reply, err := s.Incr(atNs, Key{Counter, c.of, 0}, c.by, 600_000*ms)
		return fmt.Sprint(reply.Value), err
	case "lock":
		got, err := s.TryLock(atNs, Key{Lock, c.of, 0}, 600_000*ms)
		return fmt.Sprint(got), err
	case "unlock":
		return "", s.Unlock(atNs, Key{Lock, c.of, 0})
	case "add":
		added, err := c.xadd.onModel(s, atNs, Key{Entries, c.of, 0})
		if err != nil {
			return err.Error(), nil
		}
		return added.ID.String(), nil
	}
	top, err := s.Top(atNs, Key{Entries, c.of, 0})
	return top.String(), err
}
