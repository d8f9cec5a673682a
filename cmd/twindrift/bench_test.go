package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// benchCapture makes a capture of testdata/bench/NAME.yaml, or finds it made
// before in .bench at the top of the project.
func benchCapture(b *testing.B, name string) string {
	b.Helper()
	recipe := filepath.Join("testdata", "bench", name+".yaml")
	text, err := os.ReadFile(recipe)
	if err != nil {
		b.Fatal(err)
	}
	hash := fnv.New64a()
	hash.Write(text)
	dir := filepath.Join("..", "..", ".bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%016x.parquet", name, hash.Sum64()))
	if _, err := os.Stat(path); err != nil {
		twindrift(b, "synth", "-q", recipe, "-o", path)
	}
	return path
}

// twindrift runs the tool as a process of its own and gives its peak memory.
func twindrift(b testing.TB, args ...string) (peakBytes int64) {
	b.Helper()
	c := exec.Command("twindrift", args...)
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("twindrift %v: %v\n%s", args, err, out)
	}
	return c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
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

// BenchmarkRun replays captures of twenty million messages from a file through
// two sites of two consumers each, with all measures and a JSON result, as a
// user would: one process a run.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"ordinary", "burst"} {
		b.Run(name, func(b *testing.B) {
			path := benchCapture(b, name)
			messages := messagesIn(b, path)
			out := filepath.Join(b.TempDir(), "result.json")
			peak := int64(0)
			for b.Loop() {
				peak = max(peak, twindrift(b, "run", "-q", path, "--node", "1+3,2+4", "-o", "json="+out))
			}
			b.ReportMetric(messages*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
		})
	}
}
