package threshold

import (
	"fmt"
	"strings"
	"testing"

	"twindrift/sim/result"
)

// evening is a result with some figures.
func evening() *result.Result {
	tau := 0.9991
	site := func(name string, late int64) *result.Site {
		s := &result.Site{Name: name, Push: result.Push{Consumed: 1000, Late: late}}
		s.Push.Lateness = &result.Summary{N: 1000, P99: 400, Max: 900_001}
		s.Overflow.Offset = &result.Summary{Max: 7}
		s.Overflow.Nodes = []result.NodeOverflow{{Node: 1, MaxOffset: 3}, {Node: 3, MaxOffset: 7}}
		s.Duplicates.ByCause = map[string]int64{"day-end": 0, "stale-day": late}
		s.Order.TauB = map[string]*float64{"1ms": nil, "1s": &tau}
		return s
	}
	return &result.Result{
		Input:     result.Input{Messages: 1000},
		SiteNames: []string{"east", "west"},
		Sites:     map[string]*result.Site{"east": site("east", 0), "west": site("west", 2)},
		PairNames: []string{"east-west"},
		Between:   map[string]*result.Between{"east-west": {A: "east", B: "west", Both: 1000, PairLane: result.PairLane{SameIDShare: 0.25}}},
		Checks:    []result.Check{{Name: "sums", Passed: true}},
		Notes:     []string{"a note"},
	}
}

// words is a verdict in one line.
func words(v result.Threshold) string {
	text := v.Verdict
	for _, x := range v.Values {
		value := "null"
		if x.Value != nil {
			value = fmt.Sprint(*x.Value)
		}
		text += fmt.Sprintf("; %s %s", x.Path, value)
	}
	return text
}

func judge(t *testing.T, r *result.Result, expression string) string {
	t.Helper()
	e, err := Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Judge(r)
	if check := e.Check(r); (check == nil) != (err == nil) || err != nil && err.Error() != check.Error() {
		t.Errorf("%s: Judge says %v, Check %v", expression, err, check)
	}
	if err != nil {
		return err.Error()
	}
	if v.Expression != expression {
		t.Errorf("the verdict is about %q", v.Expression)
	}
	return words(v)
}

func TestJudge(t *testing.T) {
	for expression, want := range map[string]string{
		"input.messages == 1000":                             "pass; input.messages 1000",
		"input.messages != 1000":                             "fail; input.messages 1000",
		"input.messages < 1000":                              "fail; input.messages 1000",
		"input.messages <= 1000":                             "pass; input.messages 1000",
		"input.messages > 1000":                              "fail; input.messages 1000",
		"input.messages >= 1000":                             "pass; input.messages 1000",
		"sites.east.push.late == 0":                          "pass; sites.east.push.late 0",
		"sites.*.push.late == 0":                             "fail; sites.west.push.late 2",
		"sites.*.push.late != 7":                             "pass; sites.west.push.late 2",
		"sites.*.push.late < 3":                              "pass; sites.west.push.late 2",
		"sites.*.push.late >= 0":                             "pass; sites.east.push.late 0",
		"sites.*.push.late == 0 and input.messages > 1":      "fail; sites.west.push.late 2; input.messages 1000",
		"sites.*.overflow.nodes[*].max_offset_s <= 5s":       "fail; sites.east.overflow.nodes[1].max_offset_s 7",
		"sites.east.overflow.nodes[0].max_offset_s < 5000ms": "pass; sites.east.overflow.nodes[0].max_offset_s 3",
		"sites.east.overflow.nodes[2].max_offset_s < 5":      "not enough data; sites.east.overflow.nodes[2].max_offset_s null",
		"sites.east.push.lateness_ms.max <= 15m":             "fail; sites.east.push.lateness_ms.max 900001",
		"sites.east.push.lateness_ms.max <= 900001":          "pass; sites.east.push.lateness_ms.max 900001",
		"sites.east.overflow.offset_s.max < 10s":             "pass; sites.east.overflow.offset_s.max 7",
		"sites.east.overflow.hops.max < 10":                  "not enough data; sites.east.overflow.hops.max null",
		`sites.*.duplicates.by_cause["stale-day"] == 0`:      "fail; sites.west.duplicates.by_cause.stale-day 2",
		"sites.west.duplicates.by_cause.* <= 2":              "pass; sites.west.duplicates.by_cause.stale-day 2",
		`sites.east.order.tau_b["1s"] >= 0.999`:              "pass; sites.east.order.tau_b.1s 0.9991",
		`sites.east.order.tau_b["1ms"] >= 0.999`:             "not enough data; sites.east.order.tau_b.1ms null",
		"sites.east.order.tau_b.* >= 0.9":                    "not enough data; sites.east.order.tau_b.1ms null",
		"sites.east.order.tau_b.* >= 1":                      "fail; sites.east.order.tau_b.1s 0.9991",
		"between.east-west.same_id_share <= 25%":             "pass; between.east-west.same_id_share 0.25",
		"between.east-west.tau_b.1s > 0":                     "not enough data; between.east-west.tau_b.1s null", // an empty map
		"sites.east.lag[*].max_lag_ms < 1h":                  "not enough data; sites.east.lag.*.max_lag_ms null",
	} {
		if got := judge(t, evening(), expression); got != want {
			t.Errorf("%s:\n got %s\nwant %s", expression, got, want)
		}
	}
}

