package result

// Format and Version open every result file.
const (
	Format  = "twindrift-result"
	Version = 1
)

// Result is one run.
type Result struct {
	Format   string `json:"format"`   // always twindrift-result
	Version  int    `json:"version"`  // of the structure of this file
	Scenario any    `json:"scenario"` // the scenario with every default filled in

	Input Input `json:"input"` // what was replayed

	SiteNames []string         `json:"site_names"` // in the scenario's order
	Sites     map[string]*Site `json:"sites"`      // what happened at each site, by its name

	PairNames []string            `json:"pair_names"` // "east-west", ...
	Between   map[string]*Between `json:"between"`    // the sites compared pair by pair, by the names of pair_names

	// Replications are the figures over several replications of luck; left out
	// where there is one. All else is of the first.
	Replications *Replications `json:"replications,omitempty"`

	// Thresholds are what the scenario asked of the figures, in its order.
	Thresholds []Threshold `json:"thresholds"`

	// Checks are sums that must add up; a run in which one does not is an
	// error, so a result file holds only passed ones.
	Checks []Check  `json:"checks"`
	Notes  []string `json:"notes"` // what the reader should know before believing the figures
}

// Check is one equation over the figures of a run: Left and Right, equal when
// Passed.
type Check struct {
	Name   string `json:"name"`   // "east: consumed = filtered + stored + store-off"
	Left   int64  `json:"left"`   // side of the equation
	Right  int64  `json:"right"`  // side of the equation
	Passed bool   `json:"passed"` // Left equals Right
}

// Input says what was replayed. It does not depend on how the capture is cut
// into files.
type Input struct {
	Messages    int64            `json:"messages"`     // in all partitions, after the scenario's changes to the traffic
	NoTimestamp int64            `json:"no_timestamp"` // messages without a timestamp
	Skipped     int64            `json:"skipped"`      // of these, left out by the scenario's policy
	MinMs       int64            `json:"min_ms"`       // smallest and largest timestamp
	MaxMs       int64            `json:"max_ms"`       // ms since the Unix epoch, as min_ms
	PeakSecond  SecondCount      `json:"peak_second"`  // of the timestamps
	Disorder    Disorder         `json:"disorder"`     // all partitions together (sums; worst of all)
	Partitions  []InputPartition `json:"partitions"`   // by topic, then number
	Notes       []Note           `json:"notes"`        // what was found when the capture was read: gaps, doubtful timestamps, ...
}

// InputPartition is one partition of the input.
type InputPartition struct {
	Topic       string   `json:"topic"`        // its name
	Partition   int32    `json:"partition"`    // its number
	Messages    int64    `json:"messages"`     // in it
	FirstOffset int64    `json:"first_offset"` // Kafka offset of its first message
	LastOffset  int64    `json:"last_offset"`  // and of its last
	MinMs       int64    `json:"min_ms"`       // smallest timestamp, ms since the Unix epoch
	MaxMs       int64    `json:"max_ms"`       // and the largest
	Disorder    Disorder `json:"disorder"`     // in it alone
}

// Disorder of the input itself, in offset order within each partition:
// messages whose timestamp is below the largest before them (RFC 4737).
type Disorder struct {
	Reordered   int64   `json:"reordered"`     // messages below the largest before them
	Share       float64 `json:"share"`         // of all messages
	MaxBehindMs int64   `json:"max_behind_ms"` // furthest below the running maximum
}

// SecondCount is a second (Unix) and how many messages or ids it holds.
type SecondCount struct {
	Second int64 `json:"second"` // s since the Unix epoch
	Count  int64 `json:"count"`  // messages or ids in it
}

// Note is something found in the input.
type Note struct {
	Kind string `json:"kind"` // a short name: gaps, duplicates-dropped, null-timestamps, unit, ...
	Text string `json:"text"` // a sentence
	Rows int64  `json:"rows"` // how many rows it concerns; 0 where that has no meaning
}

// Summary is the exact distribution of an integer quantity in short.
// Quantiles are by nearest rank: the smallest value with at least that share
// of all at or below it.
type Summary struct {
	N    int64   `json:"n"`    // how many values
	Min  int64   `json:"min"`  // smallest value
	P50  int64   `json:"p50"`  // median
	P90  int64   `json:"p90"`  // 90 % are at or below it
	P99  int64   `json:"p99"`  // 99 %
	P999 int64   `json:"p999"` // 99.9 %
	Max  int64   `json:"max"`  // largest value
	Mean float64 `json:"mean"` // sum by n
}

