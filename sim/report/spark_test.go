package report

import (
	"strings"
	"testing"
)

func TestSpark(t *testing.T) {
	day := int64(86_400_000)
	for name, c := range map[string]struct {
		points []point
		want   string
	}{
		"none":   {nil, ""},
		"one":    {[]point{{0, 5}}, "    █\n    from 1970-01-01 00:00 to 1970-01-01 00:00 UTC\n"},
		"zeros":  {[]point{{0, 0}, {60_000, 0}}, "    ..\n    from 1970-01-01 00:00 to 1970-01-01 00:01 UTC\n"},
		"rise":   {[]point{{0, 1}, {60_000, 8}, {120_000, 4}}, "    ▂█▅\n    from 1970-01-01 00:00 to 1970-01-01 00:02 UTC\n"},
		"gap":    {[]point{{0, 1}, {180_000, 1}}, "    █..█\n    from 1970-01-01 00:00 to 1970-01-01 00:03 UTC\n"},
		"a day":  {[]point{{day, 1}, {0, 1}}, "    █ █\n    from 1970-01-01 00:00 to 1970-01-02 00:00 UTC\n"},
		"minus":  {[]point{{0, -7}, {60_000, 1}}, "    .█\n    from 1970-01-01 00:00 to 1970-01-01 00:01 UTC\n"},
		"a hair": {[]point{{0, 1}, {60_000, 1_000_000}}, "    ▁█\n    from 1970-01-01 00:00 to 1970-01-01 00:01 UTC\n"},
	} {
		p := &text{page: page{width: 80}}
		p.spark(c.points)
		if got := p.String(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// However many minutes there are, the highest of them is a full bar.
func TestSparkKeepsTheHighest(t *testing.T) {
	for _, n := range []int{60, 61, 100, 1440} {
		for _, at := range []int{0, n / 2, n - 1} {
			points := make([]point, n)
			for i := range points {
				points[i] = point{int64(i) * 60_000, 1}
			}
			points[at].value = 1000
			p := &text{page: page{width: 80}}
			p.spark(points)
			bars, _, _ := strings.Cut(strings.TrimSpace(p.String()), "\n")
			if len([]rune(bars)) != 60 || strings.Count(bars, "█") != 1 {
				t.Errorf("%d minutes, highest at %d: %s", n, at, bars)
			}
		}
	}
}
