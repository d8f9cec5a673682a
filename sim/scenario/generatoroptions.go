package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"twindrift/generator/catalog"
	"twindrift/sim/duration"
)

// block is a group of options that some generators have.
type block struct {
	name  string
	given func() bool
	set   func() // to its defaults
	drop  func()
}

func blockOf[T any, P interface {
	*T
	defaulter
}](name string, at *P) block {
	return block{
		name:  name,
		given: func() bool { return *at != nil },
		set:   func() { *at = new(T); (*at).defaults() },
		drop:  func() { *at = nil },
	}
}

func (g *Generator) blocks() []block {
	return []block{
		blockOf("corrected", &g.Corrected), blockOf("redis", &g.Redis), blockOf("counter", &g.Counter),
		blockOf("snowflake", &g.Snowflake), blockOf("streams", &g.Streams), blockOf("external", &g.External),
	}
}

// resolve fills in the variant, and the options that the generator has.
func (g *Generator) resolve() {
	entry, err := catalog.Find(g.Name, g.Variant)
	if err != nil {
		return
	}
	g.Variant = entry.Variant
	for _, b := range g.blocks() {
		if !b.given() && b.name != "external" && slices.Contains(entry.Takes, b.name) {
			b.set()
		}
	}
}

// become makes it another generator, with the options that both have.
func (g *Generator) become(name, variant string) {
	g.Name, g.Variant = name, variant
	entry, err := catalog.Find(name, variant)
	if err != nil {
		return
	}
	for _, b := range g.blocks() {
		if !slices.Contains(entry.Takes, b.name) {
			b.drop()
		}
	}
	if !entry.Slots {
		var d Generator
		d.defaults()
		g.Step, g.PerSecond, g.JumpLimit = d.Step, d.PerSecond, d.JumpLimit
	}
}

// Baseline is the consumption-time generator that a run has beside the chosen one.
func Baseline(g *Generator) Generator {
	base := *g
	base.become("consumption-time", "published")
	return base
}

// Against is the generator, or one of its variants, as one that is called by another's
// options: NAME or NAME/VARIANT.
func (g *Generator) Against(called string) (Generator, error) {
	name, variant, _ := strings.Cut(called, "/")
	other := *g
	other.become(name, variant)
	other.resolve()
	var p problems
	p.checkGenerator(&other)
	for _, e := range p {
		if e.Path == "generator.name" || e.Path == "generator.variant" {
			e.Path = "" // it stands in no file, and is named before
		}
	}
	if len(p) > 0 {
		return Generator{}, fmt.Errorf("%s: %w", called, Errors(p))
	}
	return other, nil
}

// Options is what the generator of the consumer with the given node is made
// with.
func (g *Generator) Options(node int32) catalog.Options {
	o := catalog.Defaults()
	o.Node, o.UTCOffsetMs = int(node), g.UTCOffset.Ms()
	o.Step, o.PerSecond, o.JumpLimit = int(g.Step), int(g.PerSecond), int(g.JumpLimit)
	if c := g.Corrected; c != nil {
		o.ReachS, o.KeepDays, o.AheadDays = c.Reach.Ms()/1000, c.KeepDays, c.AheadDays
		o.ClampOld, o.Block = c.ClampOld, int(c.Block)
	}
	if c := g.Counter; c != nil {
		o.ByEvent, o.CounterStart, o.CounterBlock = c.Time == "event", c.Start, c.Block
	}
	if s := g.Snowflake; s != nil {
		o.Range, o.CallNs = s.Range, int64(s.Call)
	}
	if s := g.Streams; s != nil {
		o.MaxSeq = s.MaxSeq
	}
	if e := g.External; e != nil {
		o.External = catalog.External{Command: e.Command, NDJSON: e.Framing == "ndjson", Layout: e.Layout, Timeout: time.Duration(e.Timeout), Batch: int(e.Batch)}
	}
	return o
}

// maxUTCOffset is the widest offset that second-slot takes.
const maxUTCOffset = duration.Duration(18 * time.Hour)

