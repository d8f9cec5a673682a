// Package tally counts whole numbers exactly: how often was each value seen?
//
// A histogram with buckets must round; a tally does not. It suits quantities
// with few different values (offsets in seconds, extents in positions,
// lateness in milliseconds), answers every quantile exactly, and two tallies
// add up to the same answer in whatever order they are merged.
package tally
