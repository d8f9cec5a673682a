package report

import (
	"bytes"
	"strings"
	"testing"
)

// Messages without timestamps are in no span and in no rate.
func TestInputWithoutTimestamps(t *testing.T) {
	for _, c := range []struct {
		share int64 // of the messages, one in so many has none
		want  string
		never string
	}{
		{1, "event time  no message has a timestamp\n", "most in one second"},
		{2, "  rate        100.0 a second on average over 30 min; most in one second: 412", "no message has"},
	} {
		r := evening("east", "west")
		in := &r.Input
		in.NoTimestamp = in.Messages / c.share
		in.MaxMs = in.MinMs + in.Messages/2*1000/100
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.String(), c.want) {
			t.Errorf("1 in %d without: the report has no %q", c.share, c.want)
		}
		if strings.Contains(got.String(), c.never) {
			t.Errorf("1 in %d without: the report has %q", c.share, c.never)
		}
	}
}