// Bin counts values v with From <= v < To.
type Bin struct {
	From  int64 `json:"from"`  // smallest value of the bin
	To    int64 `json:"to"`    // first value above it
	Count int64 `json:"count"` // values in it
}

// Site is what happened at one site.
type Site struct {
	Name      string     `json:"name"`      // as in the scenario
	Consumers []Consumer `json:"consumers"` // its processes, in the scenario's order
	Push      Push       `json:"push"`      // late-push filtering
	Lag       []LagPoint `json:"lag"`       // by minute of virtual time

	// The chosen generator's figures stand in the site itself
	// (sites.east.duplicates), the baseline's beside them.
	Lane
	Baseline Lane `json:"baseline"` // the same draws by the consumption-time generator
}

// Consumer is one process of a site.
type Consumer struct {
	Node       int      `json:"node"`        // its number
	Partitions []string `json:"partitions"`  // "topic/3"
	Consumed   int64    `json:"consumed"`    // deliveries
	MaxWaitMs  int64    `json:"max_wait_ms"` // longest time from arrival at the site to start
}

// LagPoint is how far a site's draws stood behind the source log in one
// minute of virtual time: draw time less append time.
type LagPoint struct {
	MinuteMs int64 `json:"minute_ms"`  // start of the minute, ms since the Unix epoch
	Draws    int64 `json:"draws"`      // in this minute
	MaxLagMs int64 `json:"max_lag_ms"` // of them, draw time by the site clock less append time
}

// Push is late-push filtering at one site.
// Consumed = Filtered + Refused + StoreOff + Deduplicated + Stored; Stored = Pushed + Late.
type Push struct {
	Consumed     int64 `json:"consumed"`     // deliveries, those of one message each counted
	Filtered     int64 `json:"filtered"`     // dropped by the business filter, without an id
	Refused      int64 `json:"refused"`      // given no id by the generator, and so not stored
	StoreOff     int64 `json:"store_off"`    // given an id, and not stored for their topic
	Deduplicated int64 `json:"deduplicated"` // given an id, and not stored since the message is
	Stored       int64 `json:"stored"`       // in the list, each delivery counted
	Pushed       int64 `json:"pushed"`       // of the stored, not above the deadline
	Late         int64 `json:"late"`         // of the stored, above the deadline: kept, not pushed
	Again        int64 `json:"again"`        // of the consumed, deliveries of messages that had been drawn before
	StoredAgain  int64 `json:"stored_again"` // of the stored, such deliveries

	DeadlineMs int64         `json:"deadline_ms"`           // as in the scenario
	Lateness   *Summary      `json:"lateness_ms"`           // draw time less event time, of stored messages
	Early      int64         `json:"early"`                 // of them, drawn before their event time (clocks)
	Histogram  []Bin         `json:"lateness_histogram_ms"` // of lateness, in ms
	Deadlines  []DeadlineRow `json:"deadlines"`             // what other deadlines would have held back
	Minutes    []MinuteRow   `json:"minutes"`               // in which something was stored, ascending
	Witnesses  []Witness     `json:"witnesses"`             // the first late messages
}

// DeadlineRow says how many stored messages a deadline would have held back.
type DeadlineRow struct {
	DeadlineMs int64   `json:"deadline_ms"` // age that it allows
	Late       int64   `json:"late"`        // stored messages above it
	Share      float64 `json:"share"`       // of stored
}

// MinuteRow is one minute of virtual time (by draw time).
type MinuteRow struct {
	MinuteMs int64 `json:"minute_ms"` // its start by the site's clock, ms since the Unix epoch
	Stored   int64 `json:"stored"`    // in it
	Late     int64 `json:"late"`      // of these
}

