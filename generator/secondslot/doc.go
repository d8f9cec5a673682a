// Package secondslot is the second-slot generator as it was published: an id
// is the second of the event in local time, then the node, then a sequence
// number, and a second that is used up borrows from the seconds after it.
//
// An id is
//
//	id = (S + offset)*10_000_000 + node*1_000_000 + seq*200 + 621_355_968_000_000_000
//	S  = (event_ms + utc_offset_ms) / 1000
//
// The constant is the .NET tick count of 1970-01-01, so an id is a .NET tick
// value in local time whose digits below the second say node and sequence. A
// node has 5000 sequence numbers a second. When they are used up, the next
// message takes one of a later second; the offset is how many seconds later.
//
// The state of a process is 86,400 slots, one for each second of the local
// day, used again every day. It lives in memory only.
//
// The published algorithm has faults, and this package keeps every one of
// them, because people run it and want to know what it will do to them: ids
// that were never drawn (generator.StaleDay, JumpLimit and DayEnd), a node
// field that says node + 1, a node outside 0..9, timestamps in a wrong unit.
//
// Generator is the form for one goroutine, Concurrent the form for many; both
// give the same ids when called in the same order. Layout reads and writes the
// digits of ids. The steps that comments speak of are those of the design
// page GENERATORS, section 1.
package secondslot
