package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"twindrift/sim/result"
)

// troubled is an evening on which about everything goes wrong.
func troubled(t *testing.T) *result.Result {
	r := evening("east", "west")
	if err := json.Unmarshal([]byte(`{"store": {"member": "key"}, "sites": [
		{"name": "east", "link": {"delay": "0s"},
		 "consumers": [
			{"node": 1, "workers": 4, "parallel": "partitions", "service": "mixture:(9*2ms|1*lognormal:8ms,90ms)", "handling": "1ms", "commit": "0s",
			 "restarts": [{"at": "1m", "down": "2s", "state": "lost"}, {"at": "2m", "down": "0s", "state": "kept"},
				{"at": "2026-03-02T11:30:00Z", "down": "0s", "state": "snapshot", "age": "90s"}, {"at": "35m", "down": "0s", "state": "lost"}, {"at": "36m", "down": "0s", "state": "lost"}]},
			{"node": 3, "workers": 1, "parallel": "messages", "service": "0s", "handling": "0s", "commit": "5s",
			 "stalls": [{"at": "5m", "for": "30s"}]}],
		 "rebalances": [{"at": "20m", "partitions": ["orders/0-3", "trades"], "to": 3}]},
		{"name": "west", "link": {"delay": "lognormal:35ms,400ms", "outages": [{"at": "10m", "for": "12m"}]},
		 "consumers": [{"node": 2, "workers": 1, "service": "0s", "handling": "0s", "commit": "5s"}],
		 "redelivery": {"probability": 0.02, "after": "3s"},
		 "clock": {"error": "-200ms", "drift_ppm": 20, "steps": [{"at": "15m", "by": "-2s"}, {"at": "16m", "by": "2s"}, {"at": "17m", "by": "1s"}, {"at": "18m", "by": "1s"}]}}
	]}`), &r.Scenario); err != nil {
		t.Fatal(err)
	}
	east, west := r.Sites["east"], r.Sites["west"]
	east.Push.Again, east.List.SeveralIDs, east.List.Overwritten = 700, 650, 700
	west.Push.Again, west.Push.Early = 7200, 4000
	west.Lag[20].MaxLagMs = 12 * minuteMs
	east.Consumers[0].MaxWaitMs, east.Lag[3].MaxLagMs = 19_000, 19_000
	return r
}

func TestTextOfTrouble(t *testing.T) {
	var got bytes.Buffer
	if err := Text(&got, troubled(t), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	top, _, _ := strings.Cut(got.String(), "\n1 MACRO-ORDER")
	golden(t, "trouble.txt", []byte(top))
}

// A scenario that cannot be read, of another version say, is not told of, and
// does not keep the figures from being told.
func TestTextWithoutAScenarioItKnows(t *testing.T) {
	for _, scenario := range []any{
		nil, "none", []any{}, map[string]any{"sites": "two"},
		map[string]any{"sites": []any{map[string]any{"consumers": "one"}, map[string]any{"clock": 7}}},
	} {
		r := troubled(t)
		r.Scenario = scenario
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.String(), "deliveries of messages that had been drawn before; ") {
			t.Errorf("%v:\n%.1500s", scenario, got.String())
		}
	}
}
