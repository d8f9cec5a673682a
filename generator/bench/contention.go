package bench

import "fmt"

// Contention says which seconds the goroutines draw for.
type Contention string

// The contentions, from the least to the most.
const (
	OwnSeconds    Contention = "own"    // each goroutine its own, one after the other
	SharedSeconds Contention = "shared" // all the same ones, in turn, 512 s apart
	OneSecond     Contention = "one"    // all the same second, which overflows
)

// Contentions are all of them.
func Contentions() []Contention { return []Contention{OwnSeconds, SharedSeconds, OneSecond} }

const (
	perSecond     = 4000 // ids for one second where it is not to overflow; a node has 5000
	cacheLine     = 8    // slots of one; goroutines with seconds of their own share none
	apart         = 512  // seconds between shared ones
	secondsPerDay = 86_400
	apartPerDay   = secondsPerDay / apart
)

// second gives the second of the day for draw i of a goroutine.
type second func(goroutine, i int) int64

// seconds is the pattern for a number of goroutines that draw so many ids each.
// The error says that they do not fit into a day.
func (c Contention) seconds(goroutines, each int) (second, error) {
	switch c {
	case OwnSeconds:
		own := max(cacheLine, (each+perSecond-1)/perSecond)
		if goroutines*own > secondsPerDay {
			return nil, fmt.Errorf("ids %d: %d threads that draw %d each need %d seconds of their own; a day has %d: draw fewer",
				goroutines*each, goroutines, each, goroutines*own, secondsPerDay)
		}
		return func(g, i int) int64 { return int64(g*own + i/perSecond) }, nil
	case SharedSeconds:
		n := (goroutines*each + perSecond - 1) / perSecond
		if n > apartPerDay*apart {
			return nil, fmt.Errorf("ids %d: they need %d shared seconds; a day has %d: draw fewer", goroutines*each, n, apartPerDay*apart)
		}
		return func(_, i int) int64 {
			at := i % n
			return int64(at%apartPerDay*apart + at/apartPerDay)
		}, nil
	default:
		return func(_, _ int) int64 { return 0 }, nil
	}
}