func (p *problems) checkGenerator(g *Generator) {
	entry, err := catalog.Find(g.Name, g.Variant)
	if err != nil {
		path := "generator.variant"
		if _, bad := catalog.Find(g.Name, ""); bad != nil {
			path = "generator.name"
		}
		p.add(path, "%v", err)
		return
	}
	called := entry.Name + ", variant " + entry.Variant
	for _, b := range g.blocks() {
		switch takes := slices.Contains(entry.Takes, b.name); {
		case b.given() && !takes:
			p.add("generator."+b.name, "%s has no such options; it takes %s", called, orNothing(entry.Takes))
		case !b.given() && takes:
			p.add("generator", "%s needs options of its own: write generator: {name: %s, %s: {...}}", called, entry.Name, b.name)
		}
	}
	p.checkSlots(g, entry, called)
	if g.UTCOffset%duration.Duration(time.Second) != 0 {
		p.add("generator.utc_offset", "%s is no time zone's: write whole seconds", g.UTCOffset)
	}
	if max(g.UTCOffset, -g.UTCOffset) > maxUTCOffset {
		p.add("generator.utc_offset", "%s is no time zone's: from -%s to %s", g.UTCOffset, maxUTCOffset, maxUTCOffset)
	}
	if c := g.Corrected; c != nil && c.Reach%duration.Duration(time.Second) != 0 {
		p.add("generator.corrected.reach", "%s is not a whole number of seconds", c.Reach)
	}
	if r := g.Redis; r != nil {
		p.checkNotNegative("generator.redis.round_trip", r.RoundTrip)
		for i, w := range r.Outages {
			p.checkStretch(fmt.Sprintf("generator.redis.outages[%d]", i), w)
		}
	}
	if s := g.Snowflake; s != nil {
		p.checkNotNegative("generator.snowflake.call", s.Call)
	}
	if e := g.External; e != nil {
		if len(e.Command) == 0 || e.Command[0] == "" {
			p.add("generator.external.command", "there is no program: write command: [python3, ids.py]")
		}
		if e.Timeout <= 0 {
			p.add("generator.external.timeout", "%s leaves no time to answer", e.Timeout)
		}
	}
	if len(*p) > 0 {
		return // the generator would say the same again
	}
	if _, _, err := entry.New(g.Options(0)); err != nil {
		p.add("generator", "%v", err)
	}
}

// checkSlots refuses the options of second-slot ids with generators that give others.
func (p *problems) checkSlots(g *Generator, entry catalog.Entry, called string) {
	if entry.Slots {
		return
	}
	var d Generator
	d.defaults()
	for _, o := range []struct {
		name       string
		is, should int64
	}{{"step", g.Step, d.Step}, {"per_second", g.PerSecond, d.PerSecond}, {"jump_limit", g.JumpLimit, d.JumpLimit}} {
		if o.is != o.should {
			p.add("generator."+o.name, "is of second-slot ids, and %s gives others: leave it out", called)
		}
	}
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "none but those in generator itself"
	}
	return strings.Join(names, " and ")
}

// checkUnused refuses options that another variant has: here they would do nothing.
func (p *problems) checkUnused(g *Generator) {
	changed := func(name, is, should string, variants ...string) {
		if is != should && !slices.Contains(variants, g.Variant) {
			p.add("generator."+name, "does nothing for %s, variant %s: it is of %s", g.Name, g.Variant, strings.Join(variants, " and "))
		}
	}
	if c := g.Counter; c != nil {
		var d Counter
		d.defaults()
		changed("counter.block", fmt.Sprint(c.Block), fmt.Sprint(d.Block), "corrected")
	}
	if s := g.Snowflake; s != nil {
		var d Snowflake
		d.defaults()
		changed("snowflake.range", fmt.Sprint(s.Range), fmt.Sprint(d.Range), "preallocated-published", "preallocated-corrected")
		changed("snowflake.call", s.Call.String(), d.Call.String(), "unsynchronised")
	}
	if s := g.Streams; s != nil {
		var d Streams
		d.defaults()
		changed("streams.max_seq", fmt.Sprint(s.MaxSeq), fmt.Sprint(d.MaxSeq), "monotonic", "monotonic-retry")
	}
}

// checkNodes asks the generator whether it takes the nodes of the consumers.
func (p *problems) checkNodes(s *Scenario) {
	entry, err := catalog.Find(s.Generator.Name, s.Generator.Variant)
	if err != nil {
		return
	}
	for i := range s.Sites {
		for k := range s.Sites[i].Consumers {
			if _, _, err := entry.New(s.Generator.Options(s.Sites[i].Consumers[k].Node)); err != nil {
				p.add(fmt.Sprintf("sites[%d].consumers[%d].node", i, k), "%v", err)
			}
		}
	}
}
