package sim

// What may go wrong at a site, the plain way: one thing at a time, in the order
// of virtual time.

import (
	"cmp"
	"math"
	"slices"

	"twindrift/generator"
	"twindrift/replay"
	"twindrift/sim/luck"
	"twindrift/sim/scenario"
)

// plainProcess is one consumer at work.
type plainProcess struct {
	*scenario.Consumer
	index     int
	waiting   []*plainDelivery // the messages of its partitions that are not started, also those still to arrive
	workers   []int64
	busy      map[int]int64 // partition -> when its message in work is done
	inWork    []*plainDelivery
	done      []*plainDelivery // drawn
	committed map[int]int64    // partition -> first offset that is not committed
	lives     []plainLife
	maxWait   int64 // from arrival to start
	since     int64 // when partitions were last moved to it
}

// plainLife is something that happened to a generator.
type plainLife struct {
	at   int64
	what string // lost, kept, snapshot (restored), saved
}

// plainMoment is something that happens at a moment.
type plainMoment struct {
	at    int64
	order int // at one moment: commit, snapshot, restart, rebalance
	do    func()
}

type plainWorld struct {
	sc          *scenario.Scenario
	s           *scenario.Site
	replication uint32
	parts       []replay.Partition
	startMs     int64
	base        int64
	processes   []*plainProcess
	owner       map[int]*plainProcess // by partition
	moments     []plainMoment
	all         []*plainDelivery // at the end
}

func (w *plainWorld) ns(m scenario.Moment) int64 { return (m.Ms(w.startMs) - w.base) * 1e6 }

func plainHeld(w *plainWorld, list []scenario.Stretch, at int64) int64 {
	for moved := true; moved; {
		moved = false
		for _, v := range list {
			if from := w.ns(v.At); from <= at && at < from+int64(v.For) {
				at, moved = from+int64(v.For), true
			}
		}
	}
	return at
}

// can is when a message could be started, workers and stalls aside.
func (p *plainProcess) can(d *plainDelivery) int64 {
	at := d.arrival
	if until, ok := p.busy[d.part]; ok && p.Parallel == scenario.ParallelPartitions {
		at = max(at, until)
	}
	return at
}

// next is the next start of a process: when, and of which message.
func (w *plainWorld) next(p *plainProcess) (at int64, which int) {
	if len(p.waiting) == 0 {
		return math.MaxInt64, -1
	}
	slices.SortStableFunc(p.waiting, func(a, b *plainDelivery) int {
		return cmp.Or(cmp.Compare(a.arrival, b.arrival), cmp.Compare(a.part, b.part), cmp.Compare(a.offset, b.offset), cmp.Compare(a.repeatOf(), b.repeatOf()),
			cmp.Compare(a.delivery, b.delivery), cmp.Compare(a.again, b.again))
	})
	at = math.MaxInt64
	for _, d := range p.waiting {
		at = min(at, p.can(d))
	}
	at = plainHeld(w, p.Stalls, max(at, slices.Min(p.workers), p.since))
	return at, slices.IndexFunc(p.waiting, func(d *plainDelivery) bool { return p.can(d) <= at })
}

// repeatOf puts messages from the log before those that come again by chance.
func (d *plainDelivery) repeatOf() int {
	if d.repeat {
		return 1
	}
	return 0
}

// work draws how long a delivery takes.
func (w *plainWorld) work(p *plainProcess, d *plainDelivery) {
	words := w.luck(d.part)
	word := words.Words(d.offset, d.delivery)
	arrivalMs := d.base + generator.FloorDiv(d.arrival, 1e6)
	service, handling := p.Service.InZone(w.sc.Generator.UTCOffset.Ms()), p.Handling.InZone(w.sc.Generator.UTCOffset.Ms())
	d.service, d.handling = service.SampleAt(word[luck.Service], arrivalMs), handling.SampleAt(word[luck.Handling], arrivalMs)
}

// start has a process take up a message.
func (w *plainWorld) start(p *plainProcess, which int, at int64) {
	d := p.waiting[which]
	p.waiting = slices.Delete(p.waiting, which, which+1)
	free := slices.Index(p.workers, slices.Min(p.workers))
	d.start, d.draw = at, at+d.handling
	p.maxWait = max(p.maxWait, at-d.arrival)
	p.workers[free] = at + max(d.service, d.handling)
	p.busy[d.part] = p.workers[free]
	p.inWork = append(p.inWork, d)
	r := w.s.Redelivery
	words := w.luck(d.part)
	if float64(words.Words(d.offset, d.delivery)[luck.Again]>>11)/(1<<53) < r.Probability {
		again := *d
		again.delivery, again.again, again.repeat, again.from = d.delivery+1, d.again+1, true, d.draw
		again.arrival = d.draw + int64(r.After)
		w.work(p, &again)
		p.waiting = append(p.waiting, &again)
	}
}

// draw moves what is drawn before a moment out of work.
func (p *plainProcess) draw(before int64) {
	p.inWork = slices.DeleteFunc(p.inWork, func(d *plainDelivery) bool {
		if d.draw < before {
			p.done = append(p.done, d)
			return true
		}
		return false
	})
}

// commit commits what is drawn of each partition without a gap.
func (p *plainProcess) commit() {
	first := map[int]int64{}
	for _, d := range p.done {
		if !d.repeat {
			first[d.part] = math.MaxInt64
		}
	}
	for part := range first {
		for _, list := range [][]*plainDelivery{p.waiting, p.inWork} {
			for _, d := range list {
				if d.part == part && !d.repeat {
					first[part] = min(first[part], d.offset)
				}
			}
		}
		p.committed[part] = first[part]
	}
}

