package redis

import "errors"

// Config is how a server behaves.
type Config struct {
	RoundTripNs int64      // from a process to the server and back, 0 or more
	Outages     []Window   // in which no command is answered; ascending
	Failovers   []Failover // ascending
}

// Window is a stretch of virtual time, ns: FromNs <= t < ToNs.
type Window struct{ FromNs, ToNs int64 }

// Failover is a moment at which a replica takes over that lacks the last Lose writes.
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
	cfg       Config
	values    map[Key]*value
	failovers []Failover // still to come
	writes    []write    // the last ones, as many as a failover may take back
	most      int        // of those
	shared    map[string]any
}

// value is what a key holds.
type value struct {
	number    int64 // of a counter
	peak      int64 // highest number given before a failover took it back
	lost      bool  // peak is set
	expiresNs int64 // 0 for never
	top       EntryID
}

// write is what a key held before a write.
type write struct {
	key    Key
	before value
	absent bool
}

// New is an empty server.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, values: map[Key]*value{}, failovers: cfg.Failovers, shared: map[string]any{}}
	for _, f := range cfg.Failovers {
		s.most = max(s.most, f.Lose)
	}
	return s
}

// RoundTripNs is how long a command and its answer take.
func (s *Server) RoundTripNs() int64 { return s.cfg.RoundTripNs }

// Reply is what a counter says.
type Reply struct {
	Value int64
	Again bool // a number up to this one was given before a failover took it back
	New   bool // the key was not there
}

// Incr adds by, 1 or more, to a counter and gives its new value (INCRBY). The key expires
// forNs after this command, or never where that is 0. The error is ErrDown.
func (s *Server) Incr(atNs int64, key Key, by, forNs int64) (Reply, error) {
	v, isNew, err := s.write(atNs, key)
	if err != nil {
		return Reply{}, err
	}
	v.number += by
	if forNs > 0 {
		v.expiresNs = atNs + forNs
	}
	return Reply{Value: v.number, Again: v.lost && v.number-by < v.peak, New: isNew}, nil
}

// TryLock takes a lock for forNs (SET key NX PX) and says whether it was free.
func (s *Server) TryLock(atNs int64, key Key, forNs int64) (got bool, err error) {
	if err := s.reach(atNs); err != nil {
		return false, err
	}
	if v := s.values[key]; v != nil && atNs < v.expiresNs {
		return false, nil
	}
	v, _, err := s.write(atNs, key)
	if err != nil {
		return false, err
	}
	v.expiresNs = atNs + forNs
	return true, nil
}

// Unlock gives a lock back, whoever holds it (DEL).
func (s *Server) Unlock(atNs int64, key Key) error {
	v, _, err := s.write(atNs, key)
	if err != nil {
		return err
	}
	v.expiresNs = atNs
	return nil
}

// Shared is something that all processes around this server share, made by the first
// that asks for it by this name.
func (s *Server) Shared(name string, make func() any) any {
	if s.shared[name] == nil {
		s.shared[name] = make()
	}
	return s.shared[name]
}

// reach fails where the server is down, after the failovers before.
func (s *Server) reach(atNs int64) error {
	for len(s.failovers) > 0 && s.failovers[0].AtNs <= atNs {
		s.failOver(s.failovers[0].Lose)
		s.failovers = s.failovers[1:]
	}
	for _, w := range s.cfg.Outages {
		if w.FromNs <= atNs && atNs < w.ToNs {
			return ErrDown
		}
	}
	return nil
}

// write finds the value of a key that is about to be written.
func (s *Server) write(atNs int64, key Key) (v *value, isNew bool, err error) {
	if err := s.reach(atNs); err != nil {
		return nil, false, err
	}
	v = s.values[key]
	isNew = v == nil
	if v == nil {
		v = &value{}
		s.values[key] = v
	} else if v.expiresNs != 0 && v.expiresNs <= atNs {
		*v, isNew = value{}, true
	}
	if s.most > 0 {
		if len(s.writes) == s.most {
			s.writes = append(s.writes[:0], s.writes[1:]...)
		}
		s.writes = append(s.writes, write{key, *v, isNew})
	}
	return v, isNew, nil
}

// failOver takes back the last n writes.
func (s *Server) failOver(n int) {
	for ; n > 0 && len(s.writes) > 0; n-- {
		w := s.writes[len(s.writes)-1]
		s.writes = s.writes[:len(s.writes)-1]
		v := s.values[w.key]
		peak := v.number
		if v.lost {
			peak = max(peak, v.peak)
		}
		*v = w.before
		v.peak, v.lost = peak, true
	}
}
