package result

// ExplanationFormat and ExplanationVersion open every explanation.
const (
	ExplanationFormat  = "twindrift-explanation"
	ExplanationVersion = 1
)

// Explanation is the story of one id, or of one message, in a run. Every time
// is in ms since the Unix epoch unless its name says otherwise; ids are strings.
type Explanation struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Scenario any    `json:"scenario"` // as in Result

	Asked       string `json:"asked"` // "638935272001000200", "orders/3@17"
	Found       bool   `json:"found"`
	Generator   string `json:"generator"`     // "second-slot published"
	UTCOffsetMs int64  `json:"utc_offset_ms"` // the local time that ids say, less UTC

	// IDs are the id asked for, or those that the message asked for got.
	IDs []ExplainedID `json:"ids"`
	// Messages are those told in full: the one asked for, or the first that
	// have the id. OtherMessages counts those that have it and are not told.
	Messages      []ExplainedMessage `json:"messages"`
	OtherMessages int64              `json:"other_messages"`

	// Of what was not found: why, as far as that can be said, and the nearest
	// that there is. Nil is none.
	Missing string   `json:"missing"`
	Below   *Witness `json:"below"`
	Above   *Witness `json:"above"`
}

// Digits is what the digits of an id say.
type Digits struct {
	OwnerSecondMs int64  `json:"owner_second_ms"`
	OwnerLocal    string `json:"owner_local"` // RFC 3339, in the local time of the ids; an offset with seconds has them too
	Node          int64  `json:"node"`
	Sequence      int64  `json:"sequence"`
	Rest          int64  `json:"rest"` // left over by the step; 0 for every generated id
}

// ExplainedID is an id and who has it.
type ExplainedID struct {
	ID      string          `json:"id"`
	Digits  Digits          `json:"digits"`
	Sites   []IDAtSite      `json:"sites"`   // all, in the scenario's order
	Between []IDBetween     `json:"between"` // pairs of sites at which it stands for different messages
	Causes  []ExplainedRule `json:"causes"`  // what each cause named means, by the numbers of this id
}

// IDAtSite is who has an id at one site.
type IDAtSite struct {
	Site        string           `json:"site"`
	Stored      int64            `json:"stored"`       // deliveries in the list that have it
	NotStored   int64            `json:"not_stored"`   // drew it, of a topic that is not stored
	ExtraCopies int64            `json:"extra_copies"` // of the stored, less the original
	ByCause     map[string]int64 `json:"by_cause"`     // of the extra copies
	Copies      []IDCopy         `json:"copies"`       // the stored ones, the original first; at most CopiesShown
}

// CopiesShown is how many copies of an id a site is shown with.
const CopiesShown = 20

// IDCopy is a delivery that has an id.
type IDCopy struct {
	Witness
	Cause string `json:"cause"` // why it has the id too; "" for the original
}

// IDBetween is an id that stands at two sites, for different messages.
type IDBetween struct {
	A           string           `json:"a"`
	B           string           `json:"b"`
	ExtraCopies int64            `json:"extra_copies"` // on top of the sites' own, as in PairDuplicates
	ByCause     map[string]int64 `json:"by_cause"`
	Original    Witness          `json:"original"`
	Copies      []IDCopy         `json:"copies"` // at the other site; at most CopiesShown
}

// ExplainedRule says why a cause gives one id twice.
type ExplainedRule struct {
	Cause string `json:"cause"`
	Text  string `json:"text"`
}

// ExplainedMessage is one message and what became of it.
type ExplainedMessage struct {
	Topic     string          `json:"topic"`
	Partition int32           `json:"partition"`
	Offset    int64           `json:"offset"`
	EventMs   int64           `json:"event_ms"` // -1: it has no timestamp
	AppendMs  int64           `json:"append_ms"`
	Sites     []MessageAtSite `json:"sites"` // all, in the scenario's order
}

// MessageAtSite is a message at one site.
type MessageAtSite struct {
	Site       string              `json:"site"`
	Deliveries []ExplainedDelivery `json:"deliveries"` // in the order of their draws
}

// ExplainedDelivery is one delivery of a message, in true time but for NowMs.
type ExplainedDelivery struct {
	Node       int    `json:"node"`
	Consumer   int    `json:"consumer"` // index within the site
	Reason     string `json:"reason"`   // why it came again; "" for the first
	ArrivalMs  int64  `json:"arrival_ms"`
	LinkNs     int64  `json:"link_ns"` // from append to arrival
	Link       string `json:"link"`    // what held it on the link, if anything did
	StartMs    int64  `json:"start_ms"`
	WaitNs     int64  `json:"wait_ns"` // from arrival to start
	Wait       string `json:"wait"`    // what it waited for
	DrawMs     int64  `json:"draw_ms"`
	HandlingNs int64  `json:"handling_ns"` // from start to draw
	NowMs      int64  `json:"now_ms"`      // what the site's clock said at the draw
	State      string `json:"state"`       // filtered, store-off, pushed, late
	AgeMs      int64  `json:"age_ms"`      // clock at the draw less event time

	// Of one that drew an id:
	ID      string     `json:"id"`
	Digits  *Digits    `json:"digits"`
	Kind    string     `json:"kind"` // drawn, stale-day, jump-limit, day-end
	OffsetS int64      `json:"offset_s"`
	Walk    []SlotRead `json:"walk"`  // the slots that the draw read
	Drawn   string     `json:"drawn"` // how the id came about, in words
}

// SlotRead is a slot that a draw read.
type SlotRead struct {
	SecondMs int64  `json:"second_ms"`  // of the day asked for
	Day      string `json:"day"`        // local day that the slot belonged to; "" for one never used
	IDs      int64  `json:"ids"`        // of that day, given out of it before
	Found    string `json:"found"`      // stale, room, full, later-day
	JumpToMs int64  `json:"jump_to_ms"` // where a full slot led on to; 0 for no jump
}
