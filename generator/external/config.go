package external

import (
	"fmt"
	"math"
	"slices"
	"time"

	"twindrift/generator"
)

// Framing is how requests and answers are written.
type Framing string

// The framings; the package comment describes them.
const (
	Binary Framing = "binary"
	NDJSON Framing = "ndjson"
)

// Framings are all of them.
func Framings() []Framing { return []Framing{Binary, NDJSON} }

// What a zero in Config means.
const (
	DefaultTimeout = 30 * time.Second
	DefaultBatch   = 8192
)

// maxBatch keeps a request within 100 MB, and its count within sense.
const maxBatch = 1 << 20

// InFlight is how many requests are sent ahead of their answers, at most.
const InFlight = 3

// Config says which process draws, and how it is talked to.
type Config struct {
	// Command is the program and its arguments, no shell between. A name without a
	// slash is looked for in PATH. The process has this one's working directory and
	// environment.
	Command []string
	// Framing of requests and answers; "" is Binary.
	Framing Framing
	// Node is sent with every message: a 32-bit integer that tells generator
	// processes apart.
	Node int
	// PartitionNumber is the Kafka partition of each partition index that calls have;
	// nil sends the index itself.
	PartitionNumber []int32
	// Timeout is how long the answer to one request may take; 0 is DefaultTimeout. The
	// first one includes the start of the process.
	Timeout time.Duration
	// Batch is how many messages one request has, at most; 0 is DefaultBatch, and
	// 1,048,576 the most.
	Batch int
	// Layout is what the digits of the ids mean: only the caller knows.
	Layout generator.Layout
}

// resolved is c with its defaults; the first contradiction is the error.
func (c Config) resolved() (Config, error) {
	if c.Framing == "" {
		c.Framing = Binary
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Batch == 0 {
		c.Batch = DefaultBatch
	}
	switch {
	case len(c.Command) == 0 || c.Command[0] == "":
		return c, fmt.Errorf("external generator: no command: give the program to start, and its arguments")
	case !slices.Contains(Framings(), c.Framing):
		return c, fmt.Errorf("external generator: framing %q: want %s or %s", c.Framing, Binary, NDJSON)
	case c.Node < math.MinInt32 || c.Node > math.MaxInt32:
		return c, fmt.Errorf("external generator: node %d: want a 32-bit integer", c.Node)
	case c.Timeout < 0:
		return c, fmt.Errorf("external generator: time-out %v: want more than 0", c.Timeout)
	case c.Batch < 0 || c.Batch > maxBatch:
		return c, fmt.Errorf("external generator: batch of %d: want 1 to %d messages", c.Batch, maxBatch)
	}
	c.Command = slices.Clone(c.Command)
	c.PartitionNumber = slices.Clone(c.PartitionNumber)
	return c, nil
}
