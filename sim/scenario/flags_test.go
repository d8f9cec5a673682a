package scenario

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"twindrift/sim/duration"
)

// short writes the sites of a scenario in one line each.
func short(s Scenario) string {
	var lines []string
	for _, site := range s.Sites {
		var consumers []string
		for _, c := range site.Consumers {
			text := fmt.Sprint(c.Node)
			if c.Workers != 1 {
				text += fmt.Sprint(" x", c.Workers)
			}
			if !c.Service.IsZero() || !c.Handling.IsZero() {
				text += fmt.Sprintf(" %v %v", c.Service, c.Handling)
			}
			consumers = append(consumers, text)
		}
		lines = append(lines, fmt.Sprintf("%s(%v: %s)", site.Name, site.Link.Delay, strings.Join(consumers, " + ")))
	}
	return strings.Join(lines, " ")
}

func TestFromFlags(t *testing.T) {
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{Flags{}, "east(0s: 1) west(lognormal:35ms,400ms: 2)"},
		{Flags{Node: "1,1"}, "east(0s: 1) west(lognormal:35ms,400ms: 1)"},
		{Flags{Node: "7"}, "east(0s: 7) west(lognormal:35ms,400ms: 7)"},
		{Flags{Node: "1,2,3"}, "east(0s: 1) west(lognormal:35ms,400ms: 2) site3(lognormal:35ms,400ms: 3)"},
		{Flags{Node: "1+3,2+4", Delay: "0s, 20ms", Workers: "1,4"}, "east(0s: 1 + 3) west(20ms: 2 x4 + 4 x4)"},
		{Flags{Sites: "tokyo"}, "tokyo(0s: 1)"},
		{Flags{Sites: "tokyo, osaka,kobe", Node: "-1", Delay: "uniform:1ms,2ms"}, "tokyo(uniform:1ms,2ms: -1) osaka(uniform:1ms,2ms: -1) kobe(uniform:1ms,2ms: -1)"},
		{Flags{Delay: "0s,lognormal:1ms,2ms,exponential:5ms,1s"}, "east(0s: 1) west(lognormal:1ms,2ms: 2) site3(exponential:5ms: 3) site4(1s: 4)"},
		{Flags{Service: "50us", Handling: "0s,normal:1ms,1ms"}, "east(0s: 1 50us 0s) west(lognormal:35ms,400ms: 2 50us normal:1ms,1ms)"},
	} {
		s, err := FromFlags(c.flags)
		if err != nil {
			t.Errorf("%+v: %v", c.flags, err)
		} else if got := short(s); got != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.flags, got, c.want)
		}
	}
}

func TestNoFlagsIsDefault(t *testing.T) {
	s, err := FromFlags(Flags{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), s); diff != "" {
		t.Errorf("no flags are not the default (-default +flags):\n%s", diff)
	}
}

