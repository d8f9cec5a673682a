package replications

import "math"

// studentT is the t for which a variable of Student's distribution with the
// given degrees of freedom, from 1 up, lies between -t and t with the given
// probability, from 0 to below 1.
func studentT(probability float64, freedom int) float64 {
	low, high := 0.0, 1.0
	for within(high, freedom) < probability {
		low, high = high, 2*high
	}
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			return middle
		}
		if within(middle, freedom) < probability {
			low = middle
		} else {
			high = middle
		}
	}
}

// within is the probability that a variable of Student's distribution lies
// between -t and t: the finite series of Abramowitz and Stegun, Handbook of
// Mathematical Functions, 26.7.3 and 26.7.4. It takes time in proportion to the
// degrees of freedom.
func within(t float64, freedom int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(angle)
	term, sum := cos, 0.0
	if freedom%2 == 0 {
		term = 1
	}
	for k := 1 + freedom%2; k < freedom; k += 2 {
		sum += term
		term *= cos * cos * float64(k) / float64(k+1)
	}
	if freedom%2 == 0 {
		return sin * sum
	}
	return 2 / math.Pi * (angle + sin*sum)
}
