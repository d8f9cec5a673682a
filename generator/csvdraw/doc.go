// Package csvdraw draws ids for messages that are listed as CSV, so that a
// generator can be tried, or compared with another implementation, by hand.
//
// Rows are `node,timestamp_ms`; a header of these names may stand first. A row
// `reset,,` is a process restart: the generator forgets its state. What comes out
// is every row with the id as a third column, below a header.
//
// A Generator draws all rows with one process, whatever their node says.
// Processes, which any generator.Generator can be put into, have one for each
// node; their rows come out with a fourth column, how the id came about.
package csvdraw
