package report

import (
	"fmt"
	"time"
)

// From and until when event times are taken for what they say: Kafka is younger.
var (
	plausibleFromMs  = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	plausibleUntilMs = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
)

func plausible(ms int64) bool { return plausibleFromMs <= ms && ms < plausibleUntilMs }

// inUnit says in which unit a timestamp that was taken for ms would be of this
// century, and which ms it would be then; empty where it is one of this century
// as it stands, or of none in any unit.
func inUnit(ms int64) (unit string, then int64) {
	switch {
	case plausible(ms):
	case 0 < ms && ms < plausibleUntilMs/1000 && plausible(ms*1000):
		return "seconds", ms * 1000
	case plausible(ms / 1000):
		return "microseconds", ms / 1000
	case plausible(ms / 1_000_000):
		return "nanoseconds", ms / 1_000_000
	}
	return "", 0
}

// units says which partitions have timestamps in another unit than ms, to all
// appearance.
func (t *text) units() []finding {
	var name, unit string
	var stamped, then, more int64
	for i := range t.Input.Partitions {
		p := &t.Input.Partitions[i]
		for _, ms := range []int64{p.MinMs, p.MaxMs} {
			u, at := inUnit(ms)
			if u == "" {
				continue
			}
			if name == "" {
				name, unit, stamped, then = fmt.Sprintf("%s/%d", short(p.Topic, 30), p.Partition), u, ms, at
			} else {
				more++
			}
			break
		}
	}
	if name == "" {
		return nil
	}
	words := fmt.Sprintf("%s has timestamps of %s UTC: not in milliseconds? In %s it would be %s", name, clock(stamped/1000), unit, clock(then/1000))
	if more > 0 {
		words += "; so it is with " + counted(more, "partition") + " more"
	}
	return []finding{{wrong, words}}
}
