package catalog

import "twindrift/generator"

// Traits are what a simulation has to know of a generator.
type Traits struct {
	Slots   bool             // ids are drawn from the slots of seconds, by the rules of second-slot
	ByClock bool             // ids are of the clock's second, not the event's
	Days    bool             // second-slot: the last second of a day borrows from the next day
	Kinds   []generator.Kind // what its ids can be beside drawn
	Redis   bool             // processes share a Redis: draws of all of them come in the order of virtual time
	ApartBy ApartBy
	Alone   bool     // ids that a process gives while Redis is down say its node, beside those that say none
	Takes   []string // the groups of options that a scenario has for it
}

// ApartBy says what ids are told apart by, beside their digits.
type ApartBy uint8

// The ways.
const (
	Digits  ApartBy = iota // nothing: no two may be equal
	Servers                // the Redis that counts them
	Streams                // the stream that they stand in, one a site
	Shards                 // the stream that they stand in, one a partition and site
)

type kinds = []generator.Kind

// What families of generators have in common.
var (
	slots   = Traits{Slots: true, Kinds: kinds{generator.StaleDay, generator.JumpLimit, generator.DayEnd}}
	counted = Traits{Redis: true, ByClock: true, ApartBy: Servers, Takes: []string{"redis", "counter"}}
	snow    = Traits{Redis: true, ByClock: true, Takes: []string{"redis", "snowflake"}}
	stream  = Traits{Redis: true, ApartBy: Streams, Takes: []string{"redis", "streams"}, Kinds: kinds{generator.CounterBack}}
)

// in is the family with what one of its members has beside.
func (t Traits) in(of Traits) Traits {
	t.ByClock = t.ByClock || of.ByClock
	t.Days = t.Days || of.Days
	t.Alone = t.Alone || of.Alone
	if of.Kinds != nil {
		t.Kinds = of.Kinds
	}
	if of.ApartBy != Digits {
		t.ApartBy = of.ApartBy
	}
	return t
}

// takes is the family with groups of options.
func (t Traits) takes(groups ...string) Traits {
	t.Takes = groups
	return t
}
