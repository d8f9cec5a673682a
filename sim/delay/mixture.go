package delay

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

var mixtureKind = kind{name: "mixture", usage: "(WEIGHT*DELAY | WEIGHT*DELAY | ...)", nested: parseMixture}

// parts are what a mixture is made of. The line of words is cut into one
// stretch a part, in their order and as long as their weights say; the words of
// a stretch are stretched over the whole line for its part. So one word says
// both which part and how long.
type parts struct {
	weights []float64
	dists   []Dist
	starts  []uint64 // first word of each part; the first is 0
	widths  []uint64 // words of each part
}

// minShare is the smallest share of a part: below it, its samples would show
// the graininess of words.
const minShare = 1e-9

func parseMixture(inside string, parse func(string) (Dist, error)) (Dist, error) {
	var weights []float64
	var dists []Dist
	for _, item := range splitOutside(inside, '|') {
		weight, rest, ok := strings.Cut(item, "*")
		w, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		if !ok || err != nil || !(w > 0) || math.IsInf(w, 1) {
			return Dist{}, fmt.Errorf("%q is no part of a mixture: write WEIGHT*DELAY with a weight above 0, as in 0.9*20ms", strings.TrimSpace(item))
		}
		d, err := parse(rest)
		if err != nil {
			return Dist{}, err
		}
		weights, dists = append(weights, w), append(dists, d)
	}
	return newMixture(weights, dists)
}

func newMixture(weights []float64, dists []Dist) (Dist, error) {
	if len(dists) < 2 {
		return Dist{}, fmt.Errorf("a mixture has at least two parts, with | between them")
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	p := &parts{weights: weights, dists: dists}
	d := Dist{form: &formula{mixtureSample, fillOneByOne}, parts: p, lo: maxNs}
	text := make([]string, len(dists))
	sum := 0.0
	for i, w := range weights {
		if !(w/total >= minShare) {
			return Dist{}, fmt.Errorf("the share of %v*%v is below %v: leave it out", w, dists[i], minShare)
		}
		text[i] = strconv.FormatFloat(w, 'f', -1, 64) + "*" + dists[i].String()
		p.starts = append(p.starts, uint64(sum/total*0x1p64))
		sum += w
		d.lo = min(d.lo, dists[i].Min())
		if dists[i].Varies() {
			d.at = mixtureAt
		}
	}
	for i, start := range p.starts {
		p.widths = append(p.widths, p.starts[(i+1)%len(p.starts)]-start) // modulo 2^64
	}
	d.text = "mixture:(" + strings.Join(text, "|") + ")"
	return d, nil
}

// pick is the part for a word, and the word for the part.
func (p *parts) pick(u uint64) (*Dist, uint64) {
	i := len(p.starts) - 1
	for p.starts[i] > u {
		i--
	}
	own, _ := bits.Div64(u-p.starts[i], 0, p.widths[i])
	return &p.dists[i], own
}

func mixtureSample(d *Dist, u uint64) int64 {
	part, own := d.parts.pick(u)
	return part.Sample(own)
}

func mixtureAt(d *Dist, u uint64, ms int64) int64 {
	part, own := d.parts.pick(u)
	return part.SampleAt(own, ms)
}

// each is the mixture with every part changed.
func (p *parts) each(change func(Dist) (Dist, error)) (Dist, error) {
	dists := slices.Clone(p.dists)
	for i := range dists {
		var err error
		if dists[i], err = change(dists[i]); err != nil {
			return Dist{}, err
		}
	}
	return newMixture(p.weights, dists)
}
