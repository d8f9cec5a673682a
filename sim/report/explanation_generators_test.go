package report

import (
	"bytes"
	"strings"
	"testing"

	"twindrift/generator"
	"twindrift/sim/result"
)

// A message that got no id is told as one, with the generator's reason, and ids
// that say neither a node nor local time are read without them.
func TestExplanationOfARefusal(t *testing.T) {
	digits := &result.Digits{OwnerSecondMs: eveningMs, Node: generator.NoNode, Sequence: 7}
	x := &result.Explanation{Asked: "orders/3@17", Found: true, Generator: "redis-streams event", UTCOffsetMs: 8 * 3_600_000, Messages: []result.ExplainedMessage{{
		Topic: "orders", Partition: 3, Offset: 17, EventMs: eveningMs, AppendMs: eveningMs,
		Sites: []result.MessageAtSite{
			{Site: "east", Deliveries: []result.ExplainedDelivery{{Node: 1, ArrivalMs: eveningMs, StartMs: eveningMs, DrawMs: eveningMs, NowMs: eveningMs,
				State: "refused", Kind: "equal-or-smaller", Drawn: "no id: Redis refused the write"}}},
			{Site: "west", Deliveries: []result.ExplainedDelivery{{Node: 2, ArrivalMs: eveningMs, StartMs: eveningMs, DrawMs: eveningMs, NowMs: eveningMs,
				State: "pushed", Kind: "drawn", ID: "1772449200000-7", Digits: digits, Drawn: "taken"}}},
		},
	}}}
	var got bytes.Buffer
	if err := Explanation(&got, x, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{
		"  refused     11:00:00.000\n              no id: Redis refused the write\n",
		"  digits      2026-03-02 11:00:00 UTC, sequence 7\n",
	} {
		if !strings.Contains(got.String(), words) {
			t.Errorf("does not say %q:\n%s", words, got.String())
		}
	}
	for _, words := range []string{"business filter", "node -1"} {
		if strings.Contains(got.String(), words) {
			t.Errorf("says %q:\n%s", words, got.String())
		}
	}
}
