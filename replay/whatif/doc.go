// Package whatif changes the traffic of a capture: what if there were two and
// a half times as much of it, or only one topic, or the same evening three
// times over? A changed capture is a replay.Source around another, so whatever
// reads captures reads it.
//
// The changes are made in this order, whatever order they are written in:
//
//  1. Only leaves some partitions.
//  2. Window leaves the messages whose timestamp lies in it.
//  3. Repeat plays what is left several times, one round after the other. A
//     round starts a whole number of seconds after the one before: from the
//     second of the first timestamp, or of the window's start, to the end of the
//     second of the last, or the window's end. So a window says how long a round
//     is, where the messages leave room before or after.
//  4. Scale makes more or less of it, and Bursts multiply that again in windows
//     of the repeated time.
//  5. Shift moves the whole time axis.
//
// Windows are of the capture's recorded time, before Shift. A message without
// a timestamp counts as of the time of its append: the largest timestamp of its
// partition before it.
//
// With scale x a message is there floor(x) times, and once more with the
// probability that x has after the point. Which messages those are depends on
// the message alone, so what x keeps, a larger x keeps too. The first copy is
// the message itself. Each further copy is a new message: it is made, and comes
// into the log, later by a random whole number of milliseconds from 0 to
// SpreadMs, each as likely; its key is new, but the same for the same key and
// number of the copy, as if each customer had twins; it has no recorded id. A
// message without a key has copies without a key.
//
// A copy takes its place in the log by the time of its append (the running
// maximum of timestamps at the message, and what it is late by), after messages
// of the same moment that stand before it. So what the partition has in
// disorder stays as it is, and copies add no more than they have themselves.
// Where there can be copies or rounds, offsets count the changed messages of a
// partition from 0; otherwise messages keep theirs.
//
// Everything random is a function of the seed and the message: topic,
// partition, offset, round and number of the copy (package philox). The result
// does not depend on batches. Rows are held in memory only until the partition
// has gone SpreadMs further, and as the inner source gives them early.
package whatif