// Lane is what one generator did with the draws of one site.
type Lane struct {
	Generator   string     `json:"generator"`     // "second-slot published"
	IDs         string     `json:"id_layout"`     // what the digits of the ids mean, by the name of a generator
	ByClock     bool       `json:"by_clock"`      // ids are of the moment of their draw, not of their event
	PerSecond   int64      `json:"per_second"`    // ids that one node can draw for one second; 0 where there is no such limit
	UTCOffsetMs int64      `json:"utc_offset_ms"` // the local time that the ids' digits say, less UTC
	Stored      int64      `json:"stored"`        // deliveries that got an id and are in the list
	Order       Order      `json:"order"`         // macro-order drift
	Overflow    Overflow   `json:"overflow"`      // ids of another second than their message
	Duplicates  Duplicates `json:"duplicates"`    // one id for several messages
	List        List       `json:"list"`          // the sorted set at the end
	Refusals    Refusals   `json:"refusals"`      // messages that the generator gave no id
	Costs       *Costs     `json:"costs"`         // what the ids have cost beside computing; null where nothing
}

// Refusals are deliveries for which the generator gave no id.
type Refusals struct {
	Messages  int64            `json:"messages"`  // deliveries
	ByReason  map[string]int64 `json:"by_reason"` // of them; sums to Messages
	Witnesses []Witness        `json:"witnesses"` // the first of them
}

// Costs are what the ids of a site have cost, all its processes together.
type Costs struct {
	RoundTrips   int64    `json:"round_trips"`        // to Redis
	ServiceTrips int64    `json:"service_trips"`      // to an allocation service
	TripsPerID   float64  `json:"round_trips_per_id"` // to Redis
	IDsPerTrip   *float64 `json:"ids_per_round_trip"` // to Redis; null where there was none
	Wasted       int64    `json:"wasted"`             // numbers reserved and never given
	Keys         int64    `json:"keys_left"`          // keys that stay in Redis, since nothing lets them expire
	Rejected     int64    `json:"rejected_writes"`    // writes that Redis refused, their entry's id being equal or smaller
	Pinned       int64    `json:"pinned"`             // ids pushed past their own time by a later one drawn before
	MaxPinMs     int64    `json:"max_pin_ms"`         // furthest of these
	Waited       int64    `json:"waited"`             // draws that waited for a lock, the next ms or a refill; the round trips that every id takes are no waits
	WaitedMs     int64    `json:"waited_ms"`          // all of them together
	Wait         *Summary `json:"wait_us"`            // of every draw
}

// List is the site's sorted set. Its member is the message, so that a later
// delivery overwrites the entry of an earlier one, or the id, so that messages
// with one id share an entry.
type List struct {
	Entries     int64 `json:"entries"`     // at the end: stored - Overwritten - Lost
	Overwritten int64 `json:"overwritten"` // by a later delivery of the message
	Lost        int64 `json:"lost"`        // sharing an id with another entry
	SeveralIDs  int64 `json:"several_ids"` // messages that were given several ids
}

// Grained holds pair counts and Kendall's tau at the grains 1ms, 1s, 10s, 60s
// (keys of every map). A pair tied in either sequence is not comparable.
type Grained struct {
	N               int64               `json:"n"`                // elements
	Comparable      map[string]int64    `json:"comparable"`       // pairs tied in neither sequence
	Discordant      map[string]int64    `json:"discordant"`       // of these, pairs in opposite order
	DiscordantShare map[string]*float64 `json:"discordant_share"` // of comparable; null when there are none
	TauA            map[string]*float64 `json:"tau_a"`            // (concordant - discordant) / all pairs
	TauB            map[string]*float64 `json:"tau_b"`            // null when all is tied
}

// Order is macro-order drift inside one site: its list by id (ties by topic,
// partition, offset) against event time.
type Order struct {
	Grained
	Reordering Reordering `json:"reordering"`  // by RFC 4737
	OwnerDrift OwnerDrift `json:"owner_drift"` // second of the id less second of the event

	// Of the chosen generator only; null for the baseline.
	Displacement *Displacement           `json:"displacement"` // position by id less place by event time, equal event times by position
	Densities    *Densities              `json:"rfc5236"`      // RFC 5236
	RangeRecall  map[string]*RangeRecall `json:"range_recall"` // by grain

	Witnesses []Witness `json:"witnesses"` // the first reordered messages of the list
}

