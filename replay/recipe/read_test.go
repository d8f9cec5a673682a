package recipe

import (
	"strings"
	"testing"
)

// sound is a recipe that uses every field; tests change lines of it.
const sound = `seed: 7
start: 2026-03-02T20:00:00+08:00
length: 20m
topics:
  - name: orders
    partitions: 4
    rate: 150/s
    keys: {count: 50, skew: 1.1}
    value: {p50: 300, p99: 2000}
    timestamps: create
    jitter: 40ms
    late: {share: 2%, p50: 3s, p99: 40s, max: 5m}
    bursts:
      - {at: 10m, for: 30s, rate: 7000/s}
    stalls:
      - {at: "20:05", for: 2m, share: 25%, drain: 1s}
    resends:
      - {from: 0s, for: 1m, after: 15m}
  - name: prices
    shares: [3, 1]
    rate: {"00:00": 10/s, "20:10:00.5": 20/s}
`

func TestSoundRecipe(t *testing.T) {
	s, err := Parse("sound.yaml", []byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.topics) != 2 || s.seed != 7 {
		t.Errorf("%d topics, seed %d; want 2, 7", len(s.topics), s.seed)
	}
	// 150/s for 19.5 min, 7000/s for 30 s, the first minute again; 10/s and
	// 20/s on either side of 20:10:00.5.
	want := 150*19.5*60 + 7000*30.0 + 150*60 + 10*600.5 + 20*599.5
	if got := s.expected(); got < want-1e-6 || got > want+1e-6 {
		t.Errorf("%g messages expected, want %g", got, want)
	}
}

