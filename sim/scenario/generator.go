package scenario

import (
	"time"

	"twindrift/generator/catalog"
	"twindrift/sim/duration"
)

// Generator is the id algorithm and its options.
type Generator struct {
	// Name of the algorithm: second-slot draws from the second of the event,
	// consumption-time from the second in which the message is consumed;
	// redis-counter counts in Redis, snowflake has a worker and a sequence for each
	// ms, redis-streams gives entry ids, external asks a program. `twindrift id
	// generators` says more of each. Default second-slot.
	Name string `json:"name"`

	// Variant of the algorithm: published is what the public design notes do, faults
	// included; corrected gives ids of the same form, always drawn and never twice, or
	// refuses a message. snowflake has preallocated-published,
	// preallocated-corrected, locked-published, two-level, adaptive and
	// unsynchronised; redis-streams has event, event-retry, auto, monotonic,
	// monotonic-retry, partition-coded, partition-coded-retry, sharded and sharded-retry; external has
	// process. Default the first of each.
	Variant string `json:"variant"`

	// UTCOffset is local time less UTC, where ids say local time. Default 8h; 0s
	// is UTC, and zones west of Greenwich are negative. Whole seconds, within 18h.
	UTCOffset duration.Duration `json:"utc_offset"`

	// Step is the distance between consecutive ids of a node. From 129 up all
	// ids have scores (float64) of their own. Default 200.
	Step int64 `json:"step" min:"1" max:"1000000"`

	// PerSecond is how many ids a node has for one second before it borrows the
	// next; times step, at most the 1000000 of a node's range. Default 5000.
	PerSecond int64 `json:"per_second" min:"1" max:"1000000"`

	// JumpLimit is how many full seconds one draw walks over before it gives up
	// and hands out an id that it did not draw. Default 16; 0 never walks.
	JumpLimit int64 `json:"jump_limit" min:"0" max:"86400"`

	// Corrected are options of second-slot, variant corrected.
	Corrected *Corrected `json:"corrected,omitempty"`

	// Redis is the server of the generators that use one.
	Redis *Redis `json:"redis,omitempty"`

	// Counter are options of redis-counter.
	Counter *Counter `json:"counter,omitempty"`

	// Snowflake are options of snowflake.
	Snowflake *Snowflake `json:"snowflake,omitempty"`

	// Streams are options of redis-streams.
	Streams *Streams `json:"streams,omitempty"`

	// External is the process of external.
	External *External `json:"external,omitempty"`
}

// Corrected are the options of second-slot corrected.
type Corrected struct {
	// Reach is how much later than its event an id may be; past that a message is
	// refused. Default 10m.
	Reach duration.Duration `json:"reach"`

	// KeepDays is how many days before the latest have their numbers kept, so that
	// their messages still get ids of their own. Default 3.
	KeepDays int64 `json:"keep_days" min:"0" max:"366"`

	// AheadDays is how many days after the latest a message may be; further ones are
	// refused. Default 1.
	AheadDays int64 `json:"ahead_days" min:"0" max:"366"`

	// ClampOld has older messages drawn as of the oldest day that is kept, instead
	// of being refused. Default false.
	ClampOld bool `json:"clamp_old"`

	// Block is how many numbers are reserved ahead of their use, so that a restart
	// gives none again; 0 reserves none, and a restart that loses its state repeats
	// ids. Default 50.
	Block int64 `json:"block" min:"0" max:"1000000"`
}

func (c *Corrected) defaults() {
	o := catalog.Defaults()
	*c = Corrected{
		Reach:    duration.Duration(time.Duration(o.ReachS) * time.Second),
		KeepDays: o.KeepDays, AheadDays: o.AheadDays, ClampOld: o.ClampOld, Block: int64(o.Block),
	}
}

// Redis is a server in virtual time.
type Redis struct {
	// Shared has all sites use one server. Default false: each has its own.
	Shared bool `json:"shared"`

	// RoundTrip is how long a command and its answer take. Default 500us.
	RoundTrip duration.Duration `json:"round_trip"`

	// Outages are stretches in which it does not answer.
	Outages []Stretch `json:"outages,omitempty"`

	// Failovers are moments at which a replica takes over.
	Failovers []Failover `json:"failovers,omitempty"`
}

func (r *Redis) defaults() { *r = Redis{RoundTrip: duration.Duration(500 * time.Microsecond)} }

// Failover is a replica of Redis that takes over.
type Failover struct {
	// At is when it takes over.
	At Moment `json:"at" required:"true"`

	// Lose is how many of the last writes the replica has not got. Default 0.
	Lose int64 `json:"lose" min:"0" max:"10000000"`
}

// Counter are the options of redis-counter.
type Counter struct {
	// Time that the ids say: of the site's clock (now), as published, or of the
	// event (event). Default now.
	Time string `json:"time" enum:"now,event"`

	// Start is what each day's counter stands at before its first number, to see
	// what happens past 4294967295. Default 0.
	Start int64 `json:"start" min:"0" max:"1099511627776"`

	// Block is how many numbers a process of the corrected form takes at once.
	// Default 1000.
	Block int64 `json:"block" min:"1" max:"1000000"`
}

func (c *Counter) defaults() { *c = Counter{Time: "now", Block: 1000} }

// Snowflake are the options of snowflake.
type Snowflake struct {
	// Range is how many numbers the preallocated forms take at once. Default 1024.
	Range int64 `json:"range" min:"1" max:"4096"`

	// Call is how long one call takes; calls of the unsynchronised form that
	// overlap give one id. Default 1us.
	Call duration.Duration `json:"call"`
}

func (s *Snowflake) defaults() {
	*s = Snowflake{Range: 1024, Call: duration.Duration(time.Microsecond)}
}

// Streams are the options of redis-streams.
type Streams struct {
	// MaxSeq is the sequence number past which the monotonic form borrows the next
	// millisecond. Default 999.
	MaxSeq int64 `json:"max_seq" min:"1" max:"1000000"`
}

func (s *Streams) defaults() { *s = Streams{MaxSeq: 999} }

// External is a generator in a process of its own, one for each consumer.
type External struct {
	// Command is the program and its arguments.
	Command []string `json:"command" required:"true"`

	// Framing is how messages and ids travel: binary, or a JSON object a line
	// (ndjson). Default binary.
	Framing string `json:"framing" enum:"binary,ndjson"`

	// Layout is what the digits of the ids mean, by the name of the generator that
	// gives such. Default second-slot.
	Layout string `json:"layout" enum:"second-slot,redis-counter,snowflake,redis-streams"`

	// Timeout is how long an answer may take. Default 30s.
	Timeout duration.Duration `json:"timeout"`

	// Batch is how many messages go in one request. Default 8192.
	Batch int64 `json:"batch" min:"1" max:"1000000"`
}

func (e *External) defaults() {
	*e = External{Framing: "binary", Layout: "second-slot", Timeout: duration.Duration(30 * time.Second), Batch: 8192}
}

func (g *Generator) defaults() {
	*g = Generator{
		Name:      "second-slot",
		UTCOffset: duration.Duration(8 * time.Hour),
		Step:      200, PerSecond: 5000, JumpLimit: 16,
	}
}
