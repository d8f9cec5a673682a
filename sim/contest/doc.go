// Package contest puts results of several generators, of one capture and with the same
// luck, into one table: which is best and worst at what, and with replications whether
// a difference is more than luck.
package contest
