// Package threshold judges the figures of a result by expressions, so that a
// run can end with "this must not be so".
//
// An expression is one comparison or several with "and" between:
//
//	sites.east.duplicates.ids == 0
//	between.east-west.tau_b["1s"] >= 0.999 and sites.*.push.late < 5
//
// To the left stands a figure by its names in the JSON of a result, with dots
// between. A name may also stand in brackets and quotes, which it must where it
// is not of letters, digits, _ and - alone. An element of a list stands in
// brackets by its number, from 0. A star stands for every one of a map or list
// (sites.*, overflow.nodes[*]), and the comparison must hold for each.
//
// Then comes <, <=, ==, !=, >= or >, and to the right a number: 12, 0.5, 1e6;
// or a share in percent (5% is 0.05); or, where the figure's name says its unit
// (lateness_ms, offset_s and what lies below), a length of time (15m, 1.5s).
//
// A figure that is not defined, such as a mean of nothing, is not enough data
// to say that a comparison holds or does not; neither is any figure of sites
// where there was no message at all.
package threshold
