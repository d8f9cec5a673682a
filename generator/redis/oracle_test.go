package redis

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// plainServer is the server said plainly: it holds the writes that stand, and works out
// what keys hold by carrying them out from the start.
type plainServer struct {
	cfg       Config
	stand     []plainWrite
	failovers int // that have been
	lostPeak  map[Key]int64
	lostIDs   map[string]bool
}

type plainWrite struct {
	atMs  int64
	key   Key
	forMs int64 // 0 leaves the expiry
	del   bool
	add   int64
	id    EntryID
}

type plainValue struct {
	number int64
	top    EntryID
	until  int64 // -1 for never
}

// state is what keys hold at a time.
func (p *plainServer) state(nowMs int64) map[Key]plainValue {
	values := map[Key]plainValue{}
	expire := func(atMs int64) {
		for key, v := range values {
			if v.until >= 0 && atMs > v.until {
				if key.Name == Counter {
					p.lostPeak[key] = max(p.lostPeak[key], v.number)
				}
				delete(values, key)
			}
		}
	}
	for _, w := range p.stand {
		expire(w.atMs)
		if w.del {
			delete(values, w.key)
			continue
		}
		v, there := values[w.key]
		if !there {
			v.until = -1
		}
		v.number += w.add
		if w.id != (EntryID{}) {
			v.top = w.id
		}
		if w.forMs > 0 {
			v.until = w.atMs + w.forMs
		}
		values[w.key] = v
	}
	expire(nowMs)
	return values
}

func (p *plainServer) at(atNs int64) (values map[Key]plainValue, nowMs int64, err error) {
	for ; p.failovers < len(p.cfg.Failovers) && p.cfg.Failovers[p.failovers].AtNs <= atNs; p.failovers++ {
		for range p.cfg.Failovers[p.failovers].Lose {
			if len(p.stand) == 0 {
				break
			}
			w := p.stand[len(p.stand)-1]
			if v := p.state(w.atMs)[w.key]; w.add > 0 {
				p.lostPeak[w.key] = max(p.lostPeak[w.key], v.number)
			}
			if w.id != (EntryID{}) {
				p.lostIDs[fmt.Sprint(w.key, w.id)] = true
			}
			p.stand = p.stand[:len(p.stand)-1]
		}
	}
	nowMs = atNs / 1e6
	for _, o := range p.cfg.Outages {
		if o.FromNs <= atNs && atNs < o.ToNs {
			return nil, nowMs, ErrDown
		}
	}
	return p.state(nowMs), nowMs, nil
}

func (p *plainServer) incr(atNs int64, key Key, by, forMs int64) (Reply, error) {
	values, nowMs, err := p.at(atNs)
	if err != nil {
		return Reply{}, err
	}
	v, there := values[key]
	p.stand = append(p.stand, plainWrite{atMs: nowMs, key: key, add: by, forMs: forMs})
	return Reply{Value: v.number + by, Again: v.number+1 <= p.lostPeak[key], New: !there}, nil
}

func (p *plainServer) tryLock(atNs int64, key Key, forMs int64) (bool, error) {
	values, nowMs, err := p.at(atNs)
	if err != nil {
		return false, err
	}
	if _, there := values[key]; there {
		return false, nil
	}
	p.stand = append(p.stand, plainWrite{atMs: nowMs, key: key, forMs: forMs})
	return true, nil
}

func (p *plainServer) unlock(atNs int64, key Key) error {
	values, nowMs, err := p.at(atNs)
	if _, there := values[key]; there {
		p.stand = append(p.stand, plainWrite{atMs: nowMs, key: key, del: true})
	}
	return err
}

// add is XADD; -1 as a number of id stands for the asterisk.
func (p *plainServer) add(atNs int64, key Key, ms, seq, clock int64) (Added, error) {
	values, nowMs, err := p.at(atNs)
	if err != nil {
		return Added{}, err
	}
	v, there := values[key]
	id := EntryID{uint64(ms), uint64(seq)}
	switch {
	case ms == 0 && seq == 0:
		return Added{}, ErrZeroID
	case ms < 0 && uint64(clock) > v.top.Ms:
		id = EntryID{uint64(clock), 0}
	case ms < 0 || seq < 0 && id.Ms == v.top.Ms:
		id = EntryID{v.top.Ms, v.top.Seq + 1}
	case seq < 0:
		id.Seq = 0
	}
	if id.Ms < v.top.Ms || id.Ms == v.top.Ms && id.Seq <= v.top.Seq {
		return Added{}, ErrNotAbove
	}
	p.stand = append(p.stand, plainWrite{atMs: nowMs, key: key, id: id})
	return Added{ID: id, Again: p.lostIDs[fmt.Sprint(key, id)], New: !there}, nil
}

