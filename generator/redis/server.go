package redis

import (
	"errors"
	"math"
)

// Config is how a server behaves.
type Config struct {
	RoundTripNs int64      // from a process to the server and back, 0 or more
	Outages     []Window   // in which no command is answered; ascending
	Failovers   []Failover // ascending
}

// Window is a stretch of virtual time, ns: FromNs <= t < ToNs.
type Window struct{ FromNs, ToNs int64 }

// Failover is a moment at which a replica takes over that lacks the last Lose writes of
// those before AtNs. A command that changed nothing, such as a refused one, is no write.
type Failover struct {
	AtNs int64
	Lose int
}

// ErrDown says that the server does not answer.
var ErrDown = errors.New("redis does not answer")

// Key names a value: what it is of, in numbers.
type Key struct {
	Name       Name
	Of, Window int64 // a worker, a site; a second, a day
}

// Name tells the keys of different purposes apart.
type Name uint8

// The names.
const (
	Counter Name = iota // icr:{prefix}:{yyyy:MM:dd}
	Lock                // snowflake:lock:{worker}:{ms}
	Alloc               // snowflake:alloc:{worker}:{window}
	Blocks              // of an allocation service
	Entries             // a stream
)

// Server is one server with its state.
type Server struct {
	cfg     Config
	near    [nearKeys]nearKey // keys used lately, found without hashing
	values  map[Key]*value    // others
	sweepAt int               // number of keys at which the expired ones are swept out
	beganNs int64             // no command comes any more that is due to anything before
	outages []Window          // ascending
	lost    lost
	shared  map[string]any

	lockers     map[int64]*lockers // by number
	nearLockers [nearOfs]*lockers  // some of them, found without hashing; nil where there are none
}

// value is what a key holds.
type value struct {
	number  int64   // of a counter
	top     EntryID // of a stream
	untilMs int64   // last ms in which the key is there
	freed   bool    // a lock that was given back
	freedNs int64   // from when it is gone
}

// never is the untilMs of a key that does not expire.
const never = math.MaxInt64

// fewKeys are not worth a sweep.
const fewKeys = 1024

// New is an empty server.
func New(cfg Config) *Server {
	return &Server{
		cfg:     cfg,
		values:  map[Key]*value{},
		sweepAt: fewKeys,
		beganNs: math.MinInt64,
		outages: cfg.Outages,
		lost:    newLost(cfg.Failovers),
		lockers: map[int64]*lockers{},
		shared:  map[string]any{},
	}
}

// RoundTripNs is how long a command and its answer take.
func (s *Server) RoundTripNs() int64 { return s.cfg.RoundTripNs }

// Shared is something that all processes around this server share, made by the first
// that asks for it by this name.
func (s *Server) Shared(name string, make func() any) any {
	if s.shared[name] == nil {
		s.shared[name] = make()
	}
	return s.shared[name]
}

// reach brings the server to the moment of a command: failovers up to it have happened.
// It fails where the server is down.
func (s *Server) reach(atNs int64) error {
	if len(s.lost.failovers)+len(s.outages) == 0 {
		return nil
	}
	return s.reachThrough(atNs)
}

// reachThrough is reach where there is trouble, or was.
func (s *Server) reachThrough(atNs int64) error {
	for len(s.lost.failovers) > 0 && s.lost.failovers[0].AtNs <= atNs {
		s.failOver()
	}
	for _, w := range s.outages {
		if w.FromNs <= atNs && atNs < w.ToNs {
			return ErrDown
		}
	}
	return nil
}

// Began says that a draw begins, and that all that come later do no earlier. A process
// that is busy sends commands ahead of the others' time; what expires in between is only
// swept out when no draw can be before it any more.
func (s *Server) Began(atNs int64) { s.beganNs = max(s.beganNs, atNs) }

// get is what a key holds; nothing, which does not expire, where it is not there.
func (s *Server) get(atNs int64, key Key) (v value, there bool) {
	if held := s.alive(atNs, key); held != nil {
		return *held, true
	}
	return value{untilMs: never}, false
}

// alive is where a key's value is held; nil where it is not there.
func (s *Server) alive(atNs int64, key Key) *value {
	held := s.find(key)
	if held != nil && held.over(atNs) {
		s.lost.expired(key, *held)
		return nil
	}
	return held
}

// over says whether a value is not there at a moment.
func (v *value) over(atNs int64) bool {
	return v.freed && v.freedNs <= atNs || v.untilMs != never && v.untilMs < serverMs(atNs)
}

// put writes a key; before and there are what get gave.
func (s *Server) put(atNs int64, key Key, before value, there bool, after value) {
	if len(s.lost.failovers) > 0 { // to be taken back by one
		s.lost.log.push(write{key, before, there, after})
	}
	s.set(key, after)
	if !there && len(s.values) >= s.sweepAt {
		s.sweep(serverMs(s.beganNs))
	}
}

// nearKey is a key and what it holds. They stand in a direct-mapped table, since
// processes mostly use a few keys in turn, and locks one after the other for a few ms each.
type nearKey struct {
	key   Key
	held  bool
	value value
}

// The table has nearWindows windows in a row, of nearOfs workers or sites.
const (
	nearOfs     = 16
	nearWindows = 16
	nearKeys    = nearOfs * nearWindows
)

func (s *Server) nearOf(key Key) *nearKey {
	return &s.near[(uint64(key.Of)+uint64(key.Name))%nearOfs*nearWindows+uint64(key.Window)%nearWindows]
}

// find is where a key's value is held, until the next that is set; nil for nowhere.
func (s *Server) find(key Key) *value {
	if n := s.nearOf(key); n.held && n.key == key {
		return &n.value
	}
	if len(s.values) == 0 {
		return nil
	}
	return s.values[key]
}

func (s *Server) set(key Key, v value) {
	if held := s.find(key); held != nil {
		*held = v
		return
	}
	*s.newKey(key) = v
}

// newKey is where the value of a key goes that is nowhere.
func (s *Server) newKey(key Key) *value {
	n := s.nearOf(key)
	if n.held {
		if n.key.Name == Lock && s.lockersOf(n.key.Of).past(&n.value) || n.value.past(serverMs(s.beganNs)) {
			s.lost.expired(n.key, n.value)
		} else {
			s.values[n.key] = new(n.value)
		}
	}
	n.key, n.held = key, true
	return &n.value
}

func (s *Server) drop(key Key) {
	if n := s.nearOf(key); n.held && n.key == key {
		n.held = false
		return
	}
	delete(s.values, key)
}

// past says whether a value is not there in any ms from nowMs on.
func (v *value) past(nowMs int64) bool {
	return v.untilMs < nowMs || v.freed && v.freedNs/1e6 < nowMs
}

// sweep takes out what has expired. It looks at every key, after as many new ones as were
// left by the last sweep.
func (s *Server) sweep(nowMs int64) {
	for key, v := range s.values {
		if v.past(nowMs) {
			s.lost.expired(key, *v)
			s.drop(key)
		}
	}
	s.sweepAt = max(fewKeys, 2*len(s.values))
}

// serverMs is the server's clock, which is right.
func serverMs(atNs int64) int64 {
	ms := atNs / 1e6
	if atNs%1e6 < 0 {
		ms--
	}
	return ms
}

// expiry is the last ms of a key written now that expires in forNs, more than 0: PX and
// PEXPIRE take whole ms, here rounded up, and a key is there while the clock is not past
// the sum (keyIsExpired in redis/redis src/db.c).
func expiry(atNs, forNs int64) int64 {
	return serverMs(atNs) + (forNs-1)/1e6 + 1
}
