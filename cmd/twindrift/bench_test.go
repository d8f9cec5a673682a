package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"twindrift/replay/recipe"
)

// benchFolder has the recipes and scenarios of what is timed.
var benchFolder = filepath.Join("..", "..", "sim", "bench")

// A benchRun is a run that is timed: of a capture made of RECIPE.yaml.
type benchRun struct {
	name, recipe string
	length       string // instead of the recipe's
	args         []string
	sites        float64
}

// benchRuns are what `make bench` times end to end.
var benchRuns = []benchRun{
	{name: "ordinary", recipe: "ordinary", args: []string{"--node", "1+3+5+7,2+4+6+8"}, sites: 2},
	{name: "burst", recipe: "burst", args: []string{"--node", "1+3+5+7,2+4+6+8"}, sites: 2},
	{name: "outage", recipe: "ordinary", args: []string{"-f", filepath.Join(benchFolder, "ten-minutes-scenario.yaml")}, sites: 2},
	{name: "day", recipe: "day", args: []string{"--node", "1+3+5+7,2+4+6+8"}, sites: 2},
	{name: "one-site", recipe: "ordinary", args: []string{"--sites", "east", "--delay", "0s", "--node", "1+3+5+7"}, sites: 1},
	{name: "ordinary-100M", recipe: "ordinary", length: "25000s", args: []string{"--node", "1+3+5+7,2+4+6+8"}, sites: 2},
}

// BenchmarkRun replays captures of twenty million messages, and one of a hundred
// million, from a file through sites of four consumers each, with all measures and a
// JSON result, as a user would: one process a run, on one core and on all of them.
//
//	ns/msg-site      wall-clock time by messages and sites
//	cpu-ns/msg-site  time that the cores were at work, in the same way
//	peak-MiB         most memory that the process took
func BenchmarkRun(b *testing.B) {
	for _, r := range benchRuns {
		for _, cores := range slices.Compact([]int{1, runtime.NumCPU()}) {
			b.Run(fmt.Sprintf("%s/cores=%d", r.name, cores), func(b *testing.B) { r.time(b, cores) })
		}
	}
}

func (r *benchRun) time(b *testing.B, cores int) {
	path := benchCapture(b, r.recipe, r.length)
	messages := messagesIn(b, path)
	args := append([]string{"run", "-q", path, "-o", "json=" + filepath.Join(b.TempDir(), "result.json")}, r.args...)
	var peak int64
	var cpu time.Duration
	for b.Loop() {
		u := twindrift(b, cores, args...)
		peak, cpu = max(peak, u.peakBytes), cpu+u.cpu
	}
	deliveries := messages * r.sites * float64(b.N)
	b.ReportMetric(messages*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/deliveries, "ns/msg-site")
	b.ReportMetric(float64(cpu.Nanoseconds())/deliveries, "cpu-ns/msg-site")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
}

// What is timed can be run: here on the sample.
func TestBenchRuns(t *testing.T) {
	for _, r := range benchRuns {
		if _, err := recipe.Load(filepath.Join(benchFolder, r.recipe+".yaml")); err != nil {
			t.Error(err)
		}
		twindrift(t, runtime.NumCPU(), append([]string{"run", "-q"}, r.args...)...)
	}
}

// benchCapture makes a capture of NAME.yaml, as long as it says or as
// length does, or finds it made before in .bench at the top of the project.
func benchCapture(b *testing.B, name, length string) string {
	b.Helper()
	from := filepath.Join(benchFolder, name+".yaml")
	text, err := os.ReadFile(from)
	if err != nil {
		b.Fatal(err)
	}
	if length != "" {
		text = []byte(strings.Replace(string(text), "length: 5000s", "length: "+length, 1))
		from = filepath.Join(b.TempDir(), name+".yaml")
		if err := os.WriteFile(from, text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	hash := fnv.New64a()
	hash.Write(text)
	dir := filepath.Join("..", "..", ".bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%016x.parquet", name, hash.Sum64()))
	if _, err := os.Stat(path); err != nil {
		twindrift(b, runtime.NumCPU(), "synth", "-q", from, "-o", path)
	}
	return path
}

// usage is what a process took.
type usage struct {
	peakBytes int64
	cpu       time.Duration
}

// twindrift runs the tool as a process of its own, on so many cores.
func twindrift(b testing.TB, cores int, args ...string) usage {
	b.Helper()
	c := exec.Command("twindrift", args...)
	c.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("twindrift %v: %v\n%s", args, err, out)
	}
	p := c.ProcessState
	return usage{peakBytes: p.SysUsage().(*syscall.Rusage).Maxrss << 10, cpu: p.UserTime() + p.SystemTime()}
}

// messagesIn is how many messages a capture has.
func messagesIn(b *testing.B, path string) float64 {
	b.Helper()
	f := captureFlags{}
	source, err := f.open([]string{path}, nil)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := source.Plan(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	return float64(plan.Messages)
}
