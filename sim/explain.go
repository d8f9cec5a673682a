package sim

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"twindrift/generator/secondslot"
	"twindrift/replay"
	"twindrift/sim/result"
)

// Subject is what Explain is asked about: an id, or one message.
type Subject struct {
	ID int64

	Message   bool // the message of these, instead of the id
	Topic     string
	Partition int32
	Offset    int64
}

// String is how the command line calls it, but that an id of redis-streams is the
// number that stands for it.
func (s Subject) String() string {
	if s.Message {
		return fmt.Sprintf("%s/%d@%d", s.Topic, s.Partition, s.Offset)
	}
	return strconv.FormatInt(s.ID, 10)
}

// Explain tells the story of an id or a message in the run of cfg: what became
// of it at each site, and who else has the same id and why. Of the messages that
// have an id, messages are told in full: the original and one of each cause at
// each site first, and if messages is 0 no others. What is not in the run is no
// error: the explanation then names the nearest. It goes over the capture twice,
// and measures nothing; Replaying counts the messages of both passes.
func Explain(ctx context.Context, cfg Config, asked Subject, messages int) (*result.Explanation, error) {
	var err error
	if cfg.Source, err = withTraffic(cfg.Source, &cfg.Scenario); err != nil {
		return nil, err
	}
	plan, err := cfg.Source.Plan(ctx, cfg.Planning)
	if err != nil {
		return nil, err
	}
	first := newSearch()
	if asked.Message {
		if index := indexOf(plan, asked.Topic, asked.Partition); index >= 0 {
			first.oneMessage(messageAt{int32(index), asked.Offset})
		}
	} else {
		first.oneID(asked.ID)
	}
	r, err := rehearse(ctx, cfg, plan, first, 0)
	if err != nil {
		return nil, err
	}
	x, err := newExplainer(r, asked)
	if err != nil {
		return nil, err
	}
	if len(first.found) == 0 {
		x.missing(asked, first)
		return x.out, nil
	}
	second := newSearch()
	x.found = first.found
	told := x.toTell(asked, messages)
	for _, key := range told {
		second.wantMessage(key)
	}
	if asked.Message {
		for i := range first.found {
			if !first.found[i].state.NoID() {
				second.wantID(first.found[i].entry.ID)
			}
		}
	} else {
		second.wantID(asked.ID)
	}
	if x.run, err = rehearse(ctx, cfg, plan, second, 1); err != nil {
		return nil, err
	}
	x.found = second.found
	x.tell(told, second.ids)
	return x.out, nil
}

func newExplainer(r *run, asked Subject) (*explainer, error) {
	g := &r.cfg.Scenario.Generator
	x := &explainer{run: r, ids: r.sites[0].lanes[chosen].layout, layout: secondslot.Layout{UTCOffsetMs: g.UTCOffset.Ms(), Step: g.Step}}
	for i := range r.sites {
		cfg, err := r.siteConfig(&r.cfg.Scenario.Sites[i], r.sites[i].partitions)
		if err != nil {
			return nil, err
		}
		x.sites = append(x.sites, cfg)
	}
	x.out = &result.Explanation{
		Format: result.ExplanationFormat, Version: result.ExplanationVersion,
		Scenario: r.cfg.Scenario, Asked: x.called(asked),
		Generator: r.sites[0].lanes[chosen].name, UTCOffsetMs: x.layout.UTCOffsetMs,
	}
	return x, nil
}

// called is how the command line calls what is asked about.
func (x *explainer) called(asked Subject) string {
	if asked.Message {
		return asked.String()
	}
	return x.written(asked.ID)
}

// indexOf is where a partition stands in the plan; -1 if nowhere.
func indexOf(plan *replay.Plan, topic string, number int32) int {
	return slices.IndexFunc(plan.Partitions, func(p replay.Partition) bool { return p.Topic == topic && p.Number == number })
}

// missing says why there is nothing to tell, and what is nearest.
func (x *explainer) missing(asked Subject, s *search) {
	if s.below != nil {
		w := x.witness(s.below)
		x.out.Below = &w
	}
	if s.above != nil {
		w := x.witness(s.above)
		x.out.Above = &w
	}
	x.out.Missing = x.run.absence(asked)
	if !asked.Message {
		x.out.IDs = []result.ExplainedID{{ID: x.out.Asked, Digits: x.digits(asked.ID)}}
	}
}

// absence says why a message or an id is not in a run.
func (r *run) absence(asked Subject) string {
	if !asked.Message {
		return "no message of this run has this id"
	}
	var topics, numbers []string
	for i := range r.plan.Partitions {
		p := &r.plan.Partitions[i]
		if !slices.Contains(topics, p.Topic) {
			topics = append(topics, p.Topic)
		}
		if p.Topic != asked.Topic {
			continue
		}
		numbers = append(numbers, strconv.Itoa(int(p.Number)))
		if p.Number != asked.Partition {
			continue
		}
		if asked.Offset < p.FirstOffset || asked.Offset > p.LastOffset {
			return fmt.Sprintf("%s/%d has the offsets %d to %d", p.Topic, p.Number, p.FirstOffset, p.LastOffset)
		}
		return fmt.Sprintf("%s/%d has no such offset, or it is left out: by a change to the traffic, or for want of a timestamp", p.Topic, p.Number)
	}
	if numbers != nil {
		return fmt.Sprintf("topic %s has the partitions %s", asked.Topic, andSo(numbers))
	}
	return fmt.Sprintf("there is no topic %s; there is %s", asked.Topic, andSo(topics))
}

// andSo lists the first few names.
func andSo(names []string) string {
	const most = 12
	text := ""
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
