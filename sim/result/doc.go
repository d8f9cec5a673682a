// Package result is what a run found: one versioned structure, of which text,
// JSON and Parquet are renderings that compute nothing.
//
// Field names in JSON are stable within a Version; thresholds name them by
// path, as in sites.east.duplicates.ids or between.east-west.tau_b["1s"].
// Ids are strings in JSON, since many readers turn 64-bit numbers into
// doubles. Units stand last in a name: _ms, _s, _ns; a count has none; a share
// is between 0 and 1. What is not defined (tau of a list in which all is tied)
// is null, never 0. Every figure is exact.
package result
