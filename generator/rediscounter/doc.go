// Package rediscounter is the id generator that counts in Redis: an id is the second of
// the local wall clock, then how many ids the day has had.
//
//	id = (now_s - 1_640_995_200) << 32 | INCR(icr:{prefix}:{yyyy:MM:dd})
//
// The clock is the local one read as if it were UTC, so two sites in different zones
// differ by the zone offset; the day of the key is that of the same clock. The constant
// is 2022-01-01 00:00:00, and 31 bits of seconds last until 2090-01-19 03:14:07, local
// time. Ids say when a message was consumed, not when it happened, unless Config.ByEvent.
//
// Generator is the published form with its faults. The time is read before the INCR; here
// every command takes as long as any other, so the order of the counts is that of the
// readings, and only clocks that differ put ids of two sites out of order. A count past 32 bits is OR-ed
// into the time (generator.CounterOverflow); a counter that a failover has put back gives
// numbers again (generator.CounterBack); keys stay for ever; without Redis there is no id.
// Two sites with a Redis each give the same ids.
//
// Corrected keeps the format and does without those, as far as one process can.
//
// The formats and faults are those of the design page GENERATORS, section 2. A server that
// is down is known to be so at once: a command that it does not answer costs no time and
// is not counted as a round trip.
package rediscounter
