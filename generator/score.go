package generator

import "math"

// Score is the id as a sorted set keeps it, a float64. exact says whether the
// float64 is the id itself; between 2^59 and 2^60 only one int64 in 128 is.
func Score(id int64) (score float64, exact bool) {
	score = float64(id)
	// 2^63, the score of the largest ids, is no int64.
	return score, score != 1<<63 && int64(score) == id
}

// SharedScore gives the smallest and the largest int64 with the same score as
// id. A sorted set cannot tell them apart by score.
func SharedScore(id int64) (low, high int64) {
	score := float64(id)
	low, high = id, id
	// float64 values lie at most 1024 apart here, so the ends are near.
	for step := int64(1024); step > 0; step /= 2 {
		for low >= math.MinInt64+step && float64(low-step) == score {
			low -= step
		}
		for high <= math.MaxInt64-step && float64(high+step) == score {
			high += step
		}
	}
	return low, high
}
