package result

// Threshold is a condition on the figures of a result, and whether it held.
type Threshold struct {
	Expression string           `json:"expression"` // "sites.*.push.late == 0"
	Verdict    string           `json:"verdict"`    // pass, fail, not enough data
	Values     []ThresholdValue `json:"values"`     // one a comparison of the expression
}

// ThresholdValue is the figure that decided about a comparison: of several the
// one furthest on the wrong side, or nearest to it.
type ThresholdValue struct {
	Path  string   `json:"path"`  // of the figure
	Value *float64 `json:"value"` // null where it is not defined, or there was no message
}

// Verdicts of Threshold.
const (
	ThresholdPass   = "pass"
	ThresholdFail   = "fail"
	ThresholdNoData = "not enough data"
)
