package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// siteSetup is what a scenario says of one site, as far as reports tell it.
type siteSetup struct {
	Observed bool `json:"observed"`
	Link     struct {
		Delay   string             `json:"delay"`
		Outages []scenario.Stretch `json:"outages"`
	} `json:"link"`
	Consumers  []consumerSetup      `json:"consumers"`
	Rebalances []scenario.Rebalance `json:"rebalances"`
	Redelivery scenario.Redelivery  `json:"redelivery"`
	Clock      scenario.Clock       `json:"clock"`
}

type consumerSetup struct {
	Node     int                `json:"node"`
	Workers  int                `json:"workers"`
	Parallel string             `json:"parallel"`
	Service  string             `json:"service"`
	Handling string             `json:"handling"`
	Commit   string             `json:"commit"`
	Stalls   []scenario.Stretch `json:"stalls"`
	Restarts []scenario.Restart `json:"restarts"`
}

// setupOf is what the scenario says of a site; nothing where it cannot be read.
func (t *text) setupOf(s *result.Site) (setup siteSetup) {
	b, err := json.Marshal(t.at("sites", t.index(s)))
	if err == nil {
		err = json.Unmarshal(b, &setup)
	}
	if err != nil {
		return siteSetup{}
	}
	return setup
}

// stretchesShown is how many outages, stalls, restarts and so on are told of
// each kind.
const stretchesShown = 3

// trouble says what the scenario had go wrong at the sites, and when.
func (t *text) trouble() {
	t.line("")
	for _, s := range t.sites {
		setup := t.setupOf(s)
		t.linkTrouble(s, &setup)
		for i := range setup.Consumers {
			t.processTrouble(fmt.Sprintf("  %s, node %d: ", short(s.Name, 24), setup.Consumers[i].Node), &setup.Consumers[i])
		}
		t.siteTrouble(s, &setup)
	}
}

func (t *text) linkTrouble(s *result.Site, setup *siteSetup) {
	t.several(fmt.Sprintf("  %s: ", short(s.Name, 24)), len(setup.Link.Outages), "outage of the link", func(i int) string {
		return fmt.Sprintf("the link is out %s; what would arrive then arrives at the end", t.stretch(setup.Link.Outages[i]))
	})
}

// processTrouble says how one process works, where that is out of the
// ordinary, and what happens to it.
func (t *text) processTrouble(who string, c *consumerSetup) {
	if words := work(c); words != "" {
		t.wrap(who, words)
	}
	state := "state"
	if t.slotted() {
		state = "slots"
	}
	t.several(who, len(c.Stalls), "stall", func(i int) string {
		return fmt.Sprintf("stalls %s: it starts no message then", t.stretch(c.Stalls[i]))
	})
	t.several(who, len(c.Restarts), "restart", func(i int) string {
		r := c.Restarts[i]
		down := ""
		if r.Down > 0 {
			down = ", down for " + duration(r.Down.Ms())
		}
		return fmt.Sprintf("restarts at %s UTC%s, its %s %s; %s", t.moment(r.At), down, state, slots(r), comesAgain(c.Commit))
	})
}

// work says how many messages a process works on and how long each takes.
func work(c *consumerSetup) string {
	var words []string
	if c.Workers > 1 {
		words = append(words, fmt.Sprintf("%d workers", c.Workers))
		if c.Parallel == scenario.ParallelPartitions {
			words = append(words, "each partition with one of them at a time")
		}
	}
	for _, one := range []struct{ is, means string }{
		{c.Service, "a message keeps its worker for "}, {c.Handling, "from start to draw it takes "},
	} {
		if one.is != "" && one.is != "0s" {
			words = append(words, one.means+breakable.Replace(one.is))
		}
	}
	return strings.Join(words, "; ")
}

// comesAgain says what a process that commits so often does again after a
// restart.
func comesAgain(commit string) string {
	switch commit {
	case "":
		return "what it drew after its last commit comes again"
	case "0s":
		return "it commits each message as it is drawn, so only what it had begun comes again"
	}
	return "what it drew after its last commit comes again (it commits every " + commit + ")"
}

// slots says what becomes of a generator's state in a restart.
func slots(r scenario.Restart) string {
	switch r.State {
	case scenario.StateSnapshot:
		return "as in a snapshot " + duration(r.Age.Ms()) + " old"
	case scenario.StateKept:
		return "kept"
	}
	return "lost"
}

func (t *text) siteTrouble(s *result.Site, setup *siteSetup) {
	who := fmt.Sprintf("  %s: ", short(s.Name, 24))
	t.several(who, len(setup.Rebalances), "rebalance", func(i int) string {
		r := setup.Rebalances[i]
		return fmt.Sprintf("node %d takes %s at %s UTC; what the process before it drew after its last commit comes again",
			r.To, and(r.Partitions), t.moment(r.At))
	})
	if r := setup.Redelivery; r.Probability > 0 {
		t.wrap(who, fmt.Sprintf("of the deliveries %s come once more, %s after their draw, by chance", percent(r.Probability), duration(r.After.Ms())))
	}
	if words := t.wrongClock(&setup.Clock, stretchesShown); words != "" {
		t.wrap(who, "its clock "+words)
	}
}

// wrongClock says how a clock is wrong, with so many of the times that it is set;
// empty if it is right.
func (t *text) wrongClock(c *scenario.Clock, steps int) string {
	var words []string
	if ms := c.Error.Ms(); ms > 0 {
		words = append(words, "is "+duration(ms)+" ahead")
	} else if ms < 0 {
		words = append(words, "is "+duration(-ms)+" behind")
	}
	if c.DriftPPM > 0 {
		words = append(words, fmt.Sprintf("gains %d µs a second", c.DriftPPM))
	} else if c.DriftPPM < 0 {
		words = append(words, fmt.Sprintf("loses %d µs a second", -c.DriftPPM))
	}
	for _, s := range c.Steps[:min(len(c.Steps), steps)] {
		way, by := "forward", s.By.Ms()
		if by < 0 {
			way, by = "back", -by
		}
		words = append(words, fmt.Sprintf("is set %s by %s at %s UTC", way, duration(by), t.moment(s.At)))
	}
	switch more := len(c.Steps) - steps; {
	case more == 1:
		words = append(words, "is set once more")
	case more > 1:
		words = append(words, fmt.Sprintf("is set %d times more", more))
	}
	return and(words)
}

// several tells the first of n things of a kind.
func (t *text) several(who string, n int, kind string, tell func(i int) string) {
	for i := range min(n, stretchesShown) {
		t.wrap(who, tell(i))
	}
	if more := n - stretchesShown; more > 0 {
		t.wrap(who, "and "+counted(int64(more), kind)+" more")
	}
}

// moment is a moment of the scenario.
func (t *text) moment(m scenario.Moment) string { return moment(m.Ms(t.Input.MinMs)) }

func (t *text) stretch(s scenario.Stretch) string {
	return fmt.Sprintf("from %s UTC on for %s", t.moment(s.At), duration(s.For.Ms()))
}
