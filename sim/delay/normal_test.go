package delay

import (
	"math"
	"testing"

	"twindrift/replay/philox"
)

// One sample as AS 241 and the cut are stated, with nothing computed for several.
func plainLognormal(d *Dist, u uint64) int64 {
	q := odd(u)
	x := float64(q) * 0x1p-54
	z := normalTail(q)
	if math.Abs(x) <= 0.425 {
		r := 0.180625 - float64(x*x)
		z = x * poly(&centerA, r) / poly(&centerB, r)
	}
	switch ln := d.a + float64(d.b*z); {
	case ln < -1:
		return 0
	case ln > lnMax:
		return maxNs
	default:
		return cut(exp(ln))
	}
}

func TestLognormalBatches(t *testing.T) {
	us := []uint64{0, 1, 1<<63 - 1, 1 << 63, math.MaxUint64}
	for _, q := range []int64{centerEnd, -centerEnd} {
		for by := int64(-2); by <= 2; by++ {
			us = append(us, uint64((q+by)<<10)^1<<63)
		}
	}
	for i := range uint64(20_000) {
		w := philox.Block([4]uint64{i}, [2]uint64{})
		us = append(us, w[0], w[1]>>(w[2]%64), ^(w[3] >> (w[2] >> 6 % 64)))
	}
	out := make([]int64, len(us))
	for _, text := range []string{"lognormal:35ms,400ms", "lognormal:1ns,5ns", "lognormal:1ns,30d", "lognormal:20d,30d", "lognormal:5ms,5ms"} {
		d := mustParse(t, text)
		for _, size := range []int{1, 7, normals - 1, normals, normals + 1, len(us)} {
			clear(out)
			for from := 0; from < len(us); from += size {
				to := min(from+size, len(us))
				d.SampleBatch(us[from:to], out[from:to])
			}
			for i, u := range us {
				if want := plainLognormal(&d, u); out[i] != want || d.Sample(u) != want {
					t.Fatalf("%s, word %#x in batches of %d: %d, alone %d, want %d", text, u, size, out[i], d.Sample(u), want)
				}
			}
		}
	}
	if float64(centerEnd)*0x1p-54 != 0.425 {
		t.Error("the center does not end at 0.425")
	}
}
