package recipe

import (
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// recipe is the YAML document. Pointers tell what was left out.
type recipe struct {
	Seed   uint64     `yaml:"seed"`
	Start  *instant   `yaml:"start"`
	Length durationMs `yaml:"length"`
	Topics []topic    `yaml:"topics"`
}

type topic struct {
	Name       string      `yaml:"name"`
	Partitions int         `yaml:"partitions"`
	Shares     []float64   `yaml:"shares"`
	Rate       *curve      `yaml:"rate"`
	Bursts     []burst     `yaml:"bursts"`
	Keys       *keys       `yaml:"keys"`
	Value      *size       `yaml:"value"`
	Timestamps string      `yaml:"timestamps"`
	Jitter     durationMs  `yaml:"jitter"`
	Late       *late       `yaml:"late"`
	Stalls     []stall     `yaml:"stalls"`
	Resends    []resending `yaml:"resends"`
}

type burst struct {
	At   *moment    `yaml:"at"`
	For  durationMs `yaml:"for"`
	Rate *rate      `yaml:"rate"`
}

type keys struct {
	Count   int       `yaml:"count"`
	Skew    float64   `yaml:"skew"`
	Weights []float64 `yaml:"weights"`
}

type late struct {
	Share share      `yaml:"share"`
	P50   durationMs `yaml:"p50"`
	P99   durationMs `yaml:"p99"`
	Max   durationMs `yaml:"max"`
}

type stall struct {
	At    *moment     `yaml:"at"`
	For   durationMs  `yaml:"for"`
	Share *share      `yaml:"share"` // default: all
	Drain *durationMs `yaml:"drain"` // default: a twentieth of the window
}

type resending struct {
	From  *moment    `yaml:"from"`
	For   durationMs `yaml:"for"`
	After durationMs `yaml:"after"`
}

// size is a number of bytes: one value, or lognormal by median and 99th
// percentile.
type size struct {
	P50 float64 `yaml:"p50"`
	P99 float64 `yaml:"p99"`
}

func (s *size) UnmarshalYAML(n ast.Node) error {
	if _, ok := n.(ast.MapNode); ok {
		type plain size
		return decodeNode(n, (*plain)(s))
	}
	if err := decodeNode(n, &s.P50); err != nil {
		return wrong(n, "a number of bytes is wanted, or {p50: 300, p99: 2000}")
	}
	s.P99 = s.P50
	return nil
}

// curve is a rate over the local day: steps in the order of their times, the
// last of which also holds before the first.
type curve []step

type step struct {
	fromMs int64 // after local midnight
	rate   rate
}

func (c *curve) UnmarshalYAML(n ast.Node) error {
	switch n := n.(type) {
	case *ast.SequenceNode:
		if len(n.Values) != 24 {
			return wrong(n, "a rate for each of the 24 hours of the day is wanted, not %d", len(n.Values))
		}
		for hour, v := range n.Values {
			s := step{fromMs: int64(hour) * dayMs / 24}
			if err := s.rate.UnmarshalYAML(v); err != nil {
				return err
			}
			*c = append(*c, s)
		}
		return nil
	case ast.MapNode:
		for it := n.MapRange(); it.Next(); {
			s, err := readStep(it.Key(), it.Value())
			if err != nil {
				return err
			}
			if k := len(*c); k > 0 && (*c)[k-1].fromMs >= s.fromMs {
				return wrong(it.Key(), "the times of day of a rate must rise")
			}
			*c = append(*c, s)
		}
		return nil
	}
	var s step
	if err := s.rate.UnmarshalYAML(n); err != nil {
		return err
	}
	*c = curve{s}
	return nil
}

func readStep(key, value ast.Node) (s step, err error) {
	text, err := scalar(key, "a time of day such as \"09:30\"")
	if err != nil {
		return s, err
	}
	if s.fromMs, err = parseTimeOfDay(text); err != nil {
		return s, wrong(key, "%v", err)
	}
	return s, s.rate.UnmarshalYAML(value)
}

// at is the rate at a time of day.
func (c curve) at(msOfDay int64) rate {
	r := c[len(c)-1].rate
	for _, s := range c {
		if s.fromMs > msOfDay {
			break
		}
		r = s.rate
	}
	return r
}

// decodeNode decodes a part of the document as strictly as the whole.
func decodeNode(n ast.Node, v any) error { return yaml.NodeToValue(n, v, yaml.Strict()) }
