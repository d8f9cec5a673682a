package site

import "math"

// Filter is the business filter: what is filtered draws no id.
type Filter struct {
	Keep float64 // share kept, chosen by luck; 1 keeps all
	Drop []Drop  // filtered whatever the luck
}

// Drop names messages to filter: those to which every given part applies.
type Drop struct {
	Topic      string // "" for any
	Partition  int32  // AnyPartition for any
	KeyMod     uint64 // with KeyRest: key hash modulo KeyMod equals KeyRest; 0 for any
	KeyRest    uint64
	LargerThan int32 // value larger than so many bytes; AnySize for any
}

// What stands for "any" in a Drop.
const (
	AnyPartition int32 = -1
	AnySize      int32 = -1
)

// rule is a filter as far as one partition goes.
type rule struct {
	all     bool
	dropped []Drop
	below   uint64 // luck below it keeps
	keep    bool   // all kept by luck
}

func (f Filter) rule(topic string, number int32) rule {
	r := rule{keep: f.Keep >= 1}
	if !r.keep && f.Keep > 0 {
		r.below = uint64(math.Ldexp(f.Keep, 64))
	}
	for _, d := range f.Drop {
		if d.Topic != "" && d.Topic != topic || d.Partition != AnyPartition && d.Partition != number {
			continue
		}
		if d.KeyMod == 0 && d.LargerThan == AnySize {
			r.all = true
		}
		r.dropped = append(r.dropped, d)
	}
	return r
}

// drops says whether a Drop names row i.
func (r *rule) drops(rows *Rows, i int) bool {
	if r.all {
		return true
	}
	for _, d := range r.dropped {
		if (d.KeyMod == 0 || rows.KeyHash[i]%d.KeyMod == d.KeyRest) &&
			(d.LargerThan == AnySize || rows.ValueLen[i] > d.LargerThan) {
			return true
		}
	}
	return false
}
