package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// memoryFlags say how much may wait in memory, and where the rest goes.
type memoryFlags struct{ size, dir string }

func (m *memoryFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&m.size, "memory", "512MiB", "memory for messages that have to wait, for a late site or partition; what does not fit waits on disk, with equal results. The rest of a run takes some hundred MiB beside it")
	f.StringVar(&m.dir, "temp-dir", "", "`FOLDER` for what waits on disk (default the system's for temporary files)")
}

// units of sizes, each longest name first.
var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
}

// beside is about what a run takes beside what waits.
const beside = 384 << 20

// gcPercent is what may lie about beside what is held, in percent of that: half the
// default of Go. Little is allocated in the course of a run, so that this costs nothing.
const gcPercent = 50

// limit has the garbage collector see to it that the process takes no more than
// is needed for so many bytes that wait, unless GOGC and GOMEMLIMIT say otherwise.
func limit(bytes int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 && bytes < math.MaxInt64-beside {
		debug.SetMemoryLimit(bytes + beside)
	}
}

// bytes is the size; wrong usage where it is none.
func (m *memoryFlags) bytes() (int64, error) {
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(m.size, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n > 0) || n*u.bytes < 1 || n*u.bytes >= math.MaxInt64 {
			break
		}
		return int64(n * u.bytes), nil
	}
	return 0, usagef("--memory %s: not a size; sizes are 256MiB, 1.5GiB, 500MB", m.size)
}
