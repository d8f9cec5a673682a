package delay

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := oneOf().Draw(t, "distribution")
		b := d.Bounds()
		if b == nil {
			return
		}
		for range 100 {
			u := rapid.Uint64().Draw(t, "word")
			for _, u := range []uint64{u, u | math.MaxUint64>>boundBits, u &^ (math.MaxUint64 >> boundBits)} {
				if low, high := b.Of(u); d.Sample(u) < low || d.Sample(u) > high {
					t.Fatalf("%v at %#x is %d, not from %d to %d", d, u, d.Sample(u), low, high)
				}
			}
		}
	})
	for _, text := range []string{"20ms", "uniform:1ms,5ms", "mixture:(0.9*lognormal:35ms,400ms|0.1*2s)", "daily:(00:00=20ms;09:30=lognormal:35ms,400ms)"} {
		if d := mustParse(t, text); d.Bounds() != nil {
			t.Errorf("%s has bounds", text)
		}
	}
	if d := mustParse(t, "lognormal:35ms,400ms"); d.Bounds() == nil {
		t.Errorf("%v has no bounds", d)
	}
}
