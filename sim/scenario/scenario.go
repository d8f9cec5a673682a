package scenario

import (
	"strconv"
	"time"

	"twindrift/sim/delay"
	"twindrift/sim/duration"
)

// Scenario is what is to be simulated.
type Scenario struct {
	// Seed is where all luck (delays, the filter's ratio) starts from. Two runs
	// with the same scenario and seed give the same bytes; two scenarios with
	// the same seed see the same luck wherever they agree. Default 1; 0 is a
	// seed like any other.
	Seed int64 `json:"seed" min:"0" max:"9007199254740991"`

	// Replications is how many times the capture is replayed, each time with
	// other luck in delays, filter and redelivery; changes to the traffic are the
	// same in all. The report is of the first; with several, its figures have
	// means and 95 % confidence intervals too. Default 1.
	Replications int64 `json:"replications" min:"1" max:"1000"`

	// Traffic changes the capture before it is replayed. Default: it is replayed
	// as it was recorded.
	Traffic Traffic `json:"traffic"`

	// Generator is the id algorithm of every consumer.
	Generator Generator `json:"generator"`

	// Against are generators that `twindrift compare-generators` compares with it, each
	// with options of its own. A run pays them no heed. Default: all that need no
	// program, with the options that they share with generator.
	Against []Generator `json:"against,omitempty"`

	// Append says when the source log held a message.
	Append Append `json:"append"`

	// Deadline is how old a message may be when its id is drawn (draw time less
	// event time) to be pushed still; older ones are stored and count as late,
	// equal is pushed. Default 15m; 0s pushes only what is drawn in the very
	// millisecond of its event, or before.
	Deadline duration.Duration `json:"deadline"`

	// Filter is the business filter: messages that get no id. Default: all get
	// one.
	Filter Filter `json:"filter"`

	// Store says what the sites keep. Default: everything.
	Store Store `json:"store"`

	// Sites are the data centers, each consuming the whole capture. Default:
	// east (node 1, no delay) and west (node 2, lognormal:35ms,400ms).
	Sites []Site `json:"sites"`

	// Thresholds are conditions on the figures of the result, by their names in
	// its JSON: sites.east.duplicates.ids == 0. A run in which one does not hold
	// ends with exit status 3.
	Thresholds []string `json:"thresholds,omitempty"`
}

// Append says when the source log held a message. With a timestamp set by the
// broker that is the timestamp; else the largest timestamp of the partition so
// far.
type Append struct {
	// NoTimestamp says what to do with messages that have no timestamp (-1):
	// append replays them as production would (appended with the message before
	// them, their event time -1), skip leaves them out, fail ends the run.
	// They are counted either way. Default append.
	NoTimestamp string `json:"no_timestamp" enum:"append,skip,fail"`
}

// Ways of Append.NoTimestamp.
const (
	NoTimestampAppend = "append"
	NoTimestampSkip   = "skip"
	NoTimestampFail   = "fail"
)

// Filter is the business filter. What it drops draws no id, at no site and at
// no delivery: it judges the message, whoever consumes it.
type Filter struct {
	// Keep is the share of messages that get an id, chosen by luck from those
	// that no drop rule names. Default 1, all; 0 is none.
	Keep float64 `json:"keep" min:"0" max:"1"`

	// Drop lists rules; a message to which one of them applies is dropped.
	Drop []Rule `json:"drop,omitempty"`
}

// LooksAt says whether the filter goes by the keys of messages, and by their sizes.
func (f *Filter) LooksAt() (keys, sizes bool) {
	for _, r := range f.Drop {
		keys = keys || len(r.KeyHashMod) > 0
		sizes = sizes || r.ValueLargerThan != nil
	}
	return keys, sizes
}

// Rule names messages: those to which every field that is given applies. At
// least one must be given.
type Rule struct {
	// Topic is the whole name of a topic.
	Topic string `json:"topic,omitempty"`

	// Partition is a partition's number, of every topic unless topic is given.
	Partition *int32 `json:"partition,omitempty" min:"0"`

	// KeyHashMod is two numbers, [N, R]: the messages whose key hash (xxHash64)
	// leaves R when divided by N. [10, 3] is one message in ten, always all of
	// a key. The hash of a null key is 0.
	KeyHashMod []int64 `json:"key_hash_mod,omitempty" min:"0" length:"2"`

	// ValueLargerThan is a size in bytes: the messages with a longer value. A
	// null value (tombstone) is never longer.
	ValueLargerThan *int32 `json:"value_larger_than,omitempty" min:"0"`
}

// Store says what the sites keep in their lists.
type Store struct {
	// Except lists topics whose messages get an id and are neither stored nor
	// pushed.
	Except []string `json:"except,omitempty"`

	// Member is what stands in a site's list: the message (key), so that a later
	// delivery overwrites the entry of an earlier one; or its id (id), so that
	// messages with one id share an entry. Default key.
	Member string `json:"member" enum:"key,id"`

	// Deduplicate has the store know each message by a key of its own, and take none
	// a second time: a later delivery draws an id and is not stored. Default false.
	Deduplicate bool `json:"deduplicate"`
}

// Ways of Store.Member.
const (
	MemberKey = "key"
	MemberID  = "id"
)

