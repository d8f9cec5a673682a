// Package redis is a Redis server in virtual time, as far as id generators use one:
// counters, locks, and the ids of stream entries. Commands take a round trip, fail
// while the server is down, and a failover to a replica takes back the last writes,
// which had not reached it.
//
// Processes share a Server by holding the same one. Commands must come in the order of
// virtual time; a Server belongs to one goroutine.
package redis
