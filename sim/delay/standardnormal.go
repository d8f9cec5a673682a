package delay

import "math"

// standardNormal is the standard normal quantile at 0.5 + q/2^54 for an odd q
// in (-2^53, 2^53), to about 1 part in 10^16.
//
// Algorithm AS 241, PPND16: M. J. Wichura, "The percentage points of the normal
// distribution", Applied Statistics 37 (1988), 477-484.
func standardNormal(q int64) float64 {
	if max(q, -q) > centerEnd {
		return normalTail(q)
	}
	x := float64(q) * 0x1p-54
	r := 0.180625 - float64(x*x)
	return x * poly(&centerA, r) / poly(&centerB, r)
}

// centerEnd is 0.425 times 2^54, the largest q of the center.
const centerEnd int64 = 0x1b333333333333

// normals is how many samples are computed step by step: all take one before any
// takes the next.
const normals = 256

// standardNormals sets z[i] to standardNormal for us[i], at most normals of them:
// first as if all were in the center, then anew those that are not.
func standardNormals(us []uint64, z *[normals]float64) {
	var tails [normals]uint8
	n := 0
	for i, u := range us[:min(len(us), normals)] {
		q := odd(u)
		x := float64(q) * 0x1p-54
		r := 0.180625 - float64(x*x)
		z[i] = x * poly(&centerA, r) / poly(&centerB, r)
		tails[n&(normals-1)] = uint8(i)
		n += int(uint64(centerEnd-max(q, -q)) >> 63)
	}
	for _, i := range tails[:n] {
		z[i] = normalTail(odd(us[i]))
	}
}

// normalTail is standardNormal where the nearer end is less than 0.075 away.
func normalTail(q int64) float64 {
	tail := float64(1<<53-max(q, -q)) * 0x1p-54 // distance to the nearer end
	r := math.Sqrt(-log(tail))
	var z float64
	if r <= 5 {
		r -= 1.6
		z = poly(&tailC, r) / poly(&tailD, r)
	} else {
		r -= 5
		z = poly(&farE, r) / poly(&farF, r)
	}
	if q < 0 {
		return -z
	}
	return z
}

// The coefficients of AS 241, named by its letters.
var (
	centerA = [8]float64{
		3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
		4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
	}
	centerB = [8]float64{
		1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
		2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
	}
	tailC = [8]float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	tailD = [8]float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	farE = [8]float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	farF = [8]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)
