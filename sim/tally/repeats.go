package tally

// Repeats counts values that mostly equal the one before, such as the second
// of messages that come in the order of time: a repetition costs a comparison.
// The zero value is ready.
type Repeats struct {
	counts  Counts
	last, n int64
}

// Add counts v.
func (r *Repeats) Add(v int64) {
	if v == r.last {
		r.n++
		return
	}
	r.turn(v)
}

// AddN counts v n times.
func (r *Repeats) AddN(v, n int64) {
	if v == r.last {
		r.n += n
		return
	}
	r.turn(v)
	r.n = n
}

func (r *Repeats) turn(v int64) {
	if r.n > 0 {
		r.counts.AddN(r.last, r.n)
	}
	r.last, r.n = v, 1
}

// Counts are the counts so far. They stay with r and grow with it.
func (r *Repeats) Counts() *Counts {
	r.turn(r.last)
	r.n = 0
	return &r.counts
}
