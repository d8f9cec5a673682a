package bench

import (
	"slices"

	"twindrift/generator"
)

// Faults are what is wrong with ids. The zero value is none.
type Faults struct {
	Duplicates  int64 `json:"duplicates"`   // ids that were given before, each time
	WrongNode   int64 `json:"wrong_node"`   // ids that say another node
	OffStep     int64 `json:"off_step"`     // ids that do not lie on the step
	SharedScore int64 `json:"shared_score"` // different ids with the float64 of the one before them
}

// stepped is a layout whose ids lie on a step.
type stepped interface{ Aligned(id int64) bool }

// check looks at every id that a process with this node drew. It puts ids in order.
func check(ids []int64, layout generator.Layout, node int64) (f Faults) {
	step, _ := layout.(stepped)
	for _, id := range ids {
		if layout.Node(id) != node {
			f.WrongNode++
		}
		if step != nil && !step.Aligned(id) {
			f.OffStep++
		}
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		switch {
		case ids[i] == ids[i-1]:
			f.Duplicates++
		case float64(ids[i]) == float64(ids[i-1]):
			f.SharedScore++
		}
	}
	return f
}

func (f *Faults) add(g Faults) {
	f.Duplicates += g.Duplicates
	f.WrongNode += g.WrongNode
	f.OffStep += g.OffStep
	f.SharedScore += g.SharedScore
}
