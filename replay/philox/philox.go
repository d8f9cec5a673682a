// Package philox gives random numbers by counting: the numbers for counter c
// under key k are a function of c and k alone.
//
// There is no stream to keep in step. A part of the simulation names what it
// wants a number for (this partition, this second, this message) by putting
// that into the counter, and gets the same number whoever asks, in whatever
// order, on any number of cores.
//
// The function is Philox 4x64-10 of Salmon, Moraes, Dror and Shaw, "Parallel
// random numbers: as easy as 1, 2, 3" (SC 2011). It passes BigCrush; it is not
// meant for secrets.
package philox

import "math/bits"

// Multipliers and key increments of the 4x64 variant.
const (
	mul0  = 0xd2e7470ee14c6c93
	mul1  = 0xca5a826395121157
	weyl0 = 0x9e3779b97f4a7c15 // golden ratio
	weyl1 = 0xbb67ae8584caa73b // sqrt(3) - 1
)

// Block gives four independent, uniform 64-bit numbers for a counter under a
// key. Different counters, or different keys, give unrelated numbers.
func Block(ctr [4]uint64, key [2]uint64) [4]uint64 {
	c0, c1, c2, c3 := Words(ctr[0], ctr[1], ctr[2], ctr[3], key[0], key[1])
	return [4]uint64{c0, c1, c2, c3}
}

// Words is Block with all in registers and the ten rounds written out, since both
// make it faster: in all about three times as fast as a loop over arrays.
func Words(c0, c1, c2, c3, k0, k1 uint64) (w0, w1, w2, w3 uint64) {
	h0, l0 := bits.Mul64(mul0, c0)
	h1, l1 := bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	k0 += weyl0
	k1 += weyl1
	h0, l0 = bits.Mul64(mul0, c0)
	h1, l1 = bits.Mul64(mul1, c2)
	c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
	return c0, c1, c2, c3
}

// Float turns a uniform 64-bit number into a uniform number in [0, 1), a
// multiple of 2^-53.
func Float(u uint64) float64 { return float64(u>>11) * 0x1p-53 }

// OpenFloat turns a uniform 64-bit number into a uniform number in (0, 1):
// neither end can come out, so that its logarithm, and that of one less it,
// are finite.
func OpenFloat(u uint64) float64 { return (float64(u>>12) + 0.5) * 0x1p-52 }
