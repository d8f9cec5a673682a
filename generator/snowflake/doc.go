// Package snowflake holds the ways in which processes around a Redis server share out
// snowflake ids: 41 bits of ms since 2010-11-04 01:42:54.657 UTC, 10 bits that say the
// worker, and a sequence number of 12 bits.
//
//	id = (ms - 1_288_834_974_657) << 22 | worker << 12 | seq
//
// Ids go by the clock of the site; the time of the message plays no part in them.
//
//   - Unsynchronised: calls at once read the same state. The control group.
//   - Locked: a Redis lock for the second id of a ms and later; published.
//   - Preallocated: ranges of sequence numbers from Redis, published; and
//     Corrected, the same put right.
//   - TwoLevel: an allocation service takes large blocks of numbers and deals small ones.
//   - Adaptive: blocks straight from Redis, their size after the recent rate.
//
// Those that are called published keep their faults, and take any worker: one past 10 bits
// runs into the time. The others refuse it.
//
// The virtual time of a process: it answers one call after the other. A call that comes
// while the one before is at it starts when that ends, and reads the clock then. A draw's
// wait (generator.Costs.Waits) is that, and what it waits itself for a lock, for the next
// ms or for numbers to arrive; not the two round trips that each id of Locked takes. A
// server that is down is known to be so at once: a command that it does not answer takes
// no time, and is not counted as a round trip.
//
// The algorithms are those of the design page GENERATORS, section 3.
package snowflake
