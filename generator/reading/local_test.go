package reading

import (
	"testing"
	"time"
)

func TestLocal(t *testing.T) {
	for offset, want := range map[string]struct{ zone, local string }{
		"8h":       {"+08:00", "2025-09-15T10:00:00+08:00"},
		"0s":       {"+00:00", "2025-09-15T02:00:00Z"},
		"-3h30m":   {"-03:30", "2025-09-14T22:30:00-03:30"},
		"8h5m10s":  {"+08:05:10", "2025-09-15T10:05:10+08:05:10"},
		"-8h5m10s": {"-08:05:10", "2025-09-14T17:54:50-08:05:10"},
		"-30s":     {"-00:00:30", "2025-09-15T01:59:30-00:00:30"},
	} {
		d, err := time.ParseDuration(offset)
		if err != nil {
			t.Fatal(err)
		}
		if got := Zone(d.Milliseconds()); got != want.zone {
			t.Errorf("%s: zone %s, want %s", offset, got, want.zone)
		}
		if got := Local(1757901600999, d.Milliseconds()); got != want.local {
			t.Errorf("%s: %s, want %s", offset, got, want.local)
		}
	}
}
