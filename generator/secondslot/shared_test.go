package secondslot

import (
	"errors"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

// interleaving runs threads one step at a time, in the order that choices say as far as
// they go, and then the first that can. It gives how many threads could go at each step.
type interleaving struct {
	choices []int
	options []int
}

// run runs threads to their ends. A thread calls stop before each step.
func (il *interleaving) run(threads []func(stop func())) {
	type thread struct {
		goOn chan struct{} // the thread may take its step
		at   chan bool     // it stands before one; false when it has ended
	}
	var all []*thread
	for _, body := range threads {
		th := &thread{make(chan struct{}), make(chan bool)}
		all = append(all, th)
		go func() {
			body(func() { th.at <- true; <-th.goOn })
			th.at <- false
		}()
	}
	var ready []*thread
	for _, th := range all { // each runs up to its first step
		if <-th.at {
			ready = append(ready, th)
		}
	}
	for step := 0; len(ready) > 0; step++ {
		choice := 0
		if step < len(il.choices) {
			choice = il.choices[step]
		}
		il.options = append(il.options[:step], len(ready))
		th := ready[choice]
		th.goOn <- struct{}{}
		if !<-th.at {
			ready = append(ready[:choice:choice], ready[choice+1:]...)
		}
		if step >= len(il.choices) {
			il.choices = append(il.choices, choice)
		}
	}
}

// next goes on to the next order; false when all were run.
func (il *interleaving) next() bool {
	n := len(il.options)
	il.choices = il.choices[:n]
	for n--; n >= 0; n-- {
		if il.choices[n]+1 < il.options[n] {
			il.choices[n]++
			il.choices = il.choices[:n+1]
			return true
		}
	}
	return false
}

// In every order in which the steps of two or three workers can fall, at a capacity of
// one to three numbers a second, no number is given twice, none lies out of its second or
// out of reach, and every number taken is given, left, wasted or given back.
func TestSharedInAllInterleavings(t *testing.T) {
	for _, c := range []struct {
		name             string
		perSecond, reach uint64
		most             uint64
		asked            [][]uint64 // by worker: the seconds of its draws
	}{
		{"two in one second", 1, 3, 1, [][]uint64{{0, 0}, {0}}},
		{"two, with lots", 3, 2, 2, [][]uint64{{0, 0, 0}, {0, 0}}},
		{"two that give back", 8, 1, 4, [][]uint64{{0, 0}, {0, 0, 0}}},
		{"two that leave a second", 3, 2, 4, [][]uint64{{0, 0, lotsKept}, {0, 1}}},
		{"two out of room", 1, 1, 2, [][]uint64{{0, 0}, {0, 0}}},
		{"three at once", 1, 3, 1, [][]uint64{{0}, {0}, {0}}},
		{"three, one behind", 1, 3, 1, [][]uint64{{0}, {0}, {1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			orders := 0
			for il := new(interleaving); ; {
				var words [2*lotsKept + 8]uint64
				type given struct{ at, seq uint64 }
				got := make([][]given, len(c.asked))
				drawers := make([]*lotDrawer[*threadWord], len(c.asked))
				var threads []func(stop func())
				for i, seconds := range c.asked {
					threads = append(threads, func(stop func()) {
						d := &lotDrawer[*threadWord]{perSecond: c.perSecond, reach: c.reach, most: c.most}
						d.at = func(s uint64) *threadWord { return &threadWord{&words[s], stop} }
						drawers[i] = d
						for _, s := range seconds {
							if seq, at, _, ok := d.draw(s); ok {
								got[i] = append(got[i], given{at, seq})
								if at < s || at > s+c.reach || seq >= c.perSecond {
									t.Errorf("%v: number %d of second %d for second %d", il.choices, seq, at, s)
								}
							}
						}
						d.end()
					})
				}
				il.run(threads)
				orders++
				seen := map[given]bool{}
				for _, list := range got {
					for _, g := range list {
						if seen[g] {
							t.Fatalf("%v: number %d of second %d is given twice", il.choices, g.seq, g.at)
						}
						seen[g] = true
					}
				}
				taken, wasted := uint64(0), int64(0)
				for at, w := range words {
					taken += w & countMask
					if w>>countBits > 0 && w&countMask != c.perSecond {
						t.Fatalf("%v: second %d has room, and leads on", il.choices, at)
					}
				}
				for _, d := range drawers {
					wasted += d.wasted
				}
				if taken != uint64(len(seen))+uint64(wasted) {
					t.Fatalf("%v: %d numbers are taken, %d given and %d wasted", il.choices, taken, len(seen), wasted)
				}
				if !il.next() {
					break
				}
			}
			t.Logf("%d orders", orders)
			if orders < 20 {
				t.Errorf("only %d orders", orders)
			}
		})
	}
}

// threadWord is a word as one thread sees it, which stops before each access.
type threadWord struct {
	word *uint64
	stop func()
}

func (w *threadWord) Load() uint64 { w.stop(); return *w.word }

func (w *threadWord) CompareAndSwap(old, new uint64) bool {
	w.stop()
	if *w.word != old {
		return false
	}
	*w.word = new
	return true
}

// A single worker gives what Corrected gives, but for what it leaves in its lots.
func TestSharedAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultCorrected()
		cfg.PerSecond, cfg.Reach, cfg.KeepDays = rapid.IntRange(1, 300).Draw(t, "ids a second"), 50, 1
		cfg.ClampOld = rapid.Bool().Draw(t, "clamp")
		s, err := NewShared(cfg)
		if err != nil {
			t.Fatal(err)
		}
		w := s.Worker()
		given := map[int64]bool{}
		layout := cfg.Layout()
		for range rapid.IntRange(1, 400).Draw(t, "draws") {
			ms := midday + rapid.Int64Range(-2, 2).Draw(t, "day")*86_400_000 + rapid.Int64Range(0, 3).Draw(t, "second")*1000
			id, _, err := w.Draw(ms, 0)
			if err != nil {
				if !errors.Is(err, ErrTooOld) && !errors.Is(err, ErrTooFarAhead) && !errors.Is(err, ErrNoRoom) {
					t.Fatal(err)
				}
				continue
			}
			if given[id] {
				t.Fatalf("id %d is given twice", id)
			}
			given[id] = true
			if late := layout.secondMs(id) - generator.FloorDiv(ms, 1000)*1000; late < 0 || !cfg.ClampOld && late > 50_000 || id < w.Floor(ms, 0) {
				t.Fatalf("%d: id %d is of %d ms later", ms, id, late)
			}
		}
	})
}

