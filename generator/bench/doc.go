// Package bench measures how fast many goroutines draw ids from one generator
// process, and then looks at every id that they drew.
//
// A generator is timed in rounds. In each, a new process with no state is asked
// for the same number of ids, all goroutines together, for the seconds that the
// contention says; how long that took is divided by the ids. Then the ids of
// all goroutines are put in order and checked: none may be there twice, each
// has to say the node that drew it and lie on the generator's step, and each
// should have a sorted-set score of its own. What a generator says of itself
// plays no part in that.
//
// Goroutines that are more than the processors take turns on them.
package bench
