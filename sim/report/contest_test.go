package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"twindrift/sim/result"
)

// contestOf is a comparison of three generators, the last of which refuses messages.
func contestOf(replications int) *result.Contest {
	c := &result.Contest{Format: result.ContestFormat, Version: result.ContestVersion, Messages: 324_000, SiteNames: []string{"east", "west"},
		Replications: replications, Confidence: 0.95}
	add := func(generator string, values map[string]float64, differs string) *result.Contestant {
		g := result.Contestant{Generator: generator, Figures: map[string]*result.ContestValue{}}
		for _, f := range result.ContestFigures {
			v := values[f.Name]
			g.Figures[f.Name] = &result.ContestValue{Value: &v}
			if replications > 1 && generator != "second-slot published" {
				mean, low, high := 0.0, -1.0, 1.0
				if f.Name == differs {
					mean, low, high = 12, 10, 14
				}
				g.Figures[f.Name].Difference = &result.Estimate{Mean: &mean, Low: &low, High: &high}
			}
		}
		c.Generators = append(c.Generators, g)
		return &c.Generators[len(c.Generators)-1]
	}
	first := add("second-slot published", map[string]float64{"recall_1s": 1, "undrawn": 55_058, "extra_copies": 55_061, "extra_copies_between": 12, "max_offset_s": 86_400, "late": 3}, "")
	first.Figures["extra_copies"].Worst = true
	first.NotDrawnBy, first.ByCause = map[string]int64{"day-end": 55_000, "jump-limit": 58}, map[string]int64{"day-end": 55_061}
	first.BetweenBy = map[string]int64{"day-end": 12}
	second := add("second-slot corrected", map[string]float64{"recall_1s": 0.999, "max_offset_s": 9}, "")
	second.Figures["extra_copies"].Best = true
	third := add("redis-streams partition-coded-retry", map[string]float64{"discordant_share_1s": 0.00081, "refused": 1_234_567, "shared_scores": 7,
		"round_trips_per_id": 1.65, "longest_wait_ms": 20_000, "rejected_writes": 1_234_567}, "wasted")
	third.RefusedBy = map[string]int64{"equal-or-smaller": 1_234_500, "redis-down": 67}
	third.Figures["recall_1s"].Value = nil
	return c
}

func TestContestText(t *testing.T) {
	for name, c := range map[string]struct {
		contest *result.Contest
		brief   bool
	}{
		"contest": {contestOf(1), false}, "contest-replicated": {contestOf(5), false}, "contest-short": {contestOf(1), true},
	} {
		var b bytes.Buffer
		if err := ContestText(&b, c.contest, c.brief, TextOptions{Captures: []string{"evening.parquet"}}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := gocmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s differs (-want +got); if it should, run go test with -update:\n%s", path, d)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if columns(line) > 80 {
				t.Errorf("%s: %d columns: %s", name, columns(line), line)
			}
		}
	}
}

// What the text says of the figures.
func TestContestSentences(t *testing.T) {
	var b bytes.Buffer
	if err := ContestText(&b, contestOf(5), false, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"twindrift: 324,000 messages, 2 sites, 3 generators",
		"second-slot published 0 55,061! 12",
		"second-slot corrected 0 0* 0",
		"The tables are of the first of 5 replications.",
		"second-slot published no proper ids (day-end 55,000, jump-limit 58); extra copies at a site (day-end 55,061); extra copies between sites (day-end 12)",
		"second-slot corrected nothing: every message has an id, and every id is of one message",
		"redis-streams partition-coded-retry messages without an id (equal-or-smaller 1,234,500, redis-down 67); ids without a score of their own (7)",
		"DIFFERENT FROM second-slot published",
		"second-slot corrected nothing",
		"redis-streams partition-coded-retry numbers wasted +12.0 ± 2.0",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q", want)
		}
	}
}

func TestContestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := ContestJSON(&b, contestOf(5)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"format": "twindrift-generators"`, `"refused_by_reason": {}`, `"value": null`, `"difference": null`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the JSON", want)
		}
	}
}
