package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"twindrift/sim/result"
)

// Whatever there is to tell, no line is longer than 80 columns, and the JSON
// reads back.
func TestExplanationFitsThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyExplanation(t)
		var text, out bytes.Buffer
		if err := Explanation(&text, x, TextOptions{Color: rapid.Bool().Draw(t, "color")}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			line = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), plain), bold)
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Fatalf("%d columns: %s", n, line)
			}
		}
		if err := ExplanationJSON(&out, x); err != nil {
			t.Fatal(err)
		}
		var back result.Explanation
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || strings.Contains(out.String(), "\"sites\": null") {
			t.Fatalf("error %v in\n%s", err, out.String())
		}
	})
}

// anyExplanation is one with anything in its fields.
func anyExplanation(t *rapid.T) *result.Explanation {
	number := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, -1, 1, math.MinInt64, math.MaxInt64, 1_772_540_000_000}))
	word := rapid.SampledFrom([]string{"", "east", "topic-" + strings.Repeat("long", 60), "a b c\td\x1b[31m", "日本"})
	int64Of := func(name string) int64 { return number.Draw(t, name) }
	wordOf := func(name string) string { return word.Draw(t, name) }
	digits := result.Digits{OwnerSecondMs: int64Of("owner"), Node: int64Of("node"), Sequence: int64Of("seq"), Rest: int64Of("rest")}
	witness := result.Witness{Site: wordOf("site"), Topic: wordOf("topic"), Offset: int64Of("offset"), EventMs: int64Of("event"), DrawMs: int64Of("draw"), ID: wordOf("id"), Detail: wordOf("detail")}
	copies := []result.IDCopy{{Witness: witness}, {Witness: witness, Cause: wordOf("cause")}}
	by := map[string]int64{"stale-day": int64Of("stale"), "restart": int64Of("restart")}
	kind := rapid.SampledFrom([]string{"full", "full", "room", "stale", "later-day"})
	var walk []result.SlotRead
	for range rapid.IntRange(0, 4).Draw(t, "slots") {
		walk = append(walk, result.SlotRead{SecondMs: int64Of("second"), Day: wordOf("day"), IDs: int64Of("ids"), Found: kind.Draw(t, "found"), JumpToMs: int64Of("jump")})
	}
	delivery := result.ExplainedDelivery{
		Reason: wordOf("reason"), ArrivalMs: int64Of("arrival"), LinkNs: int64Of("link"), Link: wordOf("link"), StartMs: int64Of("start"),
		WaitNs: int64Of("wait"), Wait: wordOf("wait"), DrawMs: int64Of("draw"), HandlingNs: int64Of("handling"), NowMs: int64Of("now"),
		State: rapid.SampledFrom(result.DeliveryStateNames[:]).Draw(t, "state"), AgeMs: int64Of("age"), ID: "7", Digits: &digits, Kind: "drawn", Walk: walk, Drawn: wordOf("drawn"),
	}
	filtered := delivery
	filtered.ID, filtered.Digits, filtered.Walk, filtered.State = "", nil, nil, "filtered"
	return &result.Explanation{
		Asked: wordOf("asked"), Found: rapid.Bool().Draw(t, "found"), Generator: "second-slot published", UTCOffsetMs: int64Of("offset") % 64_800_000,
		Missing: wordOf("missing"), Below: &witness, OtherMessages: int64Of("others"),
		IDs: []result.ExplainedID{{ID: "7", Digits: digits,
			Sites:   []result.IDAtSite{{Site: wordOf("site"), Stored: int64Of("stored"), NotStored: int64Of("not"), ExtraCopies: int64Of("extra"), ByCause: by, Copies: copies}},
			Between: []result.IDBetween{{A: wordOf("a"), B: wordOf("b"), ByCause: by, Original: witness, Copies: copies}},
			Causes:  []result.ExplainedRule{{Cause: "stale-day", Text: wordOf("rule")}}}},
		Messages: []result.ExplainedMessage{{Topic: wordOf("topic"), Offset: int64Of("offset"), EventMs: int64Of("event"), AppendMs: int64Of("append"),
			Sites: []result.MessageAtSite{{Site: wordOf("site")}, {Site: "west", Deliveries: []result.ExplainedDelivery{delivery, filtered}}}}},
	}
}