// Without a message there is nothing to say of sites, though counts are 0.
func TestNoMessages(t *testing.T) {
	r := evening()
	r.Input.Messages = 0
	for expression, want := range map[string]string{
		"sites.east.push.late == 0":                        "not enough data; sites.east.push.late null",
		"between.east-west.both == 0":                      "not enough data; between.east-west.both null",
		"input.messages == 0":                              "pass; input.messages 0",
		"sites.*.push.late == 0":                           "not enough data; sites.east.push.late null",
		"input.messages > 0 and sites.east.push.late == 0": "fail; input.messages 0; sites.east.push.late null",
	} {
		if got := judge(t, r, expression); got != want {
			t.Errorf("%s:\n got %s\nwant %s", expression, got, want)
		}
	}
}

func TestWrongFigures(t *testing.T) {
	for expression, want := range map[string]string{
		"site.east.push.late == 0":                 `column 1: a result has no field "site"; did you mean sites?`,
		"sites.est.push.late == 0":                 `column 7: sites has no "est"; did you mean east?`,
		"sites.tokyo.push.late == 0":               `column 7: sites has no "tokyo"; there are east, west`,
		"sites.east.dupliactes.ids == 0":           `column 12: sites.east has no field "dupliactes"; did you mean duplicates?`,
		"sites.east.overflow.hops.maxi == 0":       `column 26: sites.east.overflow.hops has no field "maxi"; did you mean max?`, // though there is nothing below hops
		"sites.east.lag[3].max_lag == 0":           `column 19: sites.east.lag[3] has no field "max_lag"; did you mean max_lag_ms?`,
		`sites.east.order.tau_b["2s"] > 0`:         `column 24: sites.east.order.tau_b has no "2s"; did you mean 1s?`,
		"input.disorder == 0":                      "column 7: input.disorder is no number: name one of its fields: reordered, share, max_behind_ms",
		"sites == 0":                               "column 1: sites is no number: name one of it, or sites.* for all",
		"sites.east.duplicates.by_cause == 0":      "column 23: sites.east.duplicates.by_cause is no number: name one of it, or sites.east.duplicates.by_cause.* for all",
		"sites.east.lag == 0":                      "column 12: sites.east.lag is a list: write sites.east.lag[0] for its first element, or sites.east.lag[*] for all",
		"sites.east.lag.draws == 0":                "column 16: sites.east.lag is a list: write sites.east.lag[0] for its first element, or sites.east.lag[*] for all",
		"sites[0].push.late == 0":                  `column 7: sites is no list: write a name, as in ["0"]`,
		"input.disorder.*.x == 0":                  "column 16: input.disorder is no list: name one of its fields: reordered, share, max_behind_ms",
		"sites.east.name == 0":                     "column 12: sites.east.name is text: only numbers can be compared",
		"checks[0].passed == 1":                    "column 11: checks[0].passed is true or false: only numbers can be compared",
		"scenario.seed == 1":                       "column 10: scenario is what was asked for, not what was found: nothing is below it",
		"input.messages.x == 1":                    "column 16: input.messages is a number: nothing is below it",
		"notes[0].x == 1":                          "column 10: notes[0] is text: nothing is below it",
		"input.messages < 5m":                      "column 18: 5m is a length of time, and messages is not counted in one: write a plain number",
		"sites.east.overflow.hops.max < 1s":        "column 32: 1s is a length of time, and hops is not counted in one: write a plain number",
		"sites.*.push.late == 0 and sites.a.b > 1": `column 34: sites has no "a"; there are east, west`,
	} {
		got := judge(t, evening(), expression)
		got, _ = strings.CutPrefix(got, fmt.Sprintf("threshold %q, ", expression))
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", expression, got, want)
		}
	}
}
