package scenario

import (
	"strings"
	"testing"
)

// Options of a generator are its own, and each does something.
func TestGeneratorOptionsAreStrict(t *testing.T) {
	for yaml, want := range map[string]string{
		"{name: redis-streams, variant: event, streams: {max_seq: 3}}":     "generator.streams.max_seq: does nothing for redis-streams, variant event: it is of monotonic and monotonic-retry",
		"{name: redis-counter, counter: {block: 7}}":                       "generator.counter.block: does nothing",
		"{name: snowflake, variant: two-level, snowflake: {range: 7}}":     "generator.snowflake.range: does nothing",
		"{name: snowflake, snowflake: {call: 5ms}}":                        "generator.snowflake.call: does nothing",
		"{name: second-slot, redis: {shared: true}}":                       "generator.redis: second-slot, variant published has no such options; it takes none but those in generator itself",
		"{name: snowflake, step: 100}":                                     "generator.step: is of second-slot ids",
		"{name: redis-counter, counter: {time: then}}":                     `generator.counter.time: "then" is not one of its values`,
		"{name: redis-streams, variant: monotonic, streams: {max_seq: 0}}": "generator.streams.max_seq: 0 is out of range: from 1 to 1000000",
		"{name: redis-counter, redis: {outages: [{at: 1s, for: 0s}]}}":     "generator.redis.outages[0].for: 0s is no length of time",
		"{name: redis-counter, redis: {round_trip: -1ms}}":                 "generator.redis.round_trip: -1ms is negative",
		"{name: external}":                                        "generator: external, variant process needs options of its own",
		"{name: external, external: {command: []}}":               "generator.external.command: there is no program",
		"{name: external, external: {command: [a], timeout: 0s}}": "generator.external.timeout: 0s leaves no time",
		"{variant: corrected, corrected: {reach: 1500ms}}":        "generator.corrected.reach: 1.5s is not a whole number of seconds",
		"{name: second-slot}\nagainst: [{name: snowflake}, {name: redis-streams, snowflake: {range: 7}}]": "against[1].snowflake: redis-streams, variant event has no such options",
		"{name: second-slot}\nagainst: [{name: redis-counter, counter: {block: 7}}]":                      "against[0].counter.block: does nothing",
		"{variant: corrected}\nsites: [{name: a, consumers: [{node: 11}]}]":                               "sites[0].consumers[0].node: second-slot corrected: node 11: want 0 to 9",
		"{name: snowflake, variant: adaptive}\nsites: [{name: a, consumers: [{node: 1024}]}]":             "sites[0].consumers[0].node: ",
	} {
		if _, err := Parse("s.yaml", []byte("generator: "+yaml+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", yaml, err, want)
		}
	}
}

// The others of a comparison share the options that they have too.
func TestAgainst(t *testing.T) {
	s, err := Parse("s.yaml", []byte("generator: {name: redis-counter, redis: {shared: true, round_trip: 3ms}, counter: {time: event}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Generator.Against("snowflake/adaptive")
	if err != nil || g.Redis == nil || !g.Redis.Shared || g.Counter != nil || g.Snowflake == nil || g.Snowflake.Range != 1024 {
		t.Errorf("%+v, %v", g, err)
	}
	if g, err = s.Generator.Against("second-slot"); err != nil || g.Redis != nil || g.Variant != "published" {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err = s.Generator.Against("snowflake/adapted"); err == nil || !strings.Contains(err.Error(), "snowflake/adapted: ") {
		t.Errorf("error %v", err)
	}
}

// A scenario may list the others, each with options of its own.
func TestScenarioAgainst(t *testing.T) {
	s, err := Parse("s.yaml", []byte("against: [{name: snowflake, snowflake: {range: 512}}, {name: redis-streams, variant: monotonic, redis: {round_trip: 2ms}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Against; len(a) != 2 || a[0].Variant != "preallocated-published" || a[0].Snowflake.Range != 512 || a[0].Redis == nil || a[1].Streams.MaxSeq != 999 || a[1].Redis.RoundTrip != 2e6 {
		t.Errorf("%+v", a)
	}
}
