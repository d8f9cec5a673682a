package scenario

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"twindrift/sim/delay"
)

// delayBlock is a distribution made of others, written as a block of YAML
// instead of as text. It has one of the fields.
type delayBlock struct {
	// Mixture takes a delay from one of its parts, from each as often as its
	// weight says.
	Mixture []weightedDelay `json:"mixture,omitempty"`

	// Daily takes the delay by the local time of day (generator.utc_offset): each
	// of its parts from a time until the next one's.
	Daily []timedDelay `json:"daily,omitempty"`
}

type weightedDelay struct {
	// Weight is the part's share of the sum of the weights.
	Weight float64 `json:"weight" required:"true"`

	// Delay of the part.
	Delay delay.Dist `json:"delay" required:"true"`
}

type timedDelay struct {
	// From is a time of day: 09:30 or 09:30:00.
	From string `json:"from" required:"true"`

	// Delay from then on.
	Delay delay.Dist `json:"delay" required:"true"`
}

// decodeDelayBlock sets a distribution from a block.
func (d *decoder) decodeDelayBlock(n ast.Node, path string, target *delay.Dist) {
	var b delayBlock
	before := len(d.errs)
	d.decode(n, path, &b)
	if len(d.errs) > before {
		return
	}
	if (len(b.Mixture) == 0) == (len(b.Daily) == 0) {
		d.fail(n, path, "a block here is either a mixture (mixture: [{weight: 9, delay: 20ms}, ...]) or a day (daily: [{from: 09:30, delay: 20ms}, ...])")
		return
	}
	var parts []string
	name, separator := "mixture", "|"
	for _, p := range b.Mixture {
		parts = append(parts, strconv.FormatFloat(p.Weight, 'g', -1, 64)+"*"+p.Delay.String())
	}
	if len(b.Daily) > 0 {
		name, separator = "daily", ";"
	}
	for _, p := range b.Daily {
		parts = append(parts, p.From+"="+p.Delay.String())
	}
	dist, err := delay.Parse(name + ":(" + strings.Join(parts, separator) + ")")
	if err != nil {
		d.fail(n, path, "%v", err)
		return
	}
	*target = dist
}
