package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"twindrift/sim/delay"
	"twindrift/sim/duration"
)

// Flags are the command line's changes to a scenario, as text; "" is not
// given. Where a flag may differ between sites it has one value for all, or one
// for each site, with commas between.
type Flags struct {
	Seed         string // a whole number
	Replications string // a whole number
	Generator    string // name of the generator
	Variant      string
	Deadline     string // a duration
	Sites        string // names of the sites
	Node         string // node numbers; several consumers in a site: 1+3,2+4
	Delay        string // distributions of the links' delays; topics' own delays stay
	Workers      string // of every consumer of the site
	Service      string // distributions
	Handling     string // distributions
	Scale        string // a number
	Window       string // FROM..TO, either of which may be missing
	Only         string // partitions

	Thresholds []string // on top of the scenario's
}

// FromFlags is the scenario that the flags alone describe: the default one,
// with as many sites as the flags that name several have values. Site number i
// (from 1) has node i, and all but the first the default delay, unless the
// flags say otherwise.
func FromFlags(f Flags) (Scenario, error) {
	lists, err := f.lists()
	if err != nil {
		return Scenario{}, err
	}
	sites, by := 0, ""
	for _, l := range lists {
		switch n := len(l.values); {
		case n <= 1 && l.flag != "--sites":
		case sites != 0 && sites != n:
			return Scenario{}, fmt.Errorf("%s is for %s and %s for %d: give one value for all sites, or one for each", by, plural(sites, "site"), l.flag, n)
		case n > 0:
			sites, by = n, l.flag
		}
	}
	if sites == 0 {
		sites = 2
	}
	s := Default()
	s.Sites = defaultSites(sites)
	if err := f.Apply(&s); err != nil {
		return Scenario{}, err
	}
	return s, nil
}

// Apply changes a scenario by the flags that are given, and validates it.
// There must be as many sites as a flag has values, unless it has one.
func (f Flags) Apply(s *Scenario) error {
	lists, err := f.lists()
	if err != nil {
		return err
	}
	for _, l := range lists {
		n := len(l.values)
		if n != 0 && n != len(s.Sites) && (n != 1 || l.flag == "--sites") {
			return fmt.Errorf("%s is for %s and the scenario has %d: give one value for all sites, or one for each", l.flag, plural(n, "site"), len(s.Sites))
		}
		for i := range s.Sites {
			if n == 0 {
				break
			}
			if err := l.set(&s.Sites[i], l.values[i%n]); err != nil {
				return fmt.Errorf("%s: %w", l.flag, err)
			}
		}
	}
	if err := f.applyWhole(s); err != nil {
		return err
	}
	s.resolve()
	return s.Validate()
}

// applyWhole sets what is not of a site.
func (f Flags) applyWhole(s *Scenario) error {
	if f.Seed != "" {
		seed, err := strconv.ParseInt(f.Seed, 10, 64)
		if err != nil {
			return fmt.Errorf("--seed: %q is not a whole number", f.Seed)
		}
		s.Seed = seed
	}
	if f.Replications != "" {
		n, err := strconv.ParseInt(f.Replications, 10, 64)
		if err != nil {
			return fmt.Errorf("--replications: %q is not a whole number", f.Replications)
		}
		s.Replications = n
	}
	if err := f.applyTraffic(&s.Traffic); err != nil {
		return err
	}
	s.Thresholds = append(s.Thresholds, f.Thresholds...)
	if f.Deadline != "" {
		d, err := duration.Parse(f.Deadline)
		if err != nil {
			return fmt.Errorf("--deadline: %w", err)
		}
		s.Deadline = d
	}
	name, variant := s.Generator.Name, s.Generator.Variant
	if f.Generator != "" && f.Generator != name {
		name, variant = f.Generator, "" // the file's is of another generator
	}
	if f.Variant != "" {
		variant = f.Variant
	}
	if name != s.Generator.Name || variant != s.Generator.Variant {
		s.Generator.become(name, variant)
	}
	return nil
}