// Whatever commands come when, with outages and failovers, the server answers as if every
// write that stands were carried out anew.
func TestServerIsReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const endNs = 40 * ms
		cfg := Config{}
		at := int64(0)
		for range rapid.IntRange(0, 2).Draw(t, "outages") {
			from := rapid.Int64Range(at, at+endNs).Draw(t, "down from")
			at = from + rapid.Int64Range(0, 2*ms).Draw(t, "down for")
			cfg.Outages = append(cfg.Outages, Window{from, at})
		}
		at = 0
		for range rapid.IntRange(0, 4).Draw(t, "failovers") {
			at = rapid.Int64Range(at, endNs).Draw(t, "failover")
			cfg.Failovers = append(cfg.Failovers, Failover{at, rapid.IntRange(0, 6).Draw(t, "lose")})
		}
		s, p := New(cfg), &plainServer{cfg: cfg, lostPeak: map[Key]int64{}, lostIDs: map[string]bool{}}
		at = 0
		ahead := rapid.SampledFrom([]int64{0, 5 * ms, endNs}).Draw(t, "ahead of other commands")
		sweeps := rapid.Bool().Draw(t, "sweep whenever there is a new key")
		windows := rapid.SampledFrom([][]int64{{0, 1}, {0, nearWindows, 2 * nearWindows}}).Draw(t, "windows") // the latter in one place
		var lockers []Locker                                                                                  // all of which are at each command
		for range rapid.IntRange(0, 2).Draw(t, "lockers") {
			lockers = append(lockers, s.Locker(0), s.Locker(1))
		}
		for i := range rapid.IntRange(1, 80).Draw(t, "commands") {
			if sweeps {
				s.sweepAt = 0
			}
			at += rapid.SampledFrom([]int64{0, 1, 1000, ms / 2, ms, 3 * ms}).Draw(t, "later")
			s.Began(at - ahead)
			for _, l := range lockers {
				l.Began(at)
			}
			key := Key{Of: rapid.Int64Range(0, 1).Draw(t, "of"), Window: rapid.SampledFrom(windows).Draw(t, "window")}
			var got, want any
			var err, wantErr error
			switch what := rapid.IntRange(0, 6).Draw(t, "command"); what {
			case 0, 1:
				by, forMs := rapid.Int64Range(1, 3).Draw(t, "by"), rapid.Int64Range(0, 4).Draw(t, "for")
				got, err = s.Incr(at, key, by, forMs*ms)
				want, wantErr = p.incr(at, key, by, forMs)
			case 2:
				key.Name = Lock
				forMs := rapid.Int64Range(1, 4).Draw(t, "for")
				got, err = s.TryLock(at, key, forMs*ms)
				want, wantErr = p.tryLock(at, key, forMs)
			case 3:
				key.Name = Lock
				err, wantErr = s.Unlock(at, key), p.unlock(at, key)
			case 4, 5:
				key.Name = Entries
				entryMs, seq := rapid.Int64Range(-1, 4).Draw(t, "ms"), rapid.Int64Range(-1, 2).Draw(t, "seq")
				clock := rapid.Int64Range(0, 4).Draw(t, "clock")
				want, wantErr = p.add(at, key, entryMs, seq, clock)
				switch {
				case entryMs < 0:
					got, err = s.AddAuto(at, key, clock)
				case seq < 0:
					got, err = s.AddIn(at, key, uint64(entryMs))
				default:
					got, err = s.Add(at, key, EntryID{uint64(entryMs), uint64(seq)})
				}
			case 6:
				key.Name = Entries
				got, err = s.Top(at, key)
				var values map[Key]plainValue
				values, _, wantErr = p.at(at)
				want = values[key].top
			}
			if got != want || err != wantErr {
				t.Fatalf("command %d at %d ns on %v: %+v, %v; want %+v, %v", i, at, key, got, err, want, wantErr)
			}
		}
	})
}
