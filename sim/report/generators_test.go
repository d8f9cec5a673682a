package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"twindrift/generator"
	"twindrift/sim/result"
)

// sentences is a report in which no line is broken.
func sentences(t *testing.T, r *result.Result) string {
	t.Helper()
	var got bytes.Buffer
	if err := Text(&got, r, TextOptions{Width: 10_000}); err != nil {
		t.Fatal(err)
	}
	return got.String()
}

// What a report of generators that refuse, wait and cost says, and what it does
// not say, word by word.
func TestSentencesOfGenerators(t *testing.T) {
	none := evening("east", "west")
	for name, c := range map[string]struct {
		of        *result.Result
		says, not []string
	}{
		"streams": {streams(), []string{
			"  !!  west: 243,000 messages (75.0 %) got no id and are not in the list (equal-or-smaller 242,988, redis-down 12)\n",
			"  !!  east: 108,000 messages (33.3 %) got no id and are not in the list (equal-or-smaller 107,988, redis-down 12)\n",
			"  !   east and west: 9,511 ids for different messages in the streams of the two sites, as each stream has ids of its own (by design)\n",
			"  !   east and west: 157,000 messages stored at one of the two alone, 70,000 at both\n",
			"  !   west: 20 ids (0.025 %) pushed past their own time by a later id before them, by up to 2 h\n",
			"  !   west: 20 writes refused by Redis and written again, at 4 round trips for one id\n",
			"  ok  of those stored, no message is too late to be pushed (latest after 2.3 s; deadline 15 min)\n",
			"  ok  of those stored at both sites, every message has the same second at both (baseline: 6.2 % do not)\n",
			"  ok  of those that got an id, every message has one of its own second\n",
			"  ok  of those stored, ids stand in the order of the seconds of their messages\n",
			"2 OWNER SECONDS: ids of another second than their message\n",
			"  None: every id stands in the second of its message, and is what the generator promises.\n",
			"  None, by the generator or the baseline: every id of a site is of one message.\n",
			"  a Redis at each site; a command and its answer take 500 µs\n",
			"  Redis: does not answer from 2026-03-02 11:01:00.012 UTC on for 2 s\n",
			"    orders/3@4410: no id: equal-or-smaller\n",
			"consumed = filtered + refused + stored + store-off, and so on",
			"\n  refused    messages that the generator gave no id: ",
			"\n  costs      ",
			"so Redis refused the write",
			"by design: each stream has ids of its own",
		}, []string{"slot", "eadroom", "another node", "in the ids  ", "sorted-set", "own score", "waited", "service"}},
		"snowflakes": {snowflakes(), []string{
			"  !!  east and west, each: 40,509 ids not what the generator promises (zero-id 40,500, sequence-spill 9), 40,500 with another node's number\n",
			"  !!  east and west, each: 40,500 ids (12.5 %) of an earlier second than the draw, by up to 5,590 d\n",
			"  !   east and west, each: 810 ids (0.25 %) of a later second than the draw, by up to 4 s\n",
			"  !   west: 16,200 draws (5.0 %) waited, for up to 12 s (p99 of all 1.5 ms), which the lateness does not count\n",
			"  ok  no message is too late to be pushed (latest after 2.3 s; deadline 15 min)\n",
			"2 OWNER SECONDS: ids of another second than their draw\n",
			"  one Redis for all sites; a command and its answer take 2 ms\n",
			"  Redis: a replica takes over at 2026-03-02 11:02:00.012 UTC, without the last 3 writes\n",
			"as published, the first call of a new millisecond gets 0",
			"the rest runs into the digits of the worker",
			"less second of the site's clock at the draw",
			"ids that say another node",
		}, []string{"slot ", "eadroom", "in the ids  ", "handed out", "got no id", "of those stored", "of those that", "- refused", "east: 16,200 draws"}},
		"counters": {counters(), []string{
			"  !!  east and west: 85,526 ids for different messages at the two sites, 85,526 extra copies (separate 85,526)\n",
			"  ok  every id is of the second of its draw\n",
			"  separate: each site counts in a Redis of its own, so both come to the same numbers, and no digit of an id says which site gave it\n",
			"  in the ids  2026-03-02 19:00:00.012 to ",
		}, []string{"by design", "5 REFUSALS", "another node", "\n  costs "}},
		"refuser": {refuser(), []string{
			"  !!  east: 1 message (100 %) got no id and is not in the list (external 1)\n",
			"  !   no message is stored at any site, so there are no ids to compare\n",
			"5 REFUSALS AND COSTS: messages without an id, and what the ids have cost\n",
			"  No id was given.\n",
		}, []string{"  ok  ", "every id stands", "round trip"}},
		"second-slot": {none, []string{
			"  ok  every message has the same second at every site (baseline: 6.2 % do not)\n",
			"  ok  every id is of the second of its message\n",
		}, []string{"5 REFUSALS", "refused", "of those stored", "\n  costs "}},
	} {
		got := sentences(t, c.of)
		for _, words := range c.says {
			if !strings.Contains(got, words) {
				t.Errorf("%s does not say %q", name, words)
			}
		}
		for _, words := range c.not {
			if at := strings.Index(got, words); at >= 0 {
				t.Errorf("%s says %q: %q", name, words, got[max(0, at-80):min(len(got), at+80)])
			}
		}
	}
}

