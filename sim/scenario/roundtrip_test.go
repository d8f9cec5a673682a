package scenario

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/sim/delay"
	"twindrift/sim/duration"
)

// randomDelay draws a distribution.
func randomDelay(t *rapid.T) delay.Dist {
	text := rapid.SampledFrom([]string{
		"0s", "20ms", "uniform:1ms,5ms", "normal:50ms,10ms", "lognormal:35ms,400ms", "exponential:20ms",
		"empirical:p50=10ms,max=1s", "mixture:(9*1ms|1*gamma:1ms,1s)", "daily:(00:00=1s;12:30=2s)", "empirical:@a b.parquet#lag: 2:ms",
		"empirical:1ms/2ms/4ms",
	}).Draw(t, "delay")
	d, err := delay.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// randomScenario draws a scenario that is right, of every field.
func randomScenario(t *rapid.T) Scenario {
	topics := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"orders", "trades", "on", "null", "2024", "a.b", "1e3", "~", "x: y", "#", "ü"}), 0, 4, rapid.ID)
	s := Default()
	s.Seed = rapid.Int64Range(0, 1<<53-1).Draw(t, "seed")
	s.Replications = rapid.Int64Range(1, 1000).Draw(t, "replications")
	s.Traffic = randomTraffic(t)
	s.Generator.Name = rapid.SampledFrom([]string{"second-slot", "consumption-time"}).Draw(t, "generator")
	s.Generator.UTCOffset = duration.Duration(rapid.Int64Range(-64800, 64800).Draw(t, "offset")) * 1e9
	s.Generator.Step = rapid.Int64Range(1, 1e6).Draw(t, "step")
	s.Generator.JumpLimit = rapid.Int64Range(0, 86400).Draw(t, "jump limit")
	s.Append.NoTimestamp = rapid.SampledFrom([]string{"append", "skip", "fail"}).Draw(t, "no timestamp")
	s.Deadline = duration.Duration(rapid.Int64Range(0, 1e9).Draw(t, "deadline")) * 1e6
	s.Filter.Keep = rapid.Float64Range(0, 1).Draw(t, "keep")
	for range rapid.IntRange(0, 3).Draw(t, "rules") {
		r := Rule{Partition: rapid.Ptr(rapid.Int32Min(0), true).Draw(t, "partition")}
		r.ValueLargerThan = rapid.Ptr(rapid.Int32Min(0), r.Partition != nil).Draw(t, "size")
		if rapid.Bool().Draw(t, "has key hash") {
			n := rapid.Int64Min(1).Draw(t, "N")
			r.KeyHashMod = []int64{n, rapid.Int64Range(0, n-1).Draw(t, "R")}
		}
		s.Filter.Drop = append(s.Filter.Drop, r)
	}
	if except := topics.Draw(t, "except"); len(except) > 0 {
		s.Store.Except = except
	}
	s.Sites = nil
	for i := range rapid.IntRange(1, 4).Draw(t, "sites") {
		site := NewSite(fmt.Sprintf("%s%d", rapid.StringMatching(`[a-zA-Z0-9_]{0,5}`).Draw(t, "name"), i))
		site.Link.Delay = randomDelay(t)
		for _, topic := range topics.Draw(t, "link topics") {
			if site.Link.Topics == nil {
				site.Link.Topics = map[string]delay.Dist{}
			}
			site.Link.Topics[topic] = randomDelay(t)
		}
		if site.Observed = rapid.IntRange(0, 4).Draw(t, "observed") == 0; site.Observed {
			site.Link = Link{}
		}
		site.Assignor = rapid.SampledFrom([]string{"range", "round-robin", "explicit"}).Draw(t, "assignor")
		for k := range rapid.IntRange(1, 4).Draw(t, "consumers") {
			c := Consumer{
				Node: rapid.Int32().Draw(t, "node"), Workers: rapid.IntRange(1, 10000).Draw(t, "workers"),
				Parallel: rapid.SampledFrom([]string{"messages", "partitions"}).Draw(t, "parallel"),
				Service:  randomDelay(t), Handling: randomDelay(t),
			}
			if site.Assignor == AssignExplicit {
				c.Partitions = []string{fmt.Sprintf("orders/%d-%d", 10*k, 10*k+9), fmt.Sprintf("t%d", k)}
			}
			if site.Observed {
				c.Service, c.Handling = delay.Dist{}, delay.Dist{}
			}
			site.Consumers = append(site.Consumers, c)
		}
		s.Sites = append(s.Sites, site)
	}
	return s
}

// randomTraffic draws changes that are right, of every field.
func randomTraffic(t *rapid.T) Traffic {
	var c Traffic
	c.defaults()
	moment := func(from, to int64) *Moment {
		if at := rapid.Int64Range(from, to).Draw(t, "moment"); rapid.Bool().Draw(t, "is instant") {
			return &Moment{Instant: true, UnixMs: at + 1_772_449_200_000}
		} else {
			return &Moment{After: duration.Duration(at * 1e6)}
		}
	}
	if rapid.Bool().Draw(t, "has only") {
		c.Only = []string{"orders/0-3", "2024", "ü/7"}
	}
	if rapid.Bool().Draw(t, "has from") {
		c.Window.From = moment(0, 1e6)
	}
	if rapid.Bool().Draw(t, "has to") {
		c.Window.To = moment(1e6+1, 1e9)
	}
	for range rapid.IntRange(0, 2).Draw(t, "bursts") {
		c.Burst = append(c.Burst, Burst{*moment(0, 1e9), duration.Duration(rapid.Int64Range(1, 1e9).Draw(t, "for") * 1e6), rapid.Float64Range(0, 1000).Draw(t, "scale")})
	}
	c.Repeat = rapid.IntRange(1, 100_000).Draw(t, "repeat")
	c.Scale = rapid.Float64Range(math.SmallestNonzeroFloat64, 1000).Draw(t, "scale")
	c.Spread = duration.Duration(rapid.Int64Range(0, 3_600_000).Draw(t, "spread") * 1e6)
	c.Shift = duration.Duration(rapid.Int64Range(-1e12, 1e12).Draw(t, "shift") * 1e6)
	return c
}

// A scenario is the same after a way through its YAML or its JSON (which is
// YAML too, and stands in results).
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomScenario(t)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		asYAML, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{asYAML, asJSON} {
			again, err := Parse("again", text)
			if err != nil {
				t.Fatalf("%v\nin\n%s", err, text)
			}
			if diff := cmp.Diff(s, again); diff != "" {
				t.Fatalf("read back it is another (-first +again):\n%s\nof\n%s", diff, text)
			}
		}
	})
}
