package result

// Confidence is the level of all intervals.
const Confidence = 0.95

// Replications are the figures of a run that was repeated with other luck.
type Replications struct {
	N          int     `json:"n"`          // how often, the run itself among them
	Confidence float64 `json:"confidence"` // of the intervals: 0.95

	// Figures by their paths, as in sites.east.push.late: see the function of
	// this name.
	Figures map[string]*Estimate `json:"figures"`
}

// Estimate is a figure over replications. Mean, Low, High and the rest are of
// those replications in which it is defined; null where there are none, and the
// last three of the first line where there is one.
type Estimate struct {
	Defined int `json:"defined"` // in how many replications it is defined

	Mean *float64 `json:"mean"` // over the replications
	SD   *float64 `json:"sd"`   // standard deviation, of a sample: by n - 1
	Low  *float64 `json:"low"`  // the confidence interval of the mean, by Student's t
	High *float64 `json:"high"` // its upper end
	Min  *float64 `json:"min"`  // smallest of the replications
	Max  *float64 `json:"max"`  // largest of the replications

	Values []*float64 `json:"values"` // by replication; the first is the run itself
}

// What opens the comparison of two results.
const (
	ComparisonFormat  = "twindrift-diff"
	ComparisonVersion = 1
)

// Comparison is what differs between two results, A and B, that saw the same
// messages and the same luck: replication i of one is paired with replication i
// of the other (common random numbers).
type Comparison struct {
	Format       string  `json:"format"`
	Version      int     `json:"version"`
	Replications int     `json:"replications"` // of each
	Confidence   float64 `json:"confidence"`

	Differences []Difference `json:"differences"` // the figures that differ in some replication, in the order of results
	Same        int          `json:"same"`        // how many are equal in every one
	OnlyA       []string     `json:"only_a"`      // figures that only one has, as those of a site
	OnlyB       []string     `json:"only_b"`
}

// Difference is a figure that two results do not agree on.
type Difference struct {
	Path       string    `json:"path"`
	A          *float64  `json:"a"` // its mean over the replications in which it is defined
	B          *float64  `json:"b"`
	Difference *Estimate `json:"difference"` // of B less A, replication by replication
	Verdict    string    `json:"verdict"`
}

// Verdicts of Difference.
const (
	BeyondNoise = "beyond noise"    // the confidence interval does not hold 0
	WithinNoise = "within noise"    // it does
	NotEnough   = "not enough data" // there is no interval: fewer than two replications in which both are defined
)
