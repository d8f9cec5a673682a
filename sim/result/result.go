package result

// Format and Version open every result file.
const (
	Format  = "twindrift-result"
	Version = 1
)

// Result is one run.
type Result struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Scenario any    `json:"scenario"` // the scenario with every default filled in

	Input Input `json:"input"`

	SiteNames []string         `json:"site_names"` // in the scenario's order
	Sites     map[string]*Site `json:"sites"`

	PairNames []string            `json:"pair_names"` // "east-west", ...
	Between   map[string]*Between `json:"between"`

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
	Name   string `json:"name"` // "east: consumed = filtered + stored + store-off"
	Left   int64  `json:"left"`
	Right  int64  `json:"right"`
	Passed bool   `json:"passed"`
}

// Input says what was replayed. It does not depend on how the capture is cut
// into files.
type Input struct {
	Messages    int64            `json:"messages"`
	NoTimestamp int64            `json:"no_timestamp"` // messages without a timestamp
	Skipped     int64            `json:"skipped"`      // of these, left out by the scenario's policy
	MinMs       int64            `json:"min_ms"`       // smallest and largest timestamp
	MaxMs       int64            `json:"max_ms"`
	PeakSecond  SecondCount      `json:"peak_second"` // of the timestamps
	Disorder    Disorder         `json:"disorder"`    // all partitions together (sums; worst of all)
	Partitions  []InputPartition `json:"partitions"`
	Notes       []Note           `json:"notes"`
}

// InputPartition is one partition of the input.
type InputPartition struct {
	Topic       string   `json:"topic"`
	Partition   int32    `json:"partition"`
	Messages    int64    `json:"messages"`
	FirstOffset int64    `json:"first_offset"`
	LastOffset  int64    `json:"last_offset"`
	MinMs       int64    `json:"min_ms"`
	MaxMs       int64    `json:"max_ms"`
	Disorder    Disorder `json:"disorder"`
}

// Disorder of the input itself, in offset order within each partition:
// messages whose timestamp is below the largest before them (RFC 4737).
type Disorder struct {
	Reordered   int64   `json:"reordered"`
	Share       float64 `json:"share"`
	MaxBehindMs int64   `json:"max_behind_ms"` // furthest below the running maximum
}

// SecondCount is a second (Unix) and how many messages or ids it holds.
type SecondCount struct {
	Second int64 `json:"second"`
	Count  int64 `json:"count"`
}

// Note is something found in the input.
type Note struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Rows int64  `json:"rows"`
}

// Summary is the exact distribution of an integer quantity in short.
// Quantiles are by nearest rank: the smallest value with at least that share
// of all at or below it.
type Summary struct {
	N    int64   `json:"n"`
	Min  int64   `json:"min"`
	P50  int64   `json:"p50"`
	P90  int64   `json:"p90"`
	P99  int64   `json:"p99"`
	P999 int64   `json:"p999"`
	Max  int64   `json:"max"`
	Mean float64 `json:"mean"`
}

// Bin counts values v with From <= v < To.
type Bin struct {
	From  int64 `json:"from"`
	To    int64 `json:"to"`
	Count int64 `json:"count"`
}

// Site is what happened at one site.
type Site struct {
	Name      string     `json:"name"`
	Consumers []Consumer `json:"consumers"`
	Push      Push       `json:"push"`
	Lag       []LagPoint `json:"lag"` // by minute of virtual time

	// The chosen generator's figures stand in the site itself
	// (sites.east.duplicates), the baseline's beside them.
	Lane
	Baseline Lane `json:"baseline"` // the same draws by the consumption-time generator
}

// Consumer is one process of a site.
type Consumer struct {
	Node       int      `json:"node"`
	Partitions []string `json:"partitions"` // "topic/3"
	Consumed   int64    `json:"consumed"`
	MaxWaitMs  int64    `json:"max_wait_ms"` // longest time from arrival at the site to start
}

// LagPoint is how far a site's draws stood behind the source log in one
// minute of virtual time: draw time less append time.
type LagPoint struct {
	MinuteMs int64 `json:"minute_ms"` // start of the minute, ms since the Unix epoch
	Draws    int64 `json:"draws"`
	MaxLagMs int64 `json:"max_lag_ms"`
}

