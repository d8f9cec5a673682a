package redis

import (
	"errors"
	"math"
	"testing"
)

const ms = 1_000_000 // ns

func incr(t *testing.T, s *Server, atNs int64, key Key, by, forNs int64, want Reply) {
	t.Helper()
	if got, err := s.Incr(atNs, key, by, forNs); err != nil || got != want {
		t.Fatalf("INCRBY %d at %d: %+v, %v; want %+v", by, atNs, got, err, want)
	}
}

func TestIncr(t *testing.T) {
	s := New(Config{RoundTripNs: 7})
	if s.RoundTripNs() != 7 {
		t.Errorf("round trip %d", s.RoundTripNs())
	}
	a, b := Key{Counter, 1, 0}, Key{Counter, 2, 0}
	incr(t, s, 0, a, 1, 0, Reply{Value: 1, New: true})
	incr(t, s, 1, a, 1024, 0, Reply{Value: 1025})
	incr(t, s, 2, b, 5, 0, Reply{Value: 5, New: true})
	incr(t, s, math.MaxInt64, a, 1, 0, Reply{Value: 1026})
	if _, err := s.Incr(math.MaxInt64, a, math.MaxInt64, 0); err != ErrOverflow {
		t.Errorf("past int64: %v", err)
	}
}

// A key written in ms 10 for 5 ms is there in ms 15 and not in ms 16.
func TestExpiry(t *testing.T) {
	key := Key{Alloc, 1, 1}
	s := New(Config{})
	incr(t, s, 10*ms+999_999, key, 1, 5*ms, Reply{Value: 1, New: true})
	incr(t, s, 16*ms-1, key, 1, 0, Reply{Value: 2}) // without a time, the expiry stays
	incr(t, s, 16*ms, key, 1, 5*ms, Reply{Value: 1, New: true})
	incr(t, s, 21*ms, key, 1, 5*ms, Reply{Value: 2}) // with one, it counts from here
	incr(t, s, 26*ms, key, 1, 1, Reply{Value: 3})    // 1 ns is a ms
	incr(t, s, 28*ms-1, key, 1, 0, Reply{Value: 4})
	incr(t, s, 28*ms, key, 1, 0, Reply{Value: 1, New: true}) // and now for ever
	incr(t, s, math.MaxInt64, key, 1, 0, Reply{Value: 2})

	before := Key{Alloc, 1, 2} // before 1970 too, a ms is a ms
	incr(t, s, -1, before, 1, 1*ms, Reply{Value: 1, New: true})
	incr(t, s, 1*ms-1, before, 1, 0, Reply{Value: 2})
	incr(t, s, 1*ms, before, 1, 0, Reply{Value: 1, New: true})
}

func TestLock(t *testing.T) {
	s := New(Config{})
	key := Key{Lock, 1, 1000}
	take := func(atNs int64, want bool) {
		t.Helper()
		if got, err := s.TryLock(atNs, key, 5*ms); err != nil || got != want {
			t.Fatalf("SET NX PX 5 at %d ns: %v, %v; want %v", atNs, got, err, want)
		}
	}
	take(0, true)
	take(1, false)
	take(6*ms-1, false)
	take(6*ms, true) // the slow holder's time is over
	if err := s.Unlock(6*ms+1, key); err != nil {
		t.Fatal(err) // who gives back a lock that is another's now
	}
	take(6*ms+2, true)
	if err := s.Unlock(6*ms+3, Key{Lock, 1, 7}); err != nil {
		t.Errorf("unlocks what nobody holds: %v", err)
	}
}

func TestOutages(t *testing.T) {
	s := New(Config{Outages: []Window{{10, 20}, {15, 18}, {30, 31}}})
	key := Key{Counter, 0, 0}
	for _, c := range []struct {
		atNs int64
		down bool
	}{{9, false}, {10, true}, {17, true}, {19, true}, {20, false}, {29, false}, {30, true}, {31, false}} {
		_, err := s.Incr(c.atNs, key, 1, 0)
		_, lockErr := s.TryLock(c.atNs, Key{Lock, 0, c.atNs}, 1)
		unlockErr := s.Unlock(c.atNs, Key{Lock, 0, c.atNs})
		_, addErr := s.Add(c.atNs, Key{Entries, 0, 0}, EntryID{uint64(c.atNs), 0})
		_, topErr := s.Top(c.atNs, Key{Entries, 0, 0})
		for _, err := range []error{err, lockErr, unlockErr, addErr, topErr} {
			if errors.Is(err, ErrDown) != c.down || err != nil && !c.down {
				t.Errorf("at %d: %v", c.atNs, err)
			}
		}
	}
	incr(t, s, 40, key, 1, 0, Reply{Value: 5}) // the five before were carried out
}

// Of 1 2 3 4 the last two had not reached the replica, so 3 and 4 are given again, and 5
// is not. What comes at the moment of a failover comes after it.
func TestFailover(t *testing.T) {
	s := New(Config{Failovers: []Failover{{AtNs: 10, Lose: 2}}})
	key := Key{Counter, 0, 0}
	for n := range int64(4) {
		incr(t, s, 6+n, key, 1, 0, Reply{Value: n + 1, New: n == 0})
	}
	incr(t, s, 10, key, 1, 0, Reply{Value: 3, Again: true})
	incr(t, s, 11, key, 1, 0, Reply{Value: 4, Again: true})
	incr(t, s, 12, key, 1, 0, Reply{Value: 5})
}

