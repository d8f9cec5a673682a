package catalog

import (
	"twindrift/generator"
	"twindrift/generator/consumption"
	"twindrift/generator/secondslot"
)

func newSecondSlot(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.secondSlot()
	g, err := secondslot.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return g, cfg.Layout(), nil
}

func newCorrected(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.corrected()
	g, err := secondslot.NewCorrected(cfg)
	if err != nil {
		return nil, nil, err
	}
	return g, cfg.Layout(), nil
}

func newConcurrent(o Options) (func() generator.Generator, generator.Layout, error) {
	cfg := o.secondSlot()
	c, err := secondslot.NewConcurrent(cfg)
	if err != nil {
		return nil, nil, err
	}
	return func() generator.Generator { return c }, cfg.Layout(), nil
}

func newShared(o Options) (func() generator.Generator, generator.Layout, error) {
	cfg := o.corrected()
	s, err := secondslot.NewShared(cfg)
	if err != nil {
		return nil, nil, err
	}
	return func() generator.Generator { return s.Worker() }, cfg.Layout(), nil
}

func newConsumption(o Options) (generator.Generator, generator.Layout, error) {
	cfg := o.secondSlot()
	g, err := consumption.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return g, cfg.Layout(), nil
}

func (o Options) corrected() secondslot.CorrectedConfig {
	return secondslot.CorrectedConfig{
		Config: o.secondSlot(),
		Reach:  o.ReachS, KeepDays: o.KeepDays, AheadDays: o.AheadDays, ClampOld: o.ClampOld,
		Block: min(o.Block, o.PerSecond),
	}
}

func (o Options) secondSlot() secondslot.Config {
	return secondslot.Config{
		Node:        o.Node,
		UTCOffsetMs: o.UTCOffsetMs,
		WrapIDs:     o.WrapIDs,
		Step:        o.Step,
		PerSecond:   o.PerSecond,
		JumpLimit:   o.JumpLimit,
	}
}
