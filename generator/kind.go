package generator

// Kind tells how a draw ended: properly, with an id that is not what the generator
// promises, or without one.
type Kind uint8

// The kinds. Those from TooEarly on are refusals: there is no id.
const (
	Drawn Kind = iota // taken from a sequence, this id only

	StaleDay        // second-slot: the slot belonged to a later day; first id of the second, undrawn
	JumpLimit       // second-slot: the walk over full slots was given up; undrawn
	DayEnd          // second-slot: the walk ran past the last second of the day; undrawn
	ZeroID          // snowflake: 0, which is handed out in each new millisecond
	NegativeRange   // snowflake: of the first range, whose numbers are negative and wipe time and worker
	SequenceSpill   // a sequence number that runs into the digits above it
	CounterOverflow // redis-counter: a count past 32 bits, which runs into the time
	CounterBack     // redis: a number that was given before a failover lost it, or its key expired
	Overlap         // snowflake: the state was read while another call was at it
	StaleRange      // snowflake: a number of a range that was allotted for another second

	TooEarly    // second-slot: before the slots begin
	TooLate     // the time has no room in an id
	TooOld      // second-slot: older than the days kept
	TooFarAhead // second-slot: days after all that came before
	NoRoom      // second-slot: every second in reach is full
	CounterFull // redis-counter: the day's numbers are used up
	RedisDown   // redis does not answer
	ClockBack   // the clock stands before the last id
	NotAbove    // redis-streams: not above the stream's last entry, so the server refuses the write
	External    // external: the process gave no id

	Kinds // how many there are
)

const firstRefusal = TooEarly

var kindNames = [Kinds]string{
	"drawn",
	"stale-day", "jump-limit", "day-end", "zero-id", "negative-range", "sequence-spill", "counter-overflow", "counter-back", "overlap", "stale-range",
	"too-early", "too-late", "too-old", "too-far-ahead", "no-room", "counter-full", "redis-down", "clock-back", "equal-or-smaller", "external",
}

// String is the name used in reports.
func (k Kind) String() string { return kindNames[k] }

// Refused says that the draw gave no id.
func (k Kind) Refused() bool { return k >= firstRefusal }

// Refusal is an error of Draw that is an outcome like others: this one message gets no
// id, and the generator goes on.
type Refusal interface {
	error
	Kind() Kind
}
