package delay

import (
	"fmt"
	"math/bits"
	"sort"
	"strconv"
	"strings"
)

var empiricalKind = kind{
	name: "empirical", usage: "pNN=DELAY,...,max=DELAY (or DELAY/DELAY/..., or @FILE.parquet#COLUMN_ms)",
	parse: parseEmpirical,
	takes: func(items []string) int {
		if strings.HasPrefix(strings.TrimSpace(items[0]), "@") {
			return 1
		}
		n := 0
		for n < len(items) && strings.Contains(items[n], "=") {
			n++
		}
		return max(n, 1)
	},
}

// points is an empirical distribution: either quantiles, with straight lines
// between them, or plain values of equal weight.
type points struct {
	at    []uint64  // quantiles: probability of each point, in 2^-64; the first is 0, the last the largest word
	ns    []int64   // the values, ascending
	slope []float64 // quantiles: ns per word from point i to i+1
	start [256]int32
}

// parseEmpirical reads "p50=10ms", "max=1s" and so on, or one item of values
// with slashes between them.
func parseEmpirical(items []string) (Dist, error) {
	if file, ok := strings.CutPrefix(strings.TrimSpace(items[0]), "@"); ok {
		return parseReference(strings.Join(append([]string{file}, items[1:]...), ","))
	}
	if len(items) == 1 && !strings.Contains(items[0], "=") {
		return parseValues(strings.Split(items[0], "/"))
	}
	p := &points{at: []uint64{0}, ns: []int64{0}}
	last, text, hasMax := -1.0, make([]string, 0, len(items)), false
	for _, item := range items {
		name, value, _ := strings.Cut(item, "=")
		percent, err := parsePercent(strings.TrimSpace(name))
		if err != nil {
			return Dist{}, err
		}
		ns, err := parseDelay(value)
		if err != nil {
			return Dist{}, fmt.Errorf("%s: %w", strings.TrimSpace(name), err)
		}
		if percent <= last || ns < p.ns[len(p.ns)-1] {
			return Dist{}, fmt.Errorf("%s is out of order: probabilities must rise and values must not fall", item)
		}
		last = percent
		name = percentName(percent)
		text = append(text, name+"="+spell(ns))
		hasMax = percent == 100
		switch {
		case percent == 0:
			p.ns[0] = ns
		case hasMax:
			p.at, p.ns = append(p.at, 1<<64-1), append(p.ns, ns)
		default:
			p.at, p.ns = append(p.at, uint64(percent/100*0x1p64)), append(p.ns, ns)
		}
	}
	if !hasMax {
		return Dist{}, fmt.Errorf("the last quantile must be max=, the longest delay there is")
	}
	p.index()
	return Dist{
		text: "empirical:" + strings.Join(text, ","), lo: p.ns[0], points: p,
		form: &formula{quantileSample, quantileFill},
	}, nil
}

// parsePercent reads min, p50, p99.9 or max.
func parsePercent(name string) (float64, error) {
	switch name {
	case "min":
		return 0, nil
	case "max":
		return 100, nil
	}
	digits, ok := strings.CutPrefix(name, "p")
	p, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || strings.Trim(digits, "0123456789.") != "" || p > 100 {
		return 0, fmt.Errorf("%q is not a quantile: write min, p50, p99.9 (percent) or max", name)
	}
	return p, nil
}

func percentName(p float64) string {
	switch p {
	case 0:
		return "min"
	case 100:
		return "max"
	}
	return "p" + strconv.FormatFloat(p, 'f', -1, 64)
}

// index prepares the slopes, and for each leading byte of a word the segment
// in which the search for it starts.
func (p *points) index() {
	last := len(p.at) - 1
	p.slope = make([]float64, last)
	for i := range last {
		if width := p.at[i+1] - p.at[i]; width > 0 {
			p.slope[i] = float64(p.ns[i+1]-p.ns[i]) / float64(width)
		}
	}
	segment := int32(0)
	for lead := range p.start {
		for int(segment)+1 < last && p.at[segment+1] <= uint64(lead)<<56 {
			segment++
		}
		p.start[lead] = segment
	}
}

func quantileSample(d *Dist, u uint64) int64 {
	p := d.points
	i := int(p.start[u>>56])
	for i+2 < len(p.at) && p.at[i+1] <= u {
		i++
	}
	ns := p.ns[i] + int64(float64(float64(u-p.at[i])*p.slope[i])+0.5)
	return min(ns, p.ns[i+1])
}

func quantileFill(d *Dist, us []uint64, out []int64) {
	for i, u := range us {
		out[i] = quantileSample(d, u)
	}
}

// parseValues makes a distribution of observed values, each as likely as the
// others.
func parseValues(items []string) (Dist, error) {
	p := &points{}
	for _, item := range items {
		ns, err := parseDelay(item)
		if err != nil {
			return Dist{}, err
		}
		p.ns = append(p.ns, ns)
	}
	sort.Slice(p.ns, func(i, j int) bool { return p.ns[i] < p.ns[j] })
	text := make([]string, len(p.ns))
	for i, ns := range p.ns {
		text[i] = spell(ns)
	}
	return Dist{
		text: "empirical:" + strings.Join(text, "/"), lo: p.ns[0], points: p,
		form: &formula{valueSample, valueFill},
	}, nil
}

func valueSample(d *Dist, u uint64) int64 {
	i, _ := bits.Mul64(u, uint64(len(d.points.ns)))
	return d.points.ns[i]
}

func valueFill(d *Dist, us []uint64, out []int64) {
	ns := d.points.ns
	for i, u := range us {
		k, _ := bits.Mul64(u, uint64(len(ns)))
		out[i] = ns[k]
	}
}