// A flag goes over the file, and leaves the rest of the file as it is.
func TestApply(t *testing.T) {
	read := func() Scenario {
		s, err := Read("testdata/everything.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	got, want := read(), read()
	flags := Flags{
		Scale: "0.5", Window: "..1h", Only: "orders/1, trades", Thresholds: []string{"input.messages > 0"},
		Seed: "9", Replications: "3", Deadline: "1m", Generator: "second-slot", Sites: "a,b", Node: "4+5,6", Delay: "1ms,2ms",
	}
	if err := flags.Apply(&got); err != nil {
		t.Fatal(err)
	}
	want.Seed, want.Replications, want.Deadline, want.Generator.Name = 9, 3, 60e9, "second-slot"
	want.Traffic.Scale, want.Traffic.Only = 0.5, []string{"orders/1", "trades"}
	want.Traffic.Window = Window{To: &Moment{After: duration.Duration(time.Hour)}}
	want.Thresholds = append(want.Thresholds, "input.messages > 0")
	for i, name := range []string{"a", "b"} {
		want.Sites[i].Name = name
		want.Sites[i].Link.Delay = mustDelays(t, "1ms,2ms")[i]
	}
	want.Sites[0].Consumers[0].Node, want.Sites[0].Consumers[1].Node = 4, 5
	want.Sites[1].Consumers = want.Sites[1].Consumers[:1] // like its first consumer
	want.Sites[1].Consumers[0].Node = 6
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFlagErrors(t *testing.T) {
	file, err := Read("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags  Flags
		onFile bool
		want   string
	}{
		{Flags{Node: "1,2", Delay: "0s,1s,2s"}, false, "--node is for 2 sites and --delay for 3: give one value for all sites, or one for each"},
		{Flags{Sites: "a", Node: "1,2"}, false, "--sites is for 1 site and --node for 2: give one value for all sites, or one for each"},
		{Flags{Node: "1,2,3"}, true, "--node is for 3 sites and the scenario has 2: give one value for all sites, or one for each"},
		{Flags{Sites: "a"}, true, "--sites is for 1 site and the scenario has 2: give one value for all sites, or one for each"},
		{Flags{Node: "4,6"}, true, "--node: 4 has 1 node where site us-east-1 has 2 consumers with partitions of their own"},
		{Flags{Node: "1,x"}, false, `--node: "x" is not a node number: write 1,2 for a node at each site, or 1+3,2+4 for several`},
		{Flags{Node: "1,"}, false, `--node: "" is not a node number: write 1,2 for a node at each site, or 1+3,2+4 for several`},
		{Flags{Delay: "logormal:1s,2s"}, false, `--delay: no distribution is named "logormal"; did you mean lognormal?`},
		{Flags{Service: "5"}, false, `--service: "5" has no unit: write 5ms, 5s or 5m`},
		{Flags{Workers: "many"}, false, `--workers: "many" is not a number of workers`},
		{Flags{Workers: "0"}, false, "sites[0].consumers[0].workers: 0 is out of range: from 1 to 10000\nsites[1].consumers[0].workers: 0 is out of range: from 1 to 10000"},
		{Flags{Seed: "x"}, false, `--seed: "x" is not a whole number`},
		{Flags{Seed: "-1"}, false, "seed: -1 is out of range: from 0 to 9007199254740991"},
		{Flags{Replications: "many"}, false, `--replications: "many" is not a whole number`},
		{Flags{Replications: "1001"}, false, "replications: 1001 is out of range: from 1 to 1000"},
		{Flags{Replications: "0"}, false, "replications: 0 is out of range: from 1 to 1000"},
		{Flags{Deadline: "15"}, false, `--deadline: "15" has no unit: write 15ms, 15s or 15m`},
		{Flags{Generator: "snowfall"}, false, `generator.name: no generator is called "snowfall" (did you mean "snowflake"?); there is: second-slot, consumption-time, redis-counter, snowflake, redis-streams, external`},
		{Flags{Scale: "double"}, false, `--scale: "double" is not a number`},
		{Flags{Scale: "-2"}, false, "traffic.scale: -2 is out of range: above 0, at most 1000"},
		{Flags{Scale: "0"}, false, "traffic.scale: 0 is out of range: above 0, at most 1000"},
		{Flags{Scale: "NaN"}, false, "traffic.scale: NaN is out of range: above 0, at most 1000"},
		{Flags{Window: "10m"}, false, `--window: "10m" has no two dots: write FROM..TO, as in 10m..12m, 10m.. or ..2026-03-02T20:00:00+08:00`},
		{Flags{Window: "10m..noon"}, false, `--window: "noon" is no moment: want a time after the capture's start (10m) or a date and time (2026-03-03T20:00:00+08:00)`},
		{Flags{Window: "10m..9m"}, false, "traffic.window: it ends at 9m, which is not after its start at 10m"},
		{Flags{Only: "orders,,trades"}, false, "traffic.only[1]: a partition is missing: write orders/3, orders/0-5 or orders"},
		{Flags{Thresholds: []string{"sites.east.push.late"}}, false, `thresholds[0]: threshold "sites.east.push.late", column 21: a comparison is missing: write <, <=, ==, !=, >= or > and a number`},
		{Flags{Sites: "a,a"}, false, "sites[1].name: two sites are named a, sites[0] and sites[1]"},
	} {
		s, err := FromFlags(c.flags)
		if c.onFile {
			s = file
			err = c.flags.Apply(&s)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v\nwant %s", c.flags, err, c.want)
		}
	}
}
