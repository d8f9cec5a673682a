// Package redis is a Redis server in virtual time, as far as id generators use one:
// counters, locks, and the ids of stream entries. Commands take a round trip, fail
// while the server is down, and a failover to a replica takes back the last writes,
// which had not reached it.
//
// What a command answers is what a real server answers (make test-redis holds the two
// against each other). Like a real one, the server keeps time in whole ms: a key that
// expires in 5 ms is there until the end of the fifth ms after the one it was written in.
//
// Processes share a Server by holding the same one. Commands must come in the order of
// virtual time; a Server belongs to one goroutine. A command costs constant time, and one
// that makes a key now and then more (amortised constant): it sweeps out expired keys.
package redis
