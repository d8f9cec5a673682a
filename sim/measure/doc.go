// Package measure holds what a run is judged by: macro-order drift, overflow
// offsets, late pushes and duplicates, at one site and between two.
//
// Measures take batches of draws as columns and keep exact integer counts. A
// site's list is what Redis would hold: the stored messages by id (ties by
// topic, partition, offset). It is gone over in that order, second by second,
// as soon as no later draw can fall below: so a measure holds only the seconds
// that are still open.
//
// A lane is one generator working on a site's draws; the same draws are worked
// on by the chosen generator and by the consumption-time baseline.
package measure