// Many workers on shared seconds, over midnight too: every id is given once, says its own
// node, and is of its event's second or a later one. (The race detector looks on.)
func TestSharedIDsAreGivenOnce(t *testing.T) {
	endOfDay := midday - midday%86_400_000 - DefaultUTCOffsetMs + 86_398_000
	for _, c := range []struct {
		workers, draws int
		seconds        int64
	}{{2, 60_000, 1}, {8, 20_000, 3}, {100, 2000, 1}, {100, 2000, 50}} {
		cfg := DefaultCorrected()
		cfg.Node = 7
		s, err := NewShared(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([][]int64, c.workers)
		wasted := make([]int64, c.workers)
		var all sync.WaitGroup
		for n := range c.workers {
			all.Go(func() {
				w := s.Worker()
				for i := range c.draws {
					ms := endOfDay + int64(i*(n+1))%c.seconds*1000
					id, _, err := w.Draw(ms, 0)
					if err != nil {
						t.Error(err)
						return
					}
					if sec := DefaultLayout().secondMs(id); sec < ms || DefaultLayout().Node(id) != 7 {
						t.Errorf("id %d of an event at %d", id, ms)
						return
					}
					ids[n] = append(ids[n], id)
				}
				w.Reset()
				wasted[n] = w.Wasted()
			})
		}
		all.Wait()
		seen := map[int64]bool{}
		waste := int64(0)
		for n := range ids {
			waste += wasted[n]
			for _, id := range ids[n] {
				if seen[id] {
					t.Fatalf("%d workers, %d seconds: id %d is given twice", c.workers, c.seconds, id)
				}
				seen[id] = true
			}
		}
		taken := int64(0)
		for _, day := range *s.days.Load() {
			for i := range day {
				taken += int64(day[i].Load() & countMask)
			}
		}
		if taken != int64(len(seen))+waste {
			t.Errorf("%d numbers are taken, %d given and %d wasted", taken, len(seen), waste)
		}
	}
}
