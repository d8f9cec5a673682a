package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"twindrift/sim/result"
)

// verdictMarks are how thresholds are told: the sign, its colour and what the
// figures are said with.
var verdictMarks = map[string]struct{ sign, style string }{
	result.ThresholdPass:   {"  ✓ ", green},
	result.ThresholdFail:   {"  ✗ ", red},
	result.ThresholdNoData: {"  ? ", yellow},
}

// thresholds says which thresholds hold, before anything else.
func (t *text) thresholds() {
	if len(t.Thresholds) == 0 {
		return
	}
	t.heading("THRESHOLDS")
	for _, one := range t.Thresholds {
		m, ok := verdictMarks[one.Verdict]
		if !ok {
			m = verdictMarks[result.ThresholdNoData]
		}
		for i, l := range wrapped(m.sign, one.Expression+"  "+actual(&one), t.width) {
			if i == 0 {
				t.styled(m.style, l)
			} else {
				t.line(l)
			}
		}
	}
}

// plainNumber is a number as expressions have it.
func plainNumber(x float64) string {
	if math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// actual says what the figures of a threshold are. Where the expression itself
// names the one figure it is about, that is not said again.
func actual(t *result.Threshold) string {
	var all []string
	for _, v := range t.Values {
		is := "is not defined"
		if v.Value != nil {
			is = "is " + plainNumber(*v.Value)
		}
		if len(t.Values) > 1 || !strings.Contains(t.Expression, v.Path) {
			is = v.Path + " " + is
		}
		all = append(all, is)
	}
	text := "(" + strings.Join(all, ", ") + ")"
	if t.Verdict == result.ThresholdNoData {
		text = fmt.Sprintf("(not enough data: %s)", strings.Join(all, ", "))
	}
	return text
}