// The rows of part 5, with their figures at the east and at the west.
func TestRowsOfCosts(t *testing.T) {
	for name, c := range map[string]struct {
		of   *result.Result
		rows [][]string
	}{
		"streams": {streams(), [][]string{
			{"messages without an id", "108,000 (33.3 %)", "243,000 (75.0 %)"},
			{"equal-or-smaller", "107,988", "242,988"},
			{"redis-down", "12", "12"},
			{"round trips to Redis", "324,040", "324,040"},
			{"for one id", "1.5", "4"},
			{"ids for one of them", "0.6666", "0.25"},
			{"keys left in Redis for good", "1", "1"},
			{"writes that Redis refused", "107,988", "243,008"},
			{"of them written again", "none", "20"},
			{"pushed past their own time", "none", "20 (0.025 %)"},
			{"by at most", "2 h"},
		}},
		"snowflakes": {snowflakes(), [][]string{
			{"round trips to Redis", "259,200", "259,200"},
			{"for one id", "0.8", "0.8"},
			{"ids for one of them", "1.25", "1.25"},
			{"trips to the allocation service", "17", "17"},
			{"numbers reserved and never given", "5,115", "none"},
			{"draws that waited", "16,200 (5.0 %)", "16,200 (5.0 %)"},
			{"all their waits together", "2 h 15 min", "2 h 15 min"},
			{"wait of all draws"},
			{"median", "0 µs", "0 µs"},
			{"p99", "1.5 ms", "1.5 ms"},
			{"largest", "999 ms", "12 s"},
		}},
	} {
		_, part, _ := strings.Cut(sentences(t, c.of), "5 REFUSALS")
		part, _, _ = strings.Cut(part, "BETWEEN THE SITES")
		var got []string
		for l := range strings.Lines(part) {
			got = append(got, strings.Join(strings.Fields(l), " "))
		}
		at := 0
		for _, row := range c.rows {
			want := strings.Join(row, " ")
			for at < len(got) && got[at] != want {
				at++
			}
			if at == len(got) {
				t.Errorf("%s: no row %q, at least not in its place, in\n%s", name, want, part)
				break
			}
		}
	}
}

// Every way in which a generator can fail has its words, and no others have.
func TestEveryKindHasItsWords(t *testing.T) {
	named := map[string]bool{}
	for kind := generator.Drawn + 1; kind < generator.Kinds; kind++ {
		words := meaning(kind.String(), "")
		if kind.Refused() {
			words = reasons[kind.String()]
			named[kind.String()] = true
		}
		if words == "" {
			t.Errorf("no words for %s", kind)
		}
	}
	for reason := range reasons {
		if !named[reason] {
			t.Errorf("words for %q, which no generator says", reason)
		}
	}
	for layout, of := range causesOf {
		for cause := range of {
			if causes[cause] == "" {
				t.Errorf("%s has words for %q, which is no cause", layout, cause)
			}
		}
	}
}

// A result file of before there were other generators than second-slot gives the
// text that it gave.
func TestTextOfAResultOfBefore(t *testing.T) {
	for name, r := range map[string]*result.Result{"quiet": evening("east", "west"), "burst": marketOpen(), "two-midnights": twoMidnights()} {
		var file bytes.Buffer
		if err := JSON(&file, r); err != nil {
			t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(file.Bytes(), &all); err != nil {
			t.Fatal(err)
		}
		for _, site := range all["sites"].(map[string]any) {
			site := site.(map[string]any)
			delete(site["push"].(map[string]any), "refused")
			for _, lane := range []map[string]any{site, site["baseline"].(map[string]any)} {
				for _, field := range []string{"id_layout", "stored", "refusals", "costs"} {
					if _, ok := lane[field]; !ok {
						t.Fatalf("%s: a lane has no %s", name, field)
					}
					delete(lane, field)
				}
			}
		}
		b, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		old, err := ReadJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want, got := sentences(t, r), sentences(t, old); want != got {
			t.Errorf("%s: other than with the fields of today:\n%s", name, got)
		}
	}
}

func TestMicros(t *testing.T) {
	for us, want := range map[int64]string{
		0: "0 µs", 999: "999 µs", -7: "-7 µs", 1000: "1 ms", 1500: "1.5 ms", 9949: "9.9 ms", 10_000: "10 ms",
		999_999: "999 ms", 1_000_000: "1 s", 12_000_000: "12 s", 3_600_000_000: "1 h",
	} {
		if got := micros(us); got != want {
			t.Errorf("%d µs: %q, want %q", us, got, want)
		}
	}
}

// What a restart loses is slots only where there are any.
func TestRestartWithoutSlots(t *testing.T) {
	for _, c := range []struct {
		of   *result.Result
		want string
	}{{evening("east"), "its slots lost"}, {of(evening("east"), "snowflake", "adaptive", "snowflake", nil), "its state lost"}} {
		var sites []any
		if err := json.Unmarshal([]byte(`[{"name": "east", "consumers": [{"node": 1, "restarts": [{"at": "1m", "state": "lost"}]}]}]`), &sites); err != nil {
			t.Fatal(err)
		}
		c.of.Scenario.(map[string]any)["sites"] = sites
		if got := sentences(t, c.of); !strings.Contains(got, c.want) {
			t.Errorf("%s does not say %q", c.of.Sites["east"].Generator, c.want)
		}
	}
}

// Over replications the messages without an id are a figure of their own, where
// there are any.
func TestReplicationsOfRefusals(t *testing.T) {
	for want, r := range map[bool]*result.Result{false: evening("east", "west"), true: streams()} {
		r.Replications = replicatedEvening().Replications
		r.Replications.Figures["sites.west.push.refused"] = &result.Estimate{Mean: new(243_000.0), SD: new(10.0), Low: new(242_990.0), High: new(243_010.0), Defined: r.Replications.N}
		got := strings.Join(strings.Fields(sentences(t, r)), " ")
		if says := strings.Contains(got, "messages without an id 0 243,000 ± 10"); says != want {
			t.Errorf("says how many messages had no id: %v, want %v", says, want)
		}
	}
}
