package secondslot

const secondsPerDay = 86400

// A slot is one word: bits 63..40 the day number, 39..20 the jump target (a
// second of the day, 0 = none), 19..0 the next sequence number.
const (
	dayShift  = 40
	jumpShift = 20
	dayMask   = 1<<24 - 1
	jumpMask  = 1<<20 - 1
	nextMask  = 1<<20 - 1
)

// pack makes a slot word. A day past 24 bits loses its high bits, as in the
// published code: the slot then never matches its own day again.
func pack(day, jump, next uint64) uint64 {
	return day&dayMask<<dayShift | jump<<jumpShift | next
}

// unpack takes a slot word apart.
func unpack(word uint64) (day, jump, next uint64) {
	return word >> dayShift, word >> jumpShift & jumpMask, word & nextMask
}