// Site is one data center.
type Site struct {
	// Name tells sites apart in reports: letters, digits, _ and -. It is part of
	// the luck: a site with another name sees other delays.
	Name string `json:"name"`

	// Link is the way of the messages from the source log to the site.
	Link Link `json:"link"`

	// Observed takes the times that the capture saw instead of a model: each
	// message arrives and draws its id at its processed_at, or with the message
	// before it in its partition if that is later. The site has no delays, service
	// or handling times then, and a message without processed_at ends the run.
	// Default false.
	Observed bool `json:"observed,omitempty"`

	// Assignor says how the partitions are dealt to the consumers: range and
	// round-robin as Kafka's assignors of these names do, explicit by the
	// partitions of each consumer. Default explicit where a consumer has
	// partitions, else range.
	Assignor string `json:"assign,omitempty" enum:"range,round-robin,explicit"`

	// Consumers are the processes of the site, at least one.
	Consumers []Consumer `json:"consumers"`

	// Rebalances move partitions between the consumers.
	Rebalances []Rebalance `json:"rebalances,omitempty"`

	// Redelivery makes messages come again by chance.
	Redelivery Redelivery `json:"redelivery,omitzero"`

	// Clock is how wrong the site's clock is. Default: it is right.
	Clock Clock `json:"clock,omitzero"`
}

// Ways of Site.Assignor.
const (
	AssignRange      = "range"
	AssignRoundRobin = "round-robin"
	AssignExplicit   = "explicit"
)

// Link is the way from the source log to a site. It keeps the order of each
// partition: a message arrives no earlier than the one before it.
type Link struct {
	// Delay from append to arrival: a duration (20ms) or a distribution
	// (lognormal:35ms,400ms). One that varies over the day goes by the local time
	// (generator.utc_offset) of the append; service and handling, by that of the
	// arrival. Default 0s.
	Delay delay.Dist `json:"delay"`

	// Topics gives topics delays of their own, instead of delay.
	Topics map[string]delay.Dist `json:"topics,omitempty"`

	// Outages hold the messages that would arrive in them, and let them go at
	// their end.
	Outages []Stretch `json:"outages,omitempty"`
}

// Consumer is one process with one generator and one node number.
type Consumer struct {
	// Node is the number that tells generator processes apart, 0 to 9 in its
	// senses. Other numbers run into the digits of the second, and equal numbers
	// give equal ids: both are simulated, and noted. Required.
	Node int32 `json:"node" required:"true"`

	// Partitions that the consumer takes, where assign is explicit: "orders/3",
	// "orders/0-5", or "orders" for all of a topic.
	Partitions []string `json:"partitions,omitempty"`

	// Workers is how many messages the process works on at a time. Default 1.
	Workers int `json:"workers" min:"1" max:"10000"`

	// Parallel says which messages may be worked on at a time: any (messages), or
	// one of each partition (partitions). Default messages; with one worker there
	// is no difference.
	Parallel string `json:"parallel" enum:"messages,partitions"`

	// Service is how long a message keeps its worker: a duration or a
	// distribution. Default 0s.
	Service delay.Dist `json:"service"`

	// Handling is how long after its start a message's id is drawn; it keeps the
	// worker too, where it is longer than service. Default 0s.
	Handling delay.Dist `json:"handling"`

	// Commit is the time between two commits of the process: of what it has
	// drawn since the last, all comes again after a restart or a rebalance.
	// Counted from the capture's start. Default 5s, as Kafka's consumers do; 0s
	// commits each message as it is drawn.
	Commit duration.Duration `json:"commit"`

	// Stalls are stretches in which the process starts no message.
	Stalls []Stretch `json:"stalls,omitempty"`

	// Restarts of the process.
	Restarts []Restart `json:"restarts,omitempty"`
}

// Ways of Consumer.Parallel.
const (
	ParallelMessages   = "messages"
	ParallelPartitions = "partitions"
)

// Default is the scenario without a file and flags: two sites, east and west,
// with one consumer each, nodes 1 and 2, of which west is behind by
// lognormal:35ms,400ms.
func Default() Scenario {
	s := Scenario{Sites: defaultSites(2)}
	s.defaults()
	s.resolve()
	return s
}

// defaultSites are the first n sites of a scenario that names none: the first
// without delay, the others behind.
func defaultSites(n int) []Site {
	behind, err := delay.Parse("lognormal:35ms,400ms")
	if err != nil {
		panic(err) // a constant, read by a test
	}
	sites := make([]Site, n)
	for i := range sites {
		sites[i] = NewSite(defaultName(i), int32(i+1))
		if i > 0 {
			sites[i].Link.Delay = behind
		}
	}
	return sites
}

func defaultName(i int) string {
	if names := []string{"east", "west"}; i < len(names) {
		return names[i]
	}
	return "site" + strconv.Itoa(i+1)
}

// NewSite is a site without delay whose consumers have the given nodes.
func NewSite(name string, nodes ...int32) Site {
	s := Site{Name: name, Assignor: AssignRange}
	for _, node := range nodes {
		c := Consumer{Node: node}
		c.defaults()
		s.Consumers = append(s.Consumers, c)
	}
	return s
}

// defaults sets what a file need not say, before it is read.

func (s *Scenario) defaults() {
	s.Seed = 1
	s.Replications = 1
	s.Traffic.defaults()
	s.Generator.defaults()
	s.Append.NoTimestamp = NoTimestampAppend
	s.Deadline = duration.Duration(15 * time.Minute)
	s.Filter.Keep = 1
	s.Store.Member = MemberKey
}

func (c *Consumer) defaults() {
	c.Workers = 1
	c.Parallel = ParallelMessages
	c.Commit = duration.Duration(5 * time.Second)
}