func TestErrorsNameThePlaceAndTheWayOut(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"    rate: 150/s", "    rat: 150/s", `r.yaml:7:5: unknown field "rat": did you mean "rate"?
    7 |     rat: 150/s
            ^`},
		{sound, "seed: 7\ndeadline: 5m\nsites: []", `r.yaml:2:1: this looks like a scenario, not a traffic recipe;
replay a capture by it with 'twindrift run -f SCENARIO.yaml CAPTURE'
    2 | deadline: 5m
        ^`},
		{"seed: 7", "sites: 7", `r.yaml:1:1: unknown field "sites"`},
		{"    rate: 150/s", "    colour: " + strings.Repeat("red", 70), `r.yaml:7:5: unknown field "colour"`},
		{"    rate: 150/s", "    colour: red", `r.yaml:7:5: unknown field "colour"
    7 |     colour: red
            ^`},
		{"rate: 150/s", "rate: 150", `r.yaml:7:11: "150" has no unit: say 150/s, 150/m, 150/h or 150/d
    7 |     rate: 150
                  ^`},
		{"rate: 7000/s}", "rate: -1/s}", `r.yaml:14:35: "-1/s" is negative`},
		{"rate: 150/s", "rate: lots/s", `r.yaml:7:11: "lots/s" is not a rate`},
		{"rate: 150/s", "rate: 1e9/s", `r.yaml:7:11: "1e9/s" is too high: at most 10000000/s`},
		{"rate: 150/s", "rate: [1/s, 2/s]", `r.yaml:7:11: a rate for each of the 24 hours of the day is wanted, not 2`},
		{"    rate: 150/s\n", "", `r.yaml:5:5: topic "orders" has no rate: say rate: 150/s`},
		{`"20:10:00.5": 20/s`, `"00:00:00": 20/s`, `r.yaml:21:27: the times of day of a rate must rise`},
		{`"20:10:00.5": 20/s`, `"24:10": 20/s`, `r.yaml:21:27: "24:10" is not a time of day: say "09:30"`},
		{"length: 20m", "length: 20", `r.yaml:3:9: "20" is not a duration: say 40ms, 15m or 1d12h`},
		{"length: 20m", "length: 20us", `r.yaml:3:9: "20us" is not a whole number of milliseconds`},
		{"length: 20m", "length: -2m", `r.yaml:3:9: "-2m" is negative`},
		{"length: 20m", "length: 99999d", `r.yaml:3:9: length is more than 20 years`},
		{"length: 20m\n", "", `r.yaml:1:1: length is missing`},
		{"start: 2026-03-02T20:00:00+08:00", "start: 2026-03-02 20:00", `r.yaml:2:8: "2026-03-02 20:00" is not a date and time with a zone: say 2026-03-02T20:00:00+08:00`},
		{"start: 2026-03-02T20:00:00+08:00", "start: 1926-03-02T20:00:00+08:00", `r.yaml:2:8: start must lie after 1970`},
		{"start: 2026-03-02T20:00:00+08:00\n", "", `r.yaml:1:1: start is missing`},
		{"name: prices", "name: orders", `r.yaml:19:11: topic "orders" is listed twice`},
		{"name: prices", `name: ""`, `r.yaml:19:11: the topic has no name`},
		{"partitions: 4", "partitions: 40000", `r.yaml:6:17: partitions must be 1 to 10000`},
		{"partitions: 4", "partitions: four", `r.yaml:6:17: `},
		{"shares: [3, 1]", "shares: [3, -1]", `r.yaml:20:13: shares must be numbers from 0 up, not all 0`},
		{"shares: [3, 1]", "{shares: [3, 1], partitions: 3}", `r.yaml:20:`},
		{"    partitions: 4", "    partitions: 4\n    shares: [1, 2]", `r.yaml:7:13: 2 shares for 4 partitions`},
		{"keys: {count: 50, skew: 1.1}", "keys: {count: 0}", `r.yaml:8:19: count, the number of keys, must be 1 to 1000000`},
		{"keys: {count: 50, skew: 1.1}", "keys: {skew: 1.1}", `r.yaml:8:11: count, the number of keys, must be`},
		{"skew: 1.1", "skew: -1", `r.yaml:8:29: skew must be 0 (all keys alike) to 20`},
		{"skew: 1.1", "weights: [1, 2]", `r.yaml:8:11: keys take either weights or count and skew`},
		{"keys: {count: 50, skew: 1.1}", "keys: {weights: [0, 0]}", `r.yaml:8:21: weights must be numbers from 0 up, not all 0`},
		{"keys: {count: 50, skew: 1.1}", "keys: {count: 1}\n    shares: [1, 1, 1, 1]", `has a share but none of the keys goes there: use more keys`},
		{"value: {p50: 300, p99: 2000}", "value: {p50: 300, p99: 20}", `r.yaml:9:12: the size of values must be 0 <= p50 <= p99`},
		{"value: {p50: 300, p99: 2000}", "value: big", `r.yaml:9:12: a number of bytes is wanted, or {p50: 300, p99: 2000}`},
		{"timestamps: create", "timestamps: broker", `r.yaml:10:17: timestamps are "broker": say create`},
		{"timestamps: create", "timestamps: log-append", `r.yaml:18:9: resends keep their timestamps, which log-append would overwrite: use timestamps: create`},
		{"share: 2%", "share: 200%", `r.yaml:12:19: "200%" is not a share: say 2% or 0.02; it lies between 0 and 1`},
		{"max: 5m", "max: 1s", `r.yaml:12:11: late needs 0 < p50 <= p99 and p50 <= max`},
		{"at: 10m", "at: 30m", `r.yaml:14:14: the burst lies outside the time of the recipe`},
		{"at: 10m", "at: noon", `r.yaml:14:14: "noon" is not a moment: a duration after the start (10m), a time of day ("23:50") or a date and time is wanted`},
		{"{at: 10m, for: 30s, rate: 7000/s}", "{at: 10m, for: 30s}", `r.yaml:14:9: a burst needs at, for and rate`},
		{`{at: "20:05", for: 2m`, `{at: "21:05", for: 2m`, `r.yaml:16:14: the stall lies outside`},
		{"after: 15m", "after: 0s", `r.yaml:18:9: a resend needs from, for and after`},
		{"from: 0s", "from: 2026-03-02T20:00:00Z", `r.yaml:18:16: the messages to send again lie outside`},
		{"seed: 7", "seed: 7\nseed: 8", `r.yaml:2:1: `},
		{"seed: 7", "seed: [", `r.yaml:`},
		{"seed: 7", "seed: 7\n---\nseed: 8", `r.yaml: one YAML document is wanted`},
		{sound, "", `r.yaml: one YAML document is wanted`},
		{"seed: 7", "seed: \xff", `r.yaml: this is no text, and a recipe is a YAML file`},
		{"seed: 7", "seed: \x00", `r.yaml: this is no text`},
		{"shares: [3, 1]", "shares: !0\n0", `r.yaml: this YAML cannot be read`},
		{sound, "- a", `r.yaml:1:`},
		{sound, "start: 2026-03-02T20:00:00Z\nlength: 1s\ntopics: [{name: a, rate: 0/s}]", `r.yaml:3:9: no topic has a rate above 0`},
		{sound, "start: 2026-03-02T20:00:00Z\nlength: 1s\ntopics: []", `r.yaml:3:9: topics are missing`},
	} {
		text := strings.Replace(sound, c.old, c.new, 1)
		if text == sound {
			t.Errorf("%q is not in the recipe", c.old)
			continue
		}
		_, err := Parse("r.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %q:\n%v\nwant\n%s", c.new, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte("start: 2026-03-02T20:00:00Z\nlength: 1s\ntopics: [{name: a, rate: 1/s}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f", data)
		if err == nil && !(s.expected() > 0) {
			t.Errorf("a recipe that expects %g messages was taken", s.expected())
		}
	})
}
