package report

import (
	"cmp"
	"fmt"
	"slices"
)

// point is a value in the minute that starts at ms.
type point struct{ ms, value int64 }

const (
	sparkColumns = 60
	sparkHeights = "▁▂▃▄▅▆▇█"
	shortPause   = 10 // minutes without a point that are drawn one by one
	pause        = -1 // the value that stands for a longer one
)

// spark draws values over time as one line of bars: a bar a minute, or the
// largest of several minutes where there are more than fit. A dot is 0, a blank
// a pause of more than ten minutes.
func (t *text) spark(points []point) {
	if len(points) == 0 {
		return
	}
	points = slices.SortedStableFunc(slices.Values(points), func(a, b point) int { return cmp.Compare(a.ms, b.ms) })
	values := squeezed(everyMinute(points))
	most := max(1, slices.Max(values))
	heights := []rune(sparkHeights)
	bars := make([]rune, len(values))
	for i, v := range values {
		switch {
		case v == pause:
			bars[i] = ' '
		case v <= 0:
			bars[i] = '.'
		default:
			bars[i] = heights[min(int(float64(v)/float64(most)*float64(len(heights))), len(heights)-1)]
		}
	}
	t.line("    " + string(bars))
	t.line(fmt.Sprintf("    from %s to %s UTC", minute(points[0].ms), minute(points[len(points)-1].ms)))
}

// everyMinute gives a value for every minute from the first point to the last,
// but only one for a long pause.
func everyMinute(points []point) []int64 {
	var values []int64
	for i, p := range points {
		if i > 0 {
			switch missing := (float64(p.ms)-float64(points[i-1].ms))/60_000 - 1; {
			case missing > shortPause:
				values = append(values, pause)
			case missing > 0:
				values = append(values, make([]int64, int(missing))...)
			}
		}
		values = append(values, max(0, p.value))
	}
	return values
}

// squeezed makes values fit the line, taking the largest of each stretch.
func squeezed(values []int64) []int64 {
	if len(values) <= sparkColumns {
		return values
	}
	few := make([]int64, sparkColumns)
	for i := range few {
		few[i] = slices.Max(values[i*len(values)/sparkColumns : (i+1)*len(values)/sparkColumns])
	}
	return few
}
