package delay

import (
	"time"

	"twindrift/sim/duration"
)

// Max is the longest delay: 30 days. A distribution given by longer values is
// refused; samples of those without an upper end are cut to it.
const Max = 30 * 24 * time.Hour

const maxNs = int64(Max)

// Dist is a distribution of delays. The zero value is no delay. A Dist is
// read-only once made: it may be copied and shared between goroutines.
type Dist struct {
	text string   // canonical form; empty for the zero value
	form *formula // nil: every sample is lo

	lo     int64       // smallest sample, ns
	span   uint64      // width in ns, for kinds that use it
	a, b   float64     // parameters, for kinds that use them
	points *points     // of an empirical distribution
	curve  *gammaCurve // of a gamma distribution
	parts  *parts      // of a mixture
	day    *day        // of a distribution that varies over the day
	seen   *seen       // of an empirical distribution from a file

	// at is the sample at a time, in ms since the Unix epoch; nil where all times
	// are alike.
	at func(d *Dist, u uint64, ms int64) int64
}

// formula is how the samples of a kind are computed.
type formula struct {
	sample func(d *Dist, u uint64) int64
	fill   func(d *Dist, us []uint64, out []int64) // len(out) >= len(us)
}

// Sample gives the delay in nanoseconds for a uniform word. Where Varies, it is
// the delay at the start of the day.
func (d *Dist) Sample(u uint64) int64 {
	if d.form == nil {
		return d.lo
	}
	return d.form.sample(d, u)
}

// SampleBatch sets out[i] to the delay for us[i]. out must be at least as long
// as us.
func (d *Dist) SampleBatch(us []uint64, out []int64) {
	out = out[:len(us)]
	if d.form == nil {
		for i := range out {
			out[i] = d.lo
		}
		return
	}
	d.form.fill(d, us, out)
}

// SampleAt is Sample at a time, in ms since the Unix epoch.
func (d *Dist) SampleAt(u uint64, ms int64) int64 {
	if !d.Varies() {
		return d.Sample(u)
	}
	return d.at(d, u, ms)
}

// Varies says whether samples differ with the time of the day, so that SampleAt
// is needed.
func (d *Dist) Varies() bool { return d.at != nil }

// Min is a lower bound of every sample, at any time, in nanoseconds.
func (d *Dist) Min() int64 { return d.lo }

// IsZero says whether every sample is 0.
func (d *Dist) IsZero() bool { return d.form == nil && d.lo == 0 }

// Fixed says whether every sample is the same, so that no word is needed.
func (d *Dist) Fixed() bool { return d.form == nil }

// Random says whether samples differ from word to word. Where it is false,
// every sample is Min.
func (d *Dist) Random() bool { return d.form != nil }

// String is the canonical text: Parse reads it back to an equal distribution.
func (d Dist) String() string {
	if d.text == "" {
		return "0s"
	}
	return d.text
}

// Equal says whether two distributions give the same sample for every word.
// Distributions of different kinds are different, even where their samples
// happen to agree. Zones (InZone) and what files hold (Load) are left aside.
func (d Dist) Equal(o Dist) bool { return d.String() == o.String() }

// MarshalText is String.
func (d Dist) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is Parse.
func (d *Dist) UnmarshalText(b []byte) error {
	v, err := Parse(string(b))
	if err == nil {
		*d = v
	}
	return err
}

// spell writes nanoseconds as a duration.
func spell(ns int64) string { return duration.Duration(ns).String() }

// cut rounds a computed delay to whole nanoseconds within [0, Max].
func cut(ns float64) int64 {
	switch {
	case ns <= 0:
		return 0
	case ns >= float64(maxNs):
		return maxNs
	}
	return int64(float64(ns) + 0.5)
}

// odd is u as an odd number q in (-2^53, 2^53): the point that u stands for on
// the line of probability is 0.5 + q/2^54. Both tails are exact, and neither 0
// nor 1 is reached.
func odd(u uint64) int64 { return int64(u^1<<63)>>10 | 1 }
