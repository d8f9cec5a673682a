// Package replications says how sure the figures of a run are, and whether two
// scenarios really differ.
//
// What a run finds depends on luck: delays, redeliveries, the business filter.
// So the run is repeated with other luck, and every figure gets a mean and a
// confidence interval (Collector). Two scenarios that were run with the same
// seed saw the same luck, message by message, so that they are compared
// replication by replication (Compare): what luck does to both alike falls out
// of the difference, whose interval is much narrower than those of the two.
// This is the method of common random numbers (A. M. Law, Simulation Modeling
// and Analysis, chapters 9 to 11).
//
// Intervals are those of Student's t, which suppose that the mean over the
// replications is about normal. Each is right in 95 cases of 100 by itself; of
// many figures that do not differ at all, some look as if they did.
package replications