// Push is late-push filtering at one site.
// Consumed = Filtered + StoreOff + Stored; Stored = Pushed + Late.
type Push struct {
	Consumed    int64 `json:"consumed"`
	Filtered    int64 `json:"filtered"`
	StoreOff    int64 `json:"store_off"`
	Stored      int64 `json:"stored"`
	Pushed      int64 `json:"pushed"`
	Late        int64 `json:"late"`
	Again       int64 `json:"again"`        // of the consumed, deliveries of messages that had been drawn before
	StoredAgain int64 `json:"stored_again"` // of the stored, such deliveries

	DeadlineMs int64         `json:"deadline_ms"`
	Lateness   *Summary      `json:"lateness_ms"` // draw time less event time, of stored messages
	Early      int64         `json:"early"`       // of them, drawn before their event time (clocks)
	Histogram  []Bin         `json:"lateness_histogram_ms"`
	Deadlines  []DeadlineRow `json:"deadlines"` // what other deadlines would have held back
	Minutes    []MinuteRow   `json:"minutes"`
	Witnesses  []Witness     `json:"witnesses"` // the first late messages
}

// DeadlineRow says how many stored messages a deadline would have held back.
type DeadlineRow struct {
	DeadlineMs int64   `json:"deadline_ms"`
	Late       int64   `json:"late"`
	Share      float64 `json:"share"` // of stored
}

// MinuteRow is one minute of virtual time (by draw time).
type MinuteRow struct {
	MinuteMs int64 `json:"minute_ms"`
	Stored   int64 `json:"stored"`
	Late     int64 `json:"late"`
}

// Lane is what one generator did with the draws of one site.
type Lane struct {
	Generator   string     `json:"generator"`     // "second-slot published"
	PerSecond   int64      `json:"per_second"`    // ids that one node can draw for one second; 0 where there is no such limit
	UTCOffsetMs int64      `json:"utc_offset_ms"` // the local time that the ids' digits say, less UTC
	Order       Order      `json:"order"`
	Overflow    Overflow   `json:"overflow"`
	Duplicates  Duplicates `json:"duplicates"`
	List        List       `json:"list"`
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
	N               int64               `json:"n"` // elements
	Comparable      map[string]int64    `json:"comparable"`
	Discordant      map[string]int64    `json:"discordant"`
	DiscordantShare map[string]*float64 `json:"discordant_share"` // of comparable; null when there are none
	TauA            map[string]*float64 `json:"tau_a"`
	TauB            map[string]*float64 `json:"tau_b"` // null when all is tied
}

// Order is macro-order drift inside one site: its list by id (ties by topic,
// partition, offset) against event time.
type Order struct {
	Grained
	Reordering Reordering `json:"reordering"`
	OwnerDrift OwnerDrift `json:"owner_drift"`

	// Of the chosen generator only; null for the baseline.
	Displacement *Displacement           `json:"displacement"` // position by id less place by event time, equal event times by position
	Densities    *Densities              `json:"rfc5236"`
	RangeRecall  map[string]*RangeRecall `json:"range_recall"` // by grain

	Witnesses []Witness `json:"witnesses"` // the first reordered messages of the list
}

// Reordering is RFC 4737 over the list: an entry is reordered when its event
// time is below the largest before it in the list.
type Reordering struct {
	Reordered   int64    `json:"reordered"`
	Ratio       float64  `json:"ratio"`
	Extent      *Summary `json:"extent"`        // positions, of the reordered
	LateTime    *Summary `json:"late_time_ms"`  // owner time less that of the entry where the extent starts
	MaxBehindMs int64    `json:"max_behind_ms"` // largest before it less its own event time, at most

	NReordered []NReordered `json:"n_reordered"`
	FreeRuns   FreeRuns     `json:"free_runs"`
}

// OwnerDrift is owner second less event second over the stored ids.
type OwnerDrift struct {
	Seconds     *Summary `json:"seconds"`
	ShareAtZero float64  `json:"share_at_zero"`
	Histogram   []Bin    `json:"histogram_s"`
}

// Overflow is overflow offsets: ids in another second than their message.
type Overflow struct {
	IDs        int64            `json:"ids"`         // ids drawn for stored and store-off messages
	WithOffset int64            `json:"with_offset"` // offset > 0
	Share      float64          `json:"share"`
	Offset     *Summary         `json:"offset_s"` // of all ids
	Histogram  []Bin            `json:"histogram_s"`
	Hops       *Summary         `json:"hops"`       // slots walked per draw
	Undrawn    map[string]int64 `json:"undrawn"`    // ids handed out without being drawn, by cause
	WrongNode  int64            `json:"wrong_node"` // ids whose digits do not say their own node
	FullSlots  int64            `json:"full_slots"`
	Nodes      []NodeOverflow   `json:"nodes"`     // one per consumer process
	Witnesses  []Witness        `json:"witnesses"` // the first messages with an offset
}

