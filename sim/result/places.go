package result

// NReordered counts the n-reordered entries of a list, those whose n entries
// just before all have a larger event time (RFC 4737, section 5). Ratio is the
// degree of n-reordering by the RFC's Definition 2: of all entries.
type NReordered struct {
	N     int64   `json:"n"`     // n
	Count int64   `json:"count"` // entries with n larger ones just before them
	Ratio float64 `json:"ratio"` // Count / entries of the list
}

// FreeRuns are the runs of entries in order that a reordered entry ends (RFC
// 4737, section 4.6); the entries behind the last reordered one form no run.
type FreeRuns struct {
	Runs      int64    `json:"runs"`      // ended by a reordered entry
	Entries   int64    `json:"entries"`   // in these runs
	Squares   int64    `json:"squares"`   // sum of the squared lengths
	Trailing  int64    `json:"trailing"`  // entries behind the last reordered one
	Mean      *float64 `json:"mean"`      // Entries / Runs; null without runs
	Weighted  *float64 `json:"weighted"`  // Squares / Entries: of the run in which an entry stands; null where all are empty
	Variation *float64 `json:"variation"` // Weighted / Mean: 1 where all are as long; null likewise
}

// Displacement is how far elements stand from their places: position in one
// order less place in another, below 0 for those that stand too early.
type Displacement struct {
	Distance  *Summary `json:"distance"`  // without the sign
	Footrule  int64    `json:"footrule"`  // Spearman's: the sum of the distances; of n elements at most n*n/2, which fits
	Histogram []Bin    `json:"histogram"` // with the sign, in places
}

// Densities are the reorder density and the reorder buffer-occupancy density of
// RFC 5236 (an informational RFC) over a list, with an entry's place by event
// time for its sequence number.
type Densities struct {
	Displacement Density `json:"rd"`  // position less place, RD, beyond the threshold DT left out
	Occupancy    Density `json:"rbd"` // entries that wait for one further on, by position, RBD, beyond the threshold BT left out
}

// Density is one of them: counts, whose shares of Counted are the density.
type Density struct {
	Threshold   int64    `json:"threshold"`     // DT or BT, in places
	Counted     int64    `json:"counted"`       // entries within the threshold
	Discarded   int64    `json:"discarded"`     // beyond the threshold
	ShareAtZero *float64 `json:"share_at_zero"` // of Counted; null where nothing is
	Histogram   []Bin    `json:"histogram"`     // of the counted, in places
}

// RangeRecall says what queries for ranges of ids find, one query a cell of a
// grain (a second, a minute): of the messages with their event time in the
// cell, the share whose ids lie in it is the recall; of the ids in it, the
// share whose messages belong there is the precision. Over all cells together
// both are Share.
type RangeRecall struct {
	Messages int64    `json:"messages"` // in all cells
	Found    int64    `json:"found"`    // owner time and event time are in one cell
	Share    *float64 `json:"share"`    // null where there is nothing

	// The cells with the smallest shares, the earliest of equals, among those of
	// 100 messages (ids) or more; null where there is none, and at the grain of
	// 1 ms, at which cells are not told apart.
	WorstRecall    *RecallCell `json:"worst_recall"`
	WorstPrecision *RecallCell `json:"worst_precision"` // likewise, of precision
}

// RecallCell is one cell.
type RecallCell struct {
	StartMs  int64   `json:"start_ms"` // ms since the Unix epoch
	Messages int64   `json:"messages"` // of a recall; of a precision, ids
	Found    int64   `json:"found"`    // of these, in one cell by both times
	Share    float64 `json:"share"`    // Found / Messages
}

// Newest compares what users of two sites see, the newest K entries of the
// list at each, as each minute of virtual time ends in which either site stored
// something. A list holds what was drawn before that moment; of a message the
// last delivery counts, and entries with one float64 as score are in no order.
type Newest struct {
	Minutes int64        `json:"minutes"` // compared
	Unknown int64        `json:"unknown"` // left out: redelivery took out more entries at once than are kept (8,192)
	Mean    *NewestMean  `json:"mean"`    // over Minutes; null without
	Worst   *NewestView  `json:"worst"`   // with the smallest Jaccard index; of equals the largest Kendall distance, then the earliest
	Series  []NewestView `json:"series"`  // of the first 10,080 minutes compared, those of a week
}

// NewestMean is a mean over minutes.
type NewestMean struct {
	Overlap float64  `json:"overlap"` // messages seen at both
	Jaccard float64  `json:"jaccard"` // of those seen at either
	RBO     *float64 `json:"rbo"`     // over those in which it is defined
	Kendall float64  `json:"kendall"` // K^(1/2)
}

// NewestView is one comparison.
type NewestView struct {
	EndMs   int64    `json:"end_ms"`  // the moment, ms since the Unix epoch
	A       int64    `json:"a"`       // entries seen at A: K, or all there are
	B       int64    `json:"b"`       // and at B
	Overlap int64    `json:"overlap"` // messages seen at both
	Jaccard float64  `json:"jaccard"` // of those seen at either
	RBO     *float64 `json:"rbo"`     // rank-biased overlap, p = 0.9, extrapolated, ties by variant a; null where a list is empty
	Kendall float64  `json:"kendall"` // Kendall's distance K^(1/2) of Fagin, Kumar and Sivakumar; of K and K entries at most K*K + K*(K-1)/2
}
