package generator

// Costs is what drawing has cost a process, beside the time of its own computing.
type Costs struct {
	RoundTrips   int64 // to Redis
	ServiceTrips int64 // to an allocation service
	Wasted       int64 // numbers reserved and never given
	Keys         int64 // keys that stay in Redis, since nothing lets them expire
	Rejected     int64 // writes that the server refused, the entry's id being equal or smaller
	Pinned       int64 // ids that a later time drawn before has pushed past their own
	MaxPinMs     int64 // furthest of these
	Waits        Waits // how long draws waited: for a lock, the next ms, a refill; not the round trips that every id takes
}

// Coster is a Generator whose draws cost more than computing.
type Coster interface{ Costs() Costs }