// Reordering is RFC 4737 over the list: an entry is reordered when its event
// time is below the largest before it in the list.
type Reordering struct {
	Reordered   int64    `json:"reordered"`     // entries below the largest event time before them
	Ratio       float64  `json:"ratio"`         // of all entries
	Extent      *Summary `json:"extent"`        // positions, of the reordered
	LateTime    *Summary `json:"late_time_ms"`  // owner time less that of the entry where the extent starts
	MaxBehindMs int64    `json:"max_behind_ms"` // largest before it less its own event time, at most

	NReordered []NReordered `json:"n_reordered"` // for each n of a short list
	FreeRuns   FreeRuns     `json:"free_runs"`   // runs without a reordered entry
}

// OwnerDrift is owner second less event second over the stored ids.
type OwnerDrift struct {
	Seconds     *Summary `json:"seconds"`       // of every stored id
	ShareAtZero float64  `json:"share_at_zero"` // ids of the second of their message
	Histogram   []Bin    `json:"histogram_s"`   // in s
}

// Overflow is overflow offsets: ids in another second than their message.
type Overflow struct {
	IDs        int64            `json:"ids"`         // ids drawn for stored and store-off messages
	WithOffset int64            `json:"with_offset"` // offset > 0
	Share      float64          `json:"share"`       // of ids
	Offset     *Summary         `json:"offset_s"`    // of all ids
	Histogram  []Bin            `json:"histogram_s"` // of offsets, in s
	Hops       *Summary         `json:"hops"`        // slots walked per draw
	Undrawn    map[string]int64 `json:"undrawn"`     // ids handed out without being drawn, or not what the generator promises, by cause
	WrongNode  int64            `json:"wrong_node"`  // ids whose digits do not say their own node
	FullSlots  int64            `json:"full_slots"`  // seconds of one process with no id left
	Nodes      []NodeOverflow   `json:"nodes"`       // one per consumer process
	Witnesses  []Witness        `json:"witnesses"`   // the first messages with an offset
}

// NodeOverflow is the overflow of one process.
type NodeOverflow struct {
	Node       int              `json:"node"`          // its number
	IDs        int64            `json:"ids"`           // drawn by it
	WithOffset int64            `json:"with_offset"`   // offset > 0
	MaxOffset  int64            `json:"max_offset_s"`  // its largest offset
	Undrawn    map[string]int64 `json:"undrawn"`       // ids handed out without being drawn, or not what the generator promises, by cause
	WrongNode  int64            `json:"wrong_node"`    // ids whose digits do not say this node
	FullSlots  int64            `json:"full_slots"`    // its seconds with no id left
	Chains     int64            `json:"chains"`        // runs of consecutive full slots
	Longest    *Chain           `json:"longest_chain"` // null when no slot was full
	Peak       SecondCount      `json:"peak_second"`   // of event time
	Headroom   []HeadroomPoint  `json:"headroom"`      // the curve c*(d)
}

// Chain is a run of consecutive full slots.
type Chain struct {
	FirstSecond  int64 `json:"first_second"`   // Unix
	SpanS        int64 `json:"span_s"`         // how many full seconds
	FirstNotFull int64 `json:"first_not_full"` // the second after the run
	MaxHops      int64 `json:"max_hops"`       // walked at most by one draw into it
}

// HeadroomPoint is one point of the headroom curve c*(d): the smallest
// capacity (ids a second) that keeps every offset of this node at most d
// seconds where messages come in the order of their seconds, by network
// calculus: the maximum over all windows of seconds u..v of
// A(u, v) / (v - u + 1 + d), A counting the node's messages by event second.
// Late messages find the seconds after theirs full, and go further; where d is
// 0 the order does not matter.
type HeadroomPoint struct {
	OffsetS    int64   `json:"offset_s"`    // the offset allowed, d
	PerSecond  float64 `json:"per_second"`  // the capacity that it takes, ids a second
	FromSecond int64   `json:"from_second"` // a window that asks for it
	ToSecond   int64   `json:"to_second"`   // its last second; both s since the Unix epoch
}

