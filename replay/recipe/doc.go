// Package recipe makes traffic that nobody recorded: a recipe says how much of
// it there is and how badly it behaves, and the package gives the messages.
//
// A recipe is YAML:
//
//	seed: 7                              # another seed, another day of the same kind
//	start: 2026-03-02T20:00:00+08:00     # its zone is the one of all times of day below
//	length: 20m
//	topics:
//	  - name: orders
//	    partitions: 8
//	    rate: 150/s                      # of the whole topic, on average
//	    keys: {count: 500, skew: 1.1}    # zipf: key k has weight 1/k^skew
//	    value: {p50: 300, p99: 2000}     # bytes, lognormal; or one number
//	    jitter: 40ms                     # up to so long from stamp to log
//	    late: {share: 2%, p50: 3s, p99: 40s, max: 5m}
//	    bursts:
//	      - {at: 10m, for: 30s, rate: 7000/s}
//	    stalls:
//	      - {at: "20:05", for: 2m, share: 25%}
//	    resends:
//	      - {from: 0s, for: 1m, after: 15m}
//
// Rates are Poisson rates: messages come independently of each other, and a
// second of a 150/s topic holds 150 give or take 12. A rate is a number per s,
// m, h or d; or 24 of them, one for each hour of the local day; or a mapping
// from local times of day to the rates that hold from then on, as in
// {"00:00": 20/s, "09:30": 3000/s, "16:00": 100/s}. A burst puts its own rate
// in the place of the topic's for a while; where bursts overlap, the last in
// the list holds.
//
// Moments (at, from) are a duration after the start, a local time of day
// (every day), or a date and time (RFC 3339). Durations are as Go writes them,
// and may have days: 1d12h. All are whole milliseconds.
//
// A message is stamped when its producer makes it and gets its offset when it
// reaches the log. In between lies what the recipe asks for: jitter is uniform
// from 0 to its value; late gives a share of the messages a lognormal delay
// with the given median and 99th percentile, cut at max; a stall holds the
// messages that a share of the producers makes in a window, then sends them
// one after the other within drain (default: a twentieth of the window). So
// stamps are out of order in the log. Resends put the messages of a window
// into the log once more, so much later, with the stamps and keys they had.
// With "timestamps: log-append" the broker stamps instead: timestamps are in
// order whatever the producers did.
//
// Keys are named "<topic>-<n>", n from 1, and go to partitions as Kafka's
// default partitioner sends them, so a hot key makes a hot partition. Weights
// may stand in place of count and skew. "shares: [4, 1, 1]" divides the rate
// among the partitions instead, each with the keys that fall to it. Without
// keys, messages have null keys and the partitions equal shares.
//
// Every number is drawn by counting (package philox) from the seed, the topic's
// name, the partition, the time and the message's place in it. The rows are
// therefore the same in every pass and on every machine (logarithms may differ
// between processors in their last digit; that moves a message by a millisecond
// once in some billions), a change to one topic leaves the others as they are,
// and nothing is held in memory but the messages that wait between stamp and
// log, 24 bytes each.
package recipe
