package result

// What opens a comparison of generators.
const (
	ContestFormat  = "twindrift-generators"
	ContestVersion = 1
)

// Contest is what several generators made of the same draws: one capture, gone over once,
// with the same luck for all.
type Contest struct {
	Format   string `json:"format"`   // always twindrift-generators
	Version  int    `json:"version"`  // of the structure of this file
	Scenario any    `json:"scenario"` // with the first generator, every default filled in

	Messages     int64    `json:"messages"`     // of the capture, after the scenario's changes to the traffic
	SiteNames    []string `json:"site_names"`   // in the scenario's order
	Replications int      `json:"replications"` // with other luck each; figures without an interval are of the first
	Confidence   float64  `json:"confidence"`   // of the intervals: 0.95

	Generators []Contestant `json:"generators"` // in the order in which they were named
}

// Contestant is one generator of a Contest.
type Contestant struct {
	Generator string                   `json:"generator"` // "second-slot published"
	Figures   map[string]*ContestValue `json:"figures"`   // by the names of ContestFigures

	ByCause    map[string]int64 `json:"duplicates_by_cause"`         // extra copies within sites, those that occur, with those without a cause
	BetweenBy  map[string]int64 `json:"duplicates_between_by_cause"` // between sites
	NotDrawnBy map[string]int64 `json:"undrawn_by_cause"`            // ids that are not what the generator promises
	RefusedBy  map[string]int64 `json:"refused_by_reason"`           // messages without an id
}

// ContestValue is one figure of a generator.
type ContestValue struct {
	Value *float64 `json:"value"` // over all sites or pairs; null where it is not defined
	Best  bool     `json:"best"`  // none that gives every message an id of its own making has a better one, and some a worse
	Worst bool     `json:"worst"` // none has a worse one, and some a better

	// Difference is this value less that of the first generator, replication by
	// replication; null for the first, and without replications.
	Difference *Estimate `json:"difference"`
}

// ContestFigure says what a figure of a Contest is.
type ContestFigure struct {
	Name   string // in Contestant.Figures
	Lowest bool   // the lowest is the best; else the highest
}

// ContestFigures are the figures of a Contest, in the order of reports: sums over all
// sites, or over all pairs of sites, where nothing else is said.
var ContestFigures = []ContestFigure{
	{"discordant_share_1s", true},    // pairs of messages whose ids stand against their order at 1 s, of all comparable
	{"recall_1s", false},             // messages that a query for the ids of their second finds, of all
	{"different_second_share", true}, // messages whose ids say two seconds at two sites, of those at both
	{"later_share", true},            // ids of a later second than their message, of all
	{"max_offset_s", true},           // furthest that an id's second lies from its message's, either way; the worst site
	{"refused", true},                // messages without an id
	{"undrawn", true},                // ids that are not what the generator promises
	{"wrong_node", true},             // ids that say another node
	{"extra_copies", true},           // ids given before within a site; not those of streams of their own, which each have them
	{"extra_copies_between", true},   // ids for different messages at two sites, likewise
	{"shared_scores", true},          // different ids that share a float64
	{"late", true},                   // stored messages too late to be pushed
	{"round_trips_per_id", true},     // to Redis
	{"wasted", true},                 // numbers reserved and never given
	{"keys_left", true},              // keys that stay in Redis
	{"service_trips_per_id", true},   // to an allocation service
	{"rejected_writes", true},        // writes that Redis refused
	{"longest_wait_ms", true},        // of a draw, for a lock, the next ms or a refill; the worst site
}