// A block is given again where its first number is.
func TestFailoverOfBlocks(t *testing.T) {
	s := New(Config{Failovers: []Failover{{AtNs: 10, Lose: 1}}})
	key := Key{Blocks, 0, 0}
	incr(t, s, 0, key, 100, 0, Reply{Value: 100, New: true})
	incr(t, s, 1, key, 100, 0, Reply{Value: 200})
	incr(t, s, 10, key, 99, 0, Reply{Value: 199, Again: true})
	incr(t, s, 11, key, 100, 0, Reply{Value: 299, Again: true})
	incr(t, s, 12, key, 100, 0, Reply{Value: 399})
}

// A failover takes back whatever was written: a key's making, a lock, its return, an
// entry. What changed nothing does not count.
func TestFailoverOfEverything(t *testing.T) {
	s := New(Config{Failovers: []Failover{{AtNs: 100, Lose: 4}, {AtNs: 200, Lose: 1000}}})
	counter, held, free, stream := Key{Counter, 0, 0}, Key{Lock, 0, 1}, Key{Lock, 0, 2}, Key{Entries, 0, 0}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	lock := func(atNs int64, key Key, want bool) {
		t.Helper()
		if got, err := s.TryLock(atNs, key, 5*ms); err != nil || got != want {
			t.Fatalf("lock: %v, %v", got, err)
		}
	}
	add := func(atNs int64, id EntryID, want Added, wantErr error) {
		t.Helper()
		if got, err := s.Add(atNs, stream, id); err != wantErr || got != want {
			t.Fatalf("XADD %v: %+v, %v; want %+v, %v", id, got, err, want, wantErr)
		}
	}
	lock(1, held, true)
	add(2, EntryID{5, 0}, Added{ID: EntryID{5, 0}, New: true}, nil)
	// To be taken back:
	incr(t, s, 3, counter, 1, 0, Reply{Value: 1, New: true})
	ok(s.Unlock(4, held))
	lock(5, free, true)
	add(6, EntryID{6, 0}, Added{ID: EntryID{6, 0}}, nil)
	// No writes:
	lock(7, free, false)
	ok(s.Unlock(8, held))
	add(9, EntryID{6, 0}, Added{}, ErrNotAbove)

	lock(100, held, false)
	lock(101, free, true)
	incr(t, s, 102, counter, 1, 0, Reply{Value: 1, Again: true, New: true})
	if top, err := s.Top(103, stream); err != nil || top != (EntryID{5, 0}) {
		t.Fatalf("top %v, %v", top, err)
	}
	add(104, EntryID{5, 1}, Added{ID: EntryID{5, 1}}, nil)
	add(105, EntryID{6, 0}, Added{ID: EntryID{6, 0}, Again: true}, nil)

	// The second one leaves nothing.
	incr(t, s, 200, counter, 1, 0, Reply{Value: 1, Again: true, New: true})
	lock(201, held, true)
	add(202, EntryID{5, 0}, Added{ID: EntryID{5, 0}, Again: true, New: true}, nil)
}

// The log holds no more than failovers may take back, and nothing after the last.
func TestLogIsBounded(t *testing.T) {
	s := New(Config{Failovers: []Failover{{AtNs: 1000, Lose: 3}, {AtNs: 2000, Lose: 2}}})
	key := Key{Counter, 0, 0}
	for at := range int64(1000) {
		incr(t, s, at, key, 1, 0, Reply{Value: at + 1, New: at == 0})
	}
	if n := len(s.lost.log.writes); n != 5 {
		t.Errorf("%d writes kept, want 5", n)
	}
	// With no write between them, the second goes on where the first ended.
	incr(t, s, 2000, key, 1, 0, Reply{Value: 996, Again: true})
	if s.lost.log.writes != nil {
		t.Error("writes kept for nothing")
	}
	s = New(Config{Failovers: []Failover{{AtNs: 1000, Lose: 0}}})
	incr(t, s, 0, key, 1, 0, Reply{Value: 1, New: true})
	if s.lost.log.writes != nil {
		t.Error("writes kept that no failover takes back")
	}
}

// Keys with an expiry do not pile up.
func TestExpiredKeysGo(t *testing.T) {
	s := New(Config{})
	most := 0
	for n := range int64(200_000) {
		s.Began(n * ms)
		incr(t, s, n*ms, Key{Alloc, 0, n}, 1, 10*ms, Reply{Value: 1, New: true})
		incr(t, s, n*ms, Key{Counter, 0, n / 1000}, 1, 0, Reply{Value: n%1000 + 1, New: n%1000 == 0})
		most = max(most, len(s.values))
	}
	if most > 2*fewKeys {
		t.Errorf("%d keys at once", most)
	}
	for day := range int64(200) { // those without stay
		incr(t, s, 200_000*ms, Key{Counter, 0, day}, 1, 0, Reply{Value: 1001})
	}
}

func TestShared(t *testing.T) {
	s := New(Config{})
	one := s.Shared("a", func() any { return new(int) })
	if s.Shared("a", func() any { return new(int) }) != one {
		t.Error("another one")
	}
	if s.Shared("b", func() any { return new(int) }) == one {
		t.Error("two names, one thing")
	}
}

func BenchmarkIncr(b *testing.B) {
	s := New(Config{Failovers: []Failover{{AtNs: math.MaxInt64, Lose: 1000}}})
	for n := int64(0); b.Loop(); n++ {
		if _, err := s.Incr(n*1000, Key{Alloc, n % 4, n / 1000}, 1, 5*ms); err != nil {
			b.Fatal(err)
		}
	}
}
