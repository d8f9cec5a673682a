package rediscounter

import (
	"fmt"
	"math"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// Config says how a generator draws. Start from DefaultConfig.
type Config struct {
	// Server counts. Sites that share one hold the same.
	Server *redis.Server
	// UTCOffsetMs is local time less UTC in ms, whole seconds within 18 hours, for the
	// seconds of ids as for the days of keys.
	UTCOffsetMs int64
	// ByEvent takes the time of the message in place of the clock.
	ByEvent bool
	// Start is what every day's counter stands at before its first id, 0 to 2^40: a way to
	// see the overflow without four thousand million ids. A real counter starts from 0.
	Start int64

	// Node tells processes apart while Redis is down, 0 to 1023. Only Corrected uses it,
	// and what follows.
	Node int
	// Block is how many numbers a process takes at a time, at least 1.
	Block int64
}

// DefaultConfig is local time UTC+8, as published, and blocks of 1000.
func DefaultConfig(s *redis.Server) Config {
	return Config{Server: s, UTCOffsetMs: 8 * 3600 * 1000, Block: 1000}
}

const (
	maxUTCOffsetMs = 18 * 3600 * 1000
	dayMs          = 86_400_000
)

func (c Config) check() error {
	switch {
	case c.Server == nil:
		return fmt.Errorf("redis-counter: no server to count")
	case c.UTCOffsetMs < -maxUTCOffsetMs || c.UTCOffsetMs > maxUTCOffsetMs:
		return fmt.Errorf("redis-counter: UTC offset %d ms: want 18 hours at most either way", c.UTCOffsetMs)
	case c.UTCOffsetMs%1000 != 0:
		return fmt.Errorf("redis-counter: UTC offset %d ms: want whole seconds, as every time zone has", c.UTCOffsetMs)
	case c.Start < 0 || c.Start > 1<<40:
		return fmt.Errorf("redis-counter: counters that start from %d: want 0 to 2^40", c.Start)
	}
	return nil
}

// timeMs is the time that an id says.
func (c *Config) timeMs(eventMs, nowMs int64) int64 {
	if c.ByEvent {
		return eventMs
	}
	return nowMs
}

// seconds is the time of an id in seconds since EpochS, and the local day, in days since
// 1970. The kind is a refusal where the seconds have no room.
func (c *Config) seconds(ms int64) (s, day int64, kind generator.Kind) {
	// Compared before anything is added to it: ms may be any int64.
	switch {
	case ms >= (EpochS+maxSeconds+1)*1000-c.UTCOffsetMs:
		return 0, 0, generator.TooLate
	case ms < (EpochS-maxSeconds-1)*1000-c.UTCOffsetMs:
		return 0, 0, generator.TooEarly
	}
	local := ms + c.UTCOffsetMs
	return generator.FloorDiv(local, 1000) - EpochS, generator.FloorDiv(local, dayMs), generator.Drawn
}

// floor is the smallest id that says the second of a time; counts only add to it.
func (c *Config) floor(ms int64) int64 {
	switch s, _, kind := c.seconds(ms); kind {
	case generator.TooLate:
		return math.MaxInt64
	case generator.TooEarly:
		return math.MinInt64
	default:
		return s << countBits
	}
}

// key is the counter of a local day.
func key(day int64) redis.Key { return redis.Key{Name: redis.Counter, Window: day} }
