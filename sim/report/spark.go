package report

import "fmt"

// point is a value in the minute that starts at ms.
type point struct{ ms, value int64 }

const (
	sparkColumns = 60
	sparkHeights = "▁▂▃▄▅▆▇█"
)

// spark draws values over time as one line of bars, in which each column shows
// the largest value of its stretch; a stretch without any is a dot.
func (t *text) spark(points []point) {
	if len(points) == 0 {
		return
	}
	first, last := points[0].ms, points[0].ms
	for _, p := range points {
		first, last = min(first, p.ms), max(last, p.ms)
	}
	stretch := (float64(last) - float64(first) + 60_000) / sparkColumns
	stretch = max(stretch, 60_000)
	n := min(int((float64(last)-float64(first))/stretch)+1, sparkColumns)
	bars := make([]int64, n)
	var most int64
	for _, p := range points {
		i := int((float64(p.ms) - float64(first)) / stretch)
		i = min(max(i, 0), n-1)
		bars[i] = max(bars[i], p.value)
		most = max(most, p.value)
	}
	heights := []rune(sparkHeights)
	line := make([]rune, n)
	for i, v := range bars {
		line[i] = '.'
		if v > 0 {
			line[i] = heights[min(int(float64(v)/float64(most)*float64(len(heights))), len(heights)-1)]
		}
	}
	t.line("    " + string(line))
	t.line(fmt.Sprintf("    from %s to %s UTC", minute(first), minute(last)))
}