// Duplicates are found from the ids. Extra copies = occurrences - distinct;
// every extra copy has exactly one cause.
type Duplicates struct {
	IDs         int64            `json:"ids"`         // extra copies: ids given to stored messages, each delivery counted, less distinct ids
	Groups      int64            `json:"groups"`      // ids that occur more than once
	Distinct    int64            `json:"distinct"`    // different ids
	ByCause     map[string]int64 `json:"by_cause"`    // extra copies; sums to IDs
	Unexplained int64            `json:"unexplained"` // extra copies without a cause: a fault of twindrift
	WithinNode  map[string]int64 `json:"within_node"` // extra copies within one node number, by node
	Scores      int64            `json:"scores"`      // different ids that share a float64: ids - distinct scores; 0 of stream entries, whose ids are no scores
	Witnesses   []DuplicateGroup `json:"witnesses"`   // the first groups
}

// DuplicateGroup is one id given to several messages.
type DuplicateGroup struct {
	ID          string    `json:"id"`          // that they share
	Cause       string    `json:"cause"`       // of its first extra copy
	Occurrences int64     `json:"occurrences"` // messages that got it
	Messages    []Witness `json:"messages"`    // the first of them
}

// Witness is one message a finding can be checked with.
type Witness struct {
	Site      string `json:"site"`      // where it was drawn
	Node      int    `json:"node"`      // of the process that drew it
	Topic     string `json:"topic"`     // of the message
	Partition int32  `json:"partition"` // of the message
	Offset    int64  `json:"offset"`    // of the message
	EventMs   int64  `json:"event_ms"`  // its timestamp, ms since the Unix epoch
	DrawMs    int64  `json:"draw_ms"`   // site clock
	ID        string `json:"id"`        // what it got; empty where it got none
	Detail    string `json:"detail"`    // "2 s later than its message", ...
}

// Between compares two sites over messages stored at both.
type Between struct {
	A     string `json:"a"`      // name of the first site
	B     string `json:"b"`      // name of the second site
	Both  int64  `json:"both"`   // messages stored at both
	OnlyA int64  `json:"only_a"` // stored at A alone
	OnlyB int64  `json:"only_b"` // stored at B alone

	PairLane
	Baseline PairLane `json:"baseline"` // the same of the consumption-time generator
}

// PairLane is what one generator did at two sites. SameID + SameSecond +
// DifferentSecond = Both.
type PairLane struct {
	SameID          int64    `json:"same_id"`                      // messages with one id at both
	SameSecond      int64    `json:"same_second"`                  // same owner second, other digits
	DifferentSecond int64    `json:"different_second"`             // messages whose ids say two seconds
	SameIDShare     float64  `json:"same_id_share"`                // of both
	SameSecondShare float64  `json:"same_second_share"`            // of both
	DifferentShare  float64  `json:"different_second_share"`       // of both
	Difference      *Summary `json:"owner_difference_s"`           // owner second at B less at A
	Histogram       []Bin    `json:"owner_difference_histogram_s"` // of the difference, in s
	Grained                  // owner times at A against B

	// Position in the list at A less place in that at B, of the messages at both;
	// equal ids in the order that displaces least. Null for the baseline.
	Ranks  *Displacement      `json:"rank_displacement"`
	Newest map[string]*Newest `json:"newest"` // by length: 20, 50, 100

	Duplicates PairDuplicates `json:"duplicates"` // one id for different messages
	Witnesses  []PairWitness  `json:"witnesses"`  // the first messages with different seconds
}

// PairDuplicates are ids that the two sites gave to different messages. Of an
// id at both sites the extra copies are the messages that hold it at either
// site less the larger of the two sites' own counts: what comes on top when
// the lists are put together.
type PairDuplicates struct {
	IDs         int64            `json:"ids"`         // extra copies
	Groups      int64            `json:"groups"`      // ids concerned
	ByCause     map[string]int64 `json:"by_cause"`    // extra copies; sums to IDs
	Unexplained int64            `json:"unexplained"` // extra copies without a cause: a fault of twindrift
	Witnesses   []DuplicateGroup `json:"witnesses"`   // the first groups
}

// PairWitness is one message as both sites saw it.
type PairWitness struct {
	Topic     string `json:"topic"`     // of the message
	Partition int32  `json:"partition"` // of the message
	Offset    int64  `json:"offset"`    // of the message
	EventMs   int64  `json:"event_ms"`  // its timestamp, ms since the Unix epoch
	IDA       string `json:"id_a"`      // its id at A
	IDB       string `json:"id_b"`      // its id at B
	Detail    string `json:"detail"`    // how the two differ
}