// applyTraffic sets what is changed of the capture.
func (f Flags) applyTraffic(t *Traffic) error {
	if f.Scale != "" {
		x, err := strconv.ParseFloat(f.Scale, 64)
		if err != nil {
			return fmt.Errorf("--scale: %q is not a number", f.Scale)
		}
		t.Scale = x
	}
	if f.Window != "" {
		from, to, ok := strings.Cut(f.Window, "..")
		if !ok {
			return fmt.Errorf("--window: %q has no two dots: write FROM..TO, as in 10m..12m, 10m.. or ..2026-03-02T20:00:00+08:00", f.Window)
		}
		t.Window = Window{}
		for _, end := range []struct {
			text string
			of   **Moment
		}{{from, &t.Window.From}, {to, &t.Window.To}} {
			if text := strings.TrimSpace(end.text); text != "" {
				*end.of = new(Moment)
				if err := (*end.of).UnmarshalText([]byte(text)); err != nil {
					return fmt.Errorf("--window: %w", err)
				}
			}
		}
	}
	if f.Only != "" {
		t.Only = split(f.Only)
	}
	return nil
}

// list is a flag with values by site.
type list struct {
	flag   string
	values []string
	set    func(*Site, string) error
}

// lists takes the flags apart that may differ between sites.
func (f Flags) lists() ([]list, error) {
	lists := []list{
		{flag: "--sites", values: split(f.Sites), set: func(s *Site, v string) error { s.Name = v; return nil }},
		{flag: "--node", values: split(f.Node), set: setNodes},
		{flag: "--workers", values: split(f.Workers), set: setWorkers},
	}
	for _, l := range []struct {
		flag, text string
		set        func(*Site, delay.Dist)
	}{
		{"--delay", f.Delay, func(s *Site, d delay.Dist) { s.Link.Delay = d }},
		{"--service", f.Service, func(s *Site, d delay.Dist) { s.each(func(c *Consumer) { c.Service = d }) }},
		{"--handling", f.Handling, func(s *Site, d delay.Dist) { s.each(func(c *Consumer) { c.Handling = d }) }},
	} {
		if l.text == "" {
			continue
		}
		dists, err := delay.ParseList(l.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.flag, err)
		}
		next := list{flag: l.flag, set: func(s *Site, v string) error {
			d, err := delay.Parse(v)
			l.set(s, d)
			return err
		}}
		for _, d := range dists {
			next.values = append(next.values, d.String())
		}
		lists = append(lists, next)
	}
	return lists, nil
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	values := strings.Split(text, ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	return values
}

func (s *Site) each(do func(*Consumer)) {
	for i := range s.Consumers {
		do(&s.Consumers[i])
	}
}

// setNodes gives the consumers their nodes. Where there are more or fewer
// nodes than consumers, the consumers are made anew, like the first one.
func setNodes(s *Site, text string) error {
	nodes := strings.Split(text, "+")
	if len(nodes) != len(s.Consumers) {
		if s.Assignor == AssignExplicit {
			return fmt.Errorf("%s has %s where site %s has %s with partitions of their own", text,
				plural(len(nodes), "node"), s.Name, plural(len(s.Consumers), "consumer"))
		}
		first := NewSite("", 0).Consumers[0]
		if len(s.Consumers) > 0 {
			first = s.Consumers[0]
		}
		s.Consumers = make([]Consumer, len(nodes))
		for i := range s.Consumers {
			s.Consumers[i] = first
		}
	}
	for i, node := range nodes {
		n, err := strconv.ParseInt(strings.TrimSpace(node), 10, 32)
		if err != nil {
			return fmt.Errorf("%q is not a node number: write 1,2 for a node at each site, or 1+3,2+4 for several", node)
		}
		s.Consumers[i].Node = int32(n)
	}
	return nil
}

func setWorkers(s *Site, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%q is not a number of workers", text)
	}
	s.each(func(c *Consumer) { c.Workers = n })
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
