package delay

import "fmt"

var normalKind = kind{
	name: "normal", usage: "MEAN,DEVIATION", arity: 2,
	make: func(p []int64) (Dist, error) {
		return Dist{
			text: fmt.Sprintf("normal:%s,%s", spell(p[0]), spell(p[1])),
			form: &formula{normalSample, normalFill},
			a:    float64(p[0]), b: float64(p[1]),
		}, nil
	},
}

// normalSample cuts at 0: what would be negative is 0, the rest is untouched,
// so quantiles above 0 are those of the uncut distribution.
func normalSample(d *Dist, u uint64) int64 { return cut(d.a + float64(d.b*standardNormal(odd(u)))) }

func normalFill(d *Dist, us []uint64, out []int64) {
	var z [normals]float64
	for len(us) > 0 {
		n := min(len(us), normals)
		standardNormals(us[:n], &z)
		for i, z := range z[:n] {
			out[i] = cut(d.a + float64(d.b*z))
		}
		us, out = us[n:], out[n:]
	}
}

var lognormalKind = kind{
	name: "lognormal", usage: "P50,P99", arity: 2,
	make: func(p []int64) (Dist, error) {
		if p[0] > p[1] {
			return Dist{}, fmt.Errorf("p50 comes first and is at most p99")
		}
		mu := log(float64(p[0]))
		return Dist{
			text: fmt.Sprintf("lognormal:%s,%s", spell(p[0]), spell(p[1])),
			form: &formula{lognormalSample, lognormalFill},
			a:    mu, b: (log(float64(p[1])) - mu) / z99,
		}, checkPositive("p50", p[0])
	},
}

// z99 is the standard normal quantile at 0.99.
const z99 = 2.326347874040841100885606

// lnMax is just above the logarithm of maxNs.
const lnMax = 36

func lognormalSample(d *Dist, u uint64) int64 {
	return cut(exp(within(d.a + float64(d.b*standardNormal(odd(u))))))
}

// within bounds the logarithm of a number of nanoseconds: e^-1 is cut to 0, and
// e^lnMax to maxNs, as what lies beyond them is.
func within(ln float64) float64 {
	if ln < -1 {
		return -1
	}
	if ln > lnMax {
		return lnMax
	}
	return ln
}

func lognormalFill(d *Dist, us []uint64, out []int64) {
	var z [normals]float64
	for len(us) > 0 {
		n := min(len(us), normals)
		standardNormals(us[:n], &z)
		for i := range z[:n] {
			z[i] = within(d.a + float64(d.b*z[i]))
		}
		exps(z[:n])
		for i, ns := range z[:n] {
			out[i] = cut(ns)
		}
		us, out = us[n:], out[n:]
	}
}
