// Package order measures how far a sequence is from being in order: how many
// pairs stand the wrong way round, how many elements come after a greater one,
// how far, and how late.
//
// A sequence here is a list of elements in order of some x (an id, an arrival)
// each with a value y (an event time). Two elements are discordant when x and y
// order them differently, concordant when alike, and neither when they are tied
// in x or in y. All counts are exact and 64 bits wide.
//
// There are two forms. The batch measures (Kendall, ReorderedElements, Presortedness,
// ReorderDensity and others) take whole slices. The streaming measures (Discordance,
// Reordering and Displacement within a list, Joint and RankDisplacement between two)
// take one element after another in ascending order of x, in memory that is bounded
// by how far the disorder reaches, provided that the caller promises now and then
// that no later y lies below some floor.
//
// Results of different lists (of other sites, of replications) are added up with
// Merge, in any order. Stretches of one list cannot be added up, since elements of
// one stand in some order to those of another; a Sequence puts them together.
//
// Beside them, Recall tells what a query for a range of ids finds, and Compare holds
// the tops of two lists against each other.
//
// The streaming counts of pairs come at four grains, see GrainsMs: at a grain
// of one minute, two event times in the same minute are tied.
//
// Times are int64 milliseconds of any size and sign. The streaming counts of pairs
// are good for fewer than 2^32 elements; beyond that they report ErrTooMany.
package order
