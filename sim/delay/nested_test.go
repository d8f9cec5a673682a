package delay

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The parts of a mixture take the shares of its words that their weights say,
// in their order, and each part sees the whole line of words.
func TestMixtureSplitsWords(t *testing.T) {
	d := mustParse(t, "mixture:(1*uniform:10ns,19ns|2*uniform:20ns,29ns|1*uniform:30ns,39ns)")
	us := words(4000)
	for i, u := range us {
		part, place := int64(1), i
		switch {
		case i >= 3000:
			part, place = 3, i-3000
		case i >= 1000:
			part, place = 2, (i-1000)/2
		}
		if got, want := d.Sample(u), 10*part+int64(place)/100; got != want {
			t.Fatalf("word %d of %d: %d ns, want %d", i, len(us), got, want)
		}
	}
	if d.Min() != 10 || d.Sample(0) != 10 || d.Sample(math.MaxUint64) != 39 {
		t.Errorf("the ends are %d, %d, %d", d.Min(), d.Sample(0), d.Sample(math.MaxUint64))
	}
	if d := mustParse(t, "mixture:(1*5s|1*1s)"); d.Min() != 1e9 {
		t.Errorf("the least of 5s and 1s is %d ns", d.Min())
	}
}

// Every sample of a mixture is one of the part whose stretch its word lies in;
// within a stretch samples never fall.
func TestMixtureProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "parts")
		var weights []float64
		var dists []Dist
		for range n {
			weights = append(weights, rapid.Float64Range(1e-5, 1e3).Draw(t, "weight"))
			dists = append(dists, oneOf().Draw(t, "part"))
		}
		d, err := newMixture(weights, dists)
		if err != nil {
			t.Fatal(err)
		}
		u, v := rapid.Uint64().Draw(t, "u"), rapid.Uint64().Draw(t, "v")
		if u > v {
			u, v = v, u
		}
		a, own := d.parts.pick(u)
		b, ownB := d.parts.pick(v)
		ms := rapid.Int64().Draw(t, "ms")
		switch {
		case a == b && own > ownB:
			t.Fatalf("%#x and %#x become %#x and %#x", u, v, own, ownB)
		case a == b && d.SampleAt(u, ms) > d.SampleAt(v, ms):
			t.Fatalf("%v falls from %#x to %#x", d, u, v)
		case d.Sample(u) != a.Sample(own) || d.SampleAt(u, ms) != a.SampleAt(own, ms):
			t.Fatalf("%v at %#x is not its part's", d, u)
		case d.SampleAt(u, ms) < d.Min():
			t.Fatalf("%v at %#x is below %d", d, u, d.Min())
		}
		again, err := Parse(d.String())
		if err != nil || !again.Equal(d) || again.SampleAt(u, ms) != d.SampleAt(u, ms) {
			t.Fatalf("%v is read back as %v, %v", d, again, err)
		}
	})
}

func TestDaily(t *testing.T) {
	d := mustParse(t, "daily:(09:30=1s;16:00=2s;23:59:30=3s)")
	const hour, minute = int64(3_600_000), int64(60_000)
	for _, at := range []struct{ ms, want int64 }{
		{0, 3}, {9*hour + 30*minute - 1, 3}, {9*hour + 30*minute, 1}, {16*hour - 1, 1}, {16 * hour, 2},
		{24*hour - 30_001, 2}, {24*hour - 30_000, 3}, {24 * hour, 3}, {-1, 3}, {-30_001, 2}, {-8 * hour, 2},
		{20_000*24*hour + 12*hour, 1},
	} {
		if got := d.SampleAt(7, at.ms); got != at.want*1e9 {
			t.Errorf("at %d ms it is %d ns, want %d s", at.ms, got, at.want)
		}
		// At UTC+8 the day starts 8 hours earlier; at UTC-3:30, later.
		for _, offset := range []int64{8 * hour, -3*hour - 30*minute} {
			local := d.InZone(offset)
			if got := local.SampleAt(7, at.ms-offset); got != at.want*1e9 {
				t.Errorf("offset %d: at %d ms it is %d ns, want %d s", offset, at.ms-offset, got, at.want)
			}
		}
	}
	switch other := mustParse(t, "20ms"); {
	case !d.Varies() || other.Varies():
		t.Error("Varies is wrong")
	case d.Min() != 1e9 || d.Sample(7) != 3e9:
		t.Errorf("the least is %d, that of midnight %d", d.Min(), d.Sample(7))
	case other.SampleAt(7, 5) != 20e6:
		t.Error("a time makes a difference where it should not")
	}
	mixed := mustParse(t, "mixture:(1*10s|1*daily:(06:00=1s;12:00=2s))").InZone(hour)
	for ms, want := range map[int64]int64{5 * hour: 1, 11*hour - 1: 1, 11 * hour: 2, 5*hour - 1: 2} {
		if got := mixed.SampleAt(1<<63, ms); got != want*1e9 {
			t.Errorf("mixed at %d ms: %d ns, want %d s", ms, got, want)
		}
	}
	if !mixed.Varies() || mixed.Min() != 1e9 || mixed.SampleAt(0, 0) != 10e9 {
		t.Error("mixed in, the day is lost")
	}
}

// Whatever the time, a sample is that of the part of that time, and at least Min.
func TestDailyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := &day{offsetMs: rapid.Int64Range(-64_800_000, 64_800_000).Draw(t, "offset")}
		for second := rapid.Int64Range(0, 86_399).Draw(t, "first"); second < 86_400 && len(y.dists) < 4; {
			y.fromMs, y.dists = append(y.fromMs, second*1000), append(y.dists, oneOf().Draw(t, "part"))
			second += rapid.Int64Range(1, 40_000).Draw(t, "step")
		}
		d := newDaily(y)
		u, ms := rapid.Uint64().Draw(t, "u"), rapid.Int64Range(-1<<50, 1<<50).Draw(t, "ms")
		local := floorMod(ms+y.offsetMs, 86_400_000)
		want := &y.dists[len(y.dists)-1]
		for i, from := range y.fromMs {
			if from <= local {
				want = &y.dists[i]
			}
		}
		if got := d.SampleAt(u, ms); got != want.Sample(u) || got < d.Min() {
			t.Fatalf("%v at %d: %d, want that of %v", d, ms, got, want)
		}
		if again, err := Parse(d.String()); err != nil || !again.Equal(d) {
			t.Fatalf("%v is read back as %v, %v", d, again, err)
		}
	})
}

func floorMod(a, b int64) int64 { return ((a % b) + b) % b }

// oneOf draws a distribution that does not vary.
func oneOf() *rapid.Generator[Dist] {
	return dists().Filter(func(d Dist) bool { return !d.Varies() })
}