// lose brings what is not committed, or not drawn, of a partition back to the
// waiting messages of a process.
func (w *plainWorld) lose(p *plainProcess, part int, at int64, to *plainProcess) {
	var back []*plainDelivery
	again := func(d *plainDelivery, drawn int32) {
		fresh := *d
		fresh.delivery, fresh.again, fresh.gone = d.delivery+1, drawn, [2]bool{}
		back = append(back, &fresh)
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(d *plainDelivery) bool { return d.part == part && d.repeat && d.from >= at })
	p.inWork = slices.DeleteFunc(p.inWork, func(d *plainDelivery) bool {
		if d.part != part {
			return false
		}
		again(d, d.again)
		back[len(back)-1].from = math.MinInt64
		return true
	})
	for _, d := range p.done {
		if d.part == part && !d.repeat && !d.gone[0] && d.offset >= p.committed[part] {
			d.gone[0] = true // it comes again: not once more for a later restart
			again(d, d.again+1)
		}
	}
	for _, d := range back {
		w.work(to, d)
		d.consumer, d.node = to.index, int(to.Node)
	}
	to.waiting = append(to.waiting, back...)
}

func (w *plainWorld) restart(p *plainProcess, r scenario.Restart) {
	at := w.ns(r.At)
	p.lives = append(p.lives, plainLife{at, r.State})
	for part, owner := range w.owner {
		if owner == p {
			w.lose(p, part, at, p)
			p.busy[part] = at + int64(r.Down)
		}
	}
	for i := range p.workers {
		p.workers[i] = at + int64(r.Down)
	}
}

func (w *plainWorld) rebalance(r scenario.Rebalance, parts []int, to *plainProcess) {
	at := w.ns(r.At)
	to.since = at
	for _, part := range parts {
		from := w.owner[part]
		if from == to {
			continue
		}
		w.lose(from, part, at, to)
		from.waiting = slices.DeleteFunc(from.waiting, func(d *plainDelivery) bool {
			if d.part != part {
				return false
			}
			w.work(to, d)
			d.consumer, d.node = to.index, int(to.Node)
			to.waiting = append(to.waiting, d)
			return true
		})
		to.committed[part] = from.committed[part]
		to.busy[part] = at
		w.owner[part] = to
	}
}

// plan lists the moments of the site in order.
func (w *plainWorld) plan(t failer) {
	moves, to, err := w.s.Moves(w.parts)
	if err != nil {
		t.Fatal(err)
	}
	add := func(at int64, order int, do func()) { w.moments = append(w.moments, plainMoment{at, order, do}) }
	lastCommit := func(p *plainProcess, at int64) {
		if start := (w.startMs - w.base) * 1e6; p.Commit > 0 && at > start {
			at = start + (at-start)/int64(p.Commit)*int64(p.Commit)
		}
		add(at, 0, func() { p.draw(at); p.commit() })
	}
	for _, p := range w.processes {
		for _, r := range p.Restarts {
			at := w.ns(r.At)
			lastCommit(p, at)
			if r.State == scenario.StateSnapshot {
				saved := at - int64(r.Age)
				add(saved, 1, func() { p.lives = append(p.lives, plainLife{saved, "saved"}) })
			}
			add(at, 2, func() { p.draw(at); w.restart(p, r) })
		}
	}
	for i, r := range w.s.Rebalances {
		at := w.ns(r.At)
		for _, p := range w.processes {
			if p.index != to[i] {
				lastCommit(p, at)
			}
		}
		add(at, 3, func() {
			for _, p := range w.processes {
				p.draw(at)
			}
			w.rebalance(r, moves[i], w.processes[to[i]])
		})
	}
	slices.SortStableFunc(w.moments, func(a, b plainMoment) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
}

// run lets everything happen and gives every delivery that was drawn.
func (w *plainWorld) run(t failer) (all []*plainDelivery) {
	w.plan(t)
	for {
		var first *plainProcess
		at, which := int64(math.MaxInt64), -1
		for _, p := range w.processes {
			if start, m := w.next(p); m >= 0 && start < at {
				first, at, which = p, start, m
			}
		}
		switch {
		case len(w.moments) > 0 && (first == nil || w.moments[0].at <= at):
			w.moments[0].do()
			w.moments = w.moments[1:]
		case first != nil:
			w.start(first, which, at)
		default:
			for _, p := range w.processes {
				p.draw(math.MaxInt64)
				slices.SortFunc(p.done, func(a, b *plainDelivery) int {
					return cmp.Or(cmp.Compare(a.draw, b.draw), cmp.Compare(a.part, b.part), cmp.Compare(a.offset, b.offset),
						cmp.Compare(a.delivery, b.delivery), cmp.Compare(a.repeatOf(), b.repeatOf()), cmp.Compare(a.arrival, b.arrival), cmp.Compare(a.again, b.again))
				})
				all = append(all, p.done...)
			}
			return all
		}
	}
}

// clockAt is what the site's clock shows, in whole ms.
func (w *plainWorld) clockAt(ns int64) int64 {
	c := w.s.Clock
	since := ns - (w.startMs-w.base)*1e6
	ahead := int64(c.Error) + since/1e6*c.DriftPPM + since%1e6*c.DriftPPM/1e6
	for _, s := range c.Steps {
		if ns >= w.ns(s.At) {
			ahead += int64(s.By)
		}
	}
	return w.base + generator.FloorDiv(ns+ahead, 1e6)
}
