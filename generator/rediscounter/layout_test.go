package rediscounter

import (
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

func TestLayoutKnown(t *testing.T) {
	l := Layout{8 * 3_600_000}
	id := tenOClockS<<32 | 77
	if l.OwnerMs(id) != tenOClockMs || l.Count(id) != 77 || l.Node(id) != generator.NoNode || l.Name() != "redis-counter" {
		t.Errorf("%d: %d, %d, %d, %s", id, l.OwnerMs(id), l.Count(id), l.Node(id), l.Name())
	}
	if got, want := l.Text(id), "2025-09-15 10:00:00 local time, number 77 of the day"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	local := tenOClockS<<32 | 1<<31 | 1023<<21 | 999*2048 + 2047
	if f := l.Decode(local); !f.Local || f.Node != 1023 || f.Ms != 999 || f.Seq != 2047 || f.OwnerMs != tenOClockMs {
		t.Errorf("%+v", f)
	}
	if got, want := l.Text(local), "2025-09-15 10:00:00 local time, without redis: node 1023, number 2047 of ms 999; if redis counted it, number 4294918143 of the day"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if l.OwnerMs(-1) != (EpochS-1)*1000-l.UTCOffsetMs {
		t.Errorf("-1 is of %d", l.OwnerMs(-1))
	}
}

func TestDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Int64()).Draw(t, "ids")
		l := Layout{rapid.Int64Range(-maxUTCOffsetMs, maxUTCOffsetMs).Draw(t, "offset")}
		owner, nodes := make([]int64, len(ids)), make([]int64, len(ids))
		l.Digits(ids, owner, nodes)
		alone := make([]int64, len(ids))
		l.Digits(ids, alone, nil)
		for i, id := range ids {
			f := l.Decode(id)
			if owner[i] != l.OwnerMs(id) || alone[i] != owner[i] || nodes[i] != generator.NoNode || f.OwnerMs != owner[i] {
				t.Fatalf("%d: %d, %d, %+v", id, owner[i], nodes[i], f)
			}
			if back := (f.OwnerMs+l.UTCOffsetMs)/1000 - EpochS; back<<32|f.Count != id {
				t.Fatalf("%d comes back as %d", id, back<<32|f.Count)
			}
		}
	})
}
