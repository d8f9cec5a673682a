package external

import (
	"errors"
	"math"
	"testing"
	"time"

	"twindrift/generator"
)

var helperFraming = map[string]Framing{"binary": "", "ndjson": NDJSON, "lines": NDJSON}

// Whatever the number of calls and the batch, each message gets what the process answered
// to it, with the node and the Kafka partition that it was told.
func TestDrawBatch(t *testing.T) {
	number := []int32{12, 7, 0, math.MaxInt32}
	for name, framing := range helperFraming {
		for _, numbers := range [][]int32{nil, number} {
			for _, batch := range []int{1, 7, 100, 0} {
				cfg := Config{Command: helperCommand(name), Framing: framing, Node: 5, PartitionNumber: numbers, Batch: batch}
				g := newGenerator(t, cfg)
				for _, n := range []int{0, 1, 6, 7, 8, 99, 701, 20_000} {
					if batch == 1 && n > 1000 {
						continue
					}
					c := calls(n)
					ids, kinds, hops, err := drawn(g, c)
					if err != nil {
						t.Fatalf("%s, batch %d, %d calls: %v", name, batch, n, err)
					}
					for i := range ids {
						p := c.Partition[i]
						if numbers != nil {
							p = numbers[p]
						}
						want, status := answers(c.EventMs[i], c.NowMs[i], 5, p)
						kind := generator.Drawn
						if status != 0 {
							want, kind = 0, generator.External
						}
						if ids[i] != want || kinds[i] != kind || hops[i] != 0 {
							t.Fatalf("%s, batch %d, call %d of %d: id %d (%v, %d hops), want %d (%v)",
								name, batch, i, n, ids[i], kinds[i], hops[i], want, kind)
						}
					}
				}
			}
		}
	}
}

func TestDraw(t *testing.T) {
	for name, framing := range helperFraming {
		g := newGenerator(t, Config{Command: helperCommand(name), Framing: framing, Node: -3, PartitionNumber: []int32{9}})
		for ms := int64(-40); ms < 40; ms++ {
			want, status := answers(ms, 5*ms, -3, 9)
			id, how, err := g.Draw(ms, 5*ms)
			var refused *RefusedError
			switch {
			case status != 0:
				if !errors.As(err, &refused) || *refused != (RefusedError{ms, status}) || refused.Kind() != generator.External || id != 0 {
					t.Errorf("%s, %d: id %d, error %v; want a refusal with status %d", name, ms, id, err, status)
				}
			case err != nil || id != want || how != (generator.Outcome{}):
				t.Errorf("%s, %d: id %d (%+v), error %v; want %d", name, ms, id, how, err, want)
			}
		}
	}
}

// Neither side waits for the other, also where the process answers far more than a pipe
// holds before it reads, and where many requests are on their way.
func TestAnswersBeforeAllIsRead(t *testing.T) {
	for _, batch := range []int{1000, 300_000} {
		g := newGenerator(t, Config{Command: helperCommand("eager"), Batch: batch})
		if _, _, _, err := drawn(g, calls(400_000)); err != nil {
			t.Errorf("batch %d: %v", batch, err)
		}
	}
}

// counting is a generator in sh that numbers its answers from 1.
const counting = `n=0; while read -r line; do n=$((n+1)); echo "{\"id\":$n}"; done`

func TestResetStartsANewProcess(t *testing.T) {
	g := shell(t, NDJSON, counting)
	g.Reset() // of one that has not begun
	for range 3 {
		for want := range int64(5) {
			if id, _, err := g.Draw(0, 0); err != nil || id != want+1 {
				t.Fatalf("id %d, error %v; want %d", id, err, want+1)
			}
		}
		g.Reset()
		g.Reset()
	}
	if g.process != nil {
		t.Error("a process runs after Reset")
	}
}

func TestClose(t *testing.T) {
	g := shell(t, NDJSON, counting)
	for range 2 {
		if err := g.Close(); err != nil {
			t.Errorf("before any draw: %v", err)
		}
	}
	_, _, err := g.Draw(0, 0)
	wantError(t, err, "it is closed")

	g = shell(t, NDJSON, counting+"; echo cannot save >&2; exit 4")
	g.Draw(0, 0)
	err = g.Close()
	wantError(t, err, "sh -c", "ended badly when its standard input ended", "(exit status 4)", "\n\tcannot save", adviceClose)
	if !errors.Is(err, ErrEnded) {
		t.Error("want ErrEnded")
	}
	if err := g.Close(); err != nil {
		t.Errorf("said twice: %v", err)
	}
}

// A process that goes on when its input has ended is killed, and so is what it started.
func TestCloseKills(t *testing.T) {
	g := shell(t, NDJSON, counting+"; sleep 1000; echo never")
	g.grace = 50 * time.Millisecond
	g.Draw(0, 0)
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// What Reset cannot say, the next draw or Close does, once.
func TestResetKeepsItsError(t *testing.T) {
	const script = counting + "; exit 9"
	g := shell(t, NDJSON, script)
	g.Draw(0, 0)
	g.Reset()
	_, _, err := g.Draw(0, 0)
	wantError(t, err, "(exit status 9)")
	if err := g.Close(); err != nil {
		t.Errorf("Close says it again: %v", err)
	}
	g = shell(t, NDJSON, script)
	g.Draw(0, 0)
	g.Reset()
	wantError(t, g.Close(), "(exit status 9)")
}

func TestNothingIsKnown(t *testing.T) {
	g := newGenerator(t, Config{Command: []string{"nowhere"}})
	if floor := g.Floor(1_757_901_600_000, 0); floor != math.MinInt64 {
		t.Errorf("floor %d", floor)
	}
	if _, ok := any(g).(generator.Snapshotter); ok {
		t.Error("there is a snapshot")
	}
}

func TestConfig(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"no command":                     func(c *Config) { c.Command = nil },
		"no command: give the program":   func(c *Config) { c.Command = []string{""} },
		`framing "json": want binary or`: func(c *Config) { c.Framing = "json" },
		"node 2147483648: want a 32-bit": func(c *Config) { c.Node = 1 << 31 },
		"time-out -1s":                   func(c *Config) { c.Timeout = -time.Second },
		"batch of -1: want 1 to 1048576": func(c *Config) { c.Batch = -1 },
		"batch of 1048577":               func(c *Config) { c.Batch = 1<<20 + 1 },
	} {
		cfg := Config{Command: []string{"true"}}
		change(&cfg)
		_, err := New(cfg)
		wantError(t, err, want)
	}
	g := newGenerator(t, Config{Command: helperCommand("binary"), PartitionNumber: []int32{3, 4}})
	_, _, _, err := drawn(g, calls(3))
	wantError(t, err, "partition index 2: there are numbers of 2 partitions")
	if _, _, err := g.Draw(1, 1); err != nil {
		t.Errorf("a call that cannot be sent has broken the generator: %v", err)
	}
	if cfg := g.cfg; cfg.Framing != Binary || cfg.Timeout != 30*time.Second || cfg.Batch != 8192 {
		t.Errorf("defaults %+v", cfg)
	}
}

func TestLayout(t *testing.T) {
	var layout generator.Layout // nil: the caller knows none
	g := newGenerator(t, Config{Command: []string{"true"}, Layout: layout})
	if g.Layout() != layout {
		t.Error("another layout")
	}
}
