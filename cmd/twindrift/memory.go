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

// gcPercent is what may lie about beside what is held, in percent of that: a quarter of
// the default of Go. Little is allocated in the course of a run, so that this costs nothing.
// A limit (GOMEMLIMIT) would have the collector take half of the time of a run that does
// not keep to it.
const gcPercent = 25

// tidy has the garbage collector let less lie about than it would, unless GOGC says
// otherwise.
func tidy() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
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
