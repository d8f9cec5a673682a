package delay

import (
	"fmt"
	"math"
)

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
func normalSample(d *Dist, u uint64) int64 { return cut(d.a + d.b*standardNormal(odd(u))) }

func normalFill(d *Dist, us []uint64, out []int64) {
	for i, u := range us {
		out[i] = cut(d.a + d.b*standardNormal(odd(u)))
	}
}

var lognormalKind = kind{
	name: "lognormal", usage: "P50,P99", arity: 2,
	make: func(p []int64) (Dist, error) {
		if p[0] > p[1] {
			return Dist{}, fmt.Errorf("p50 comes first and is at most p99")
		}
		mu := math.Log(float64(p[0]))
		return Dist{
			text: fmt.Sprintf("lognormal:%s,%s", spell(p[0]), spell(p[1])),
			form: &formula{lognormalSample, lognormalFill},
			a:    mu, b: (math.Log(float64(p[1])) - mu) / z99,
		}, checkPositive("p50", p[0])
	},
}

// z99 is the standard normal quantile at 0.99.
const z99 = 2.326347874040841100885606

func lognormalSample(d *Dist, u uint64) int64 {
	return cut(math.Exp(d.a + d.b*standardNormal(odd(u))))
}

func lognormalFill(d *Dist, us []uint64, out []int64) {
	for i, u := range us {
		out[i] = cut(math.Exp(d.a + d.b*standardNormal(odd(u))))
	}
}

// standardNormal is the standard normal quantile at 0.5 + q/2^54 for an odd q
// in (-2^53, 2^53), to about 1 part in 10^16.
//
// Algorithm AS 241, PPND16: M. J. Wichura, "The percentage points of the normal
// distribution", Applied Statistics 37 (1988), 477-484.
func standardNormal(q int64) float64 {
	x := float64(q) * 0x1p-54
	if math.Abs(x) > 0.425 {
		return normalTail(q)
	}
	r := 0.180625 - x*x
	return x * (((((((2.5090809287301226727e3*r+3.3430575583588128105e4)*r+6.7265770927008700853e4)*r+
		4.5921953931549871457e4)*r+1.3731693765509461125e4)*r+1.9715909503065514427e3)*r+
		1.3314166789178437745e2)*r + 3.3871328727963666080e0) /
		(((((((5.2264952788528545610e3*r+2.8729085735721942674e4)*r+3.9307895800092710610e4)*r+
			2.1213794301586595867e4)*r+5.3941960214247511077e3)*r+6.8718700749205790830e2)*r+
			4.2313330701600911252e1)*r + 1)
}

// normalTail is standardNormal where the nearer end is less than 0.075 away.
func normalTail(q int64) float64 {
	tail := q // distance to the nearer end, in 2^-54
	if tail < 0 {
		tail = -tail
	}
	r := math.Sqrt(-math.Log(float64(1<<53-tail) * 0x1p-54))
	var z float64
	if r <= 5 {
		r -= 1.6
		z = (((((((7.74545014278341407640e-4*r+2.27238449892691845833e-2)*r+2.41780725177450611770e-1)*r+
			1.27045825245236838258e0)*r+3.64784832476320460504e0)*r+5.76949722146069140550e0)*r+
			4.63033784615654529590e0)*r + 1.42343711074968357734e0) /
			(((((((1.05075007164441684324e-9*r+5.47593808499534494600e-4)*r+1.51986665636164571966e-2)*r+
				1.48103976427480074590e-1)*r+6.89767334985100004550e-1)*r+1.67638483018380384940e0)*r+
				2.05319162663775882187e0)*r + 1)
	} else {
		r -= 5
		z = (((((((2.01033439929228813265e-7*r+2.71155556874348757815e-5)*r+1.24266094738807843860e-3)*r+
			2.65321895265761230930e-2)*r+2.96560571828504891230e-1)*r+1.78482653991729133580e0)*r+
			5.46378491116411436990e0)*r + 6.65790464350110377720e0) /
			(((((((2.04426310338993978564e-15*r+1.42151175831644588870e-7)*r+1.84631831751005468180e-5)*r+
				7.86869131145613259100e-4)*r+1.48753612908506148525e-2)*r+1.36929880922735805310e-1)*r+
				5.99832206555887937690e-1)*r + 1)
	}
	if q < 0 {
		return -z
	}
	return z
}
