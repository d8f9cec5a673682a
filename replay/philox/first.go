package philox

import "math/bits"

// FirstWords sets out[i] to the first word for counter (c0[i], 0, c2, 0) under a key:
// what all share is computed once, and what only the other words need not at all. out
// must be at least as long as c0.
func FirstWords(c0 []int64, c2, k0, k1 uint64, out []uint64) {
	out = out[:len(c0)]
	var a, b [10]uint64 // the keys of the rounds
	for i := range a {
		a[i], b[i] = k0+uint64(i)*weyl0, k1+uint64(i)*weyl1
	}
	// The second product of the first round and the first of the second.
	h1, c1 := bits.Mul64(mul1, c2)
	h0, c3 := bits.Mul64(mul0, h1^a[0])
	c1 ^= a[1]
	h0 ^= b[1]
	for i, c := range c0 {
		g0, l0 := bits.Mul64(mul0, uint64(c))
		g1, l1 := bits.Mul64(mul1, g0^b[0])
		x0, x1, x2, x3 := g1^c1, l1, l0^h0, c3
		g0, l0 = bits.Mul64(mul0, x0)
		g1, l1 = bits.Mul64(mul1, x2)
		x0, x1, x2, x3 = g1^x1^a[2], l1, g0^x3^b[2], l0
		g0, l0 = bits.Mul64(mul0, x0)
		g1, l1 = bits.Mul64(mul1, x2)
		x0, x1, x2, x3 = g1^x1^a[3], l1, g0^x3^b[3], l0
		g0, l0 = bits.Mul64(mul0, x0)
		g1, l1 = bits.Mul64(mul1, x2)
		x0, x1, x2, x3 = g1^x1^a[4], l1, g0^x3^b[4], l0
		g0, l0 = bits.Mul64(mul0, x0)
		g1, l1 = bits.Mul64(mul1, x2)
		x0, x1, x2, x3 = g1^x1^a[5], l1, g0^x3^b[5], l0
		g0, l0 = bits.Mul64(mul0, x0)
		g1, l1 = bits.Mul64(mul1, x2)
		x0, x1, x2, x3 = g1^x1^a[6], l1, g0^x3^b[6], l0
		g0, l0 = bits.Mul64(mul0, x0)
		g1, _ = bits.Mul64(mul1, x2)
		x0, x2, x3 = g1^x1^a[7], g0^x3^b[7], l0
		g0, _ = bits.Mul64(mul0, x0)
		g1, _ = bits.Mul64(mul1, g0^x3^b[8])
		out[i] = g1 ^ mul1*x2 ^ a[9]
	}
}