// NodeOverflow is the overflow of one process.
type NodeOverflow struct {
	Node       int              `json:"node"`
	IDs        int64            `json:"ids"`
	WithOffset int64            `json:"with_offset"`
	MaxOffset  int64            `json:"max_offset_s"`
	Undrawn    map[string]int64 `json:"undrawn"`
	WrongNode  int64            `json:"wrong_node"`
	FullSlots  int64            `json:"full_slots"`
	Chains     int64            `json:"chains"`        // runs of consecutive full slots
	Longest    *Chain           `json:"longest_chain"` // null when no slot was full
	Peak       SecondCount      `json:"peak_second"`   // of event time
	Headroom   []HeadroomPoint  `json:"headroom"`
}

// Chain is a run of consecutive full slots.
type Chain struct {
	FirstSecond  int64 `json:"first_second"` // Unix
	SpanS        int64 `json:"span_s"`
	FirstNotFull int64 `json:"first_not_full"` // the second after the run
	MaxHops      int64 `json:"max_hops"`       // walked at most by one draw into it
}

// HeadroomPoint is one point of the headroom curve c*(d): the smallest
// capacity (ids a second) that keeps every offset of this node at most d
// seconds, by network calculus: the maximum over all windows of seconds u..v
// of A(u, v) / (v - u + 1 + d), A counting the node's messages by event second.
type HeadroomPoint struct {
	OffsetS    int64   `json:"offset_s"`
	PerSecond  float64 `json:"per_second"`
	FromSecond int64   `json:"from_second"` // a window that asks for it
	ToSecond   int64   `json:"to_second"`
}

// Duplicates are found from the ids. Extra copies = occurrences - distinct;
// every extra copy has exactly one cause.
type Duplicates struct {
	IDs         int64            `json:"ids"`    // extra copies in the site's list
	Groups      int64            `json:"groups"` // ids that occur more than once
	Distinct    int64            `json:"distinct"`
	ByCause     map[string]int64 `json:"by_cause"` // extra copies; sums to IDs
	Unexplained int64            `json:"unexplained"`
	WithinNode  map[string]int64 `json:"within_node"` // extra copies within one node number, by node
	Scores      int64            `json:"scores"`      // different ids that share a float64: ids - distinct scores
	Witnesses   []DuplicateGroup `json:"witnesses"`
}

// DuplicateGroup is one id given to several messages.
type DuplicateGroup struct {
	ID          string    `json:"id"`
	Cause       string    `json:"cause"`
	Occurrences int64     `json:"occurrences"`
	Messages    []Witness `json:"messages"` // the first of them
}

// Witness is one message a finding can be checked with.
type Witness struct {
	Site      string `json:"site"`
	Node      int    `json:"node"`
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	EventMs   int64  `json:"event_ms"`
	DrawMs    int64  `json:"draw_ms"` // site clock
	ID        string `json:"id"`
	Detail    string `json:"detail"` // "2 s later than its message", ...
}

// Between compares two sites over messages stored at both.
type Between struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Both  int64  `json:"both"`
	OnlyA int64  `json:"only_a"`
	OnlyB int64  `json:"only_b"`

	PairLane
	Baseline PairLane `json:"baseline"`
}

// PairLane is what one generator did at two sites. SameID + SameSecond +
// DifferentSecond = Both.
type PairLane struct {
	SameID          int64    `json:"same_id"`
	SameSecond      int64    `json:"same_second"` // same owner second, other digits
	DifferentSecond int64    `json:"different_second"`
	SameIDShare     float64  `json:"same_id_share"`
	SameSecondShare float64  `json:"same_second_share"`
	DifferentShare  float64  `json:"different_second_share"`
	Difference      *Summary `json:"owner_difference_s"` // owner second at B less at A
	Histogram       []Bin    `json:"owner_difference_histogram_s"`
	Grained                  // owner times at A against B

	// Position in the list at A less place in that at B, of the messages at both;
	// equal ids in the order that displaces least. Null for the baseline.
	Ranks  *Displacement      `json:"rank_displacement"`
	Newest map[string]*Newest `json:"newest"` // by length: 20, 50, 100

	Duplicates PairDuplicates `json:"duplicates"`
	Witnesses  []PairWitness  `json:"witnesses"` // the first messages with different seconds
}

// PairDuplicates are ids that the two sites gave to different messages. Of an
// id at both sites the extra copies are the messages that hold it at either
// site less the larger of the two sites' own counts: what comes on top when
// the lists are put together.
type PairDuplicates struct {
	IDs         int64            `json:"ids"`    // extra copies
	Groups      int64            `json:"groups"` // ids concerned
	ByCause     map[string]int64 `json:"by_cause"`
	Unexplained int64            `json:"unexplained"`
	Witnesses   []DuplicateGroup `json:"witnesses"`
}

// PairWitness is one message as both sites saw it.
type PairWitness struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	EventMs   int64  `json:"event_ms"`
	IDA       string `json:"id_a"`
	IDB       string `json:"id_b"`
	Detail    string `json:"detail"`
}
