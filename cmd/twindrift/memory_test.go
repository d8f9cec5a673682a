package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestMemorySizes(t *testing.T) {
	for size, want := range map[string]int64{
		"256MiB": 256 << 20, "1.5GiB": 3 << 29, "64 KiB": 64 << 10, "500MB": 500e6, "2kB": 2000, "1TiB": 1 << 40, "3TB": 3e12,
	} {
		if got, err := (&memoryFlags{size: size}).bytes(); err != nil || got != want {
			t.Errorf("%s: %d, error %v, want %d", size, got, err, want)
		}
	}
	for _, size := range []string{"", "256", "MiB", "-1MiB", "0GiB", "1e30TiB", "NaNMiB", "infGiB", "1 mib", "0.1KiBs"} {
		if got, err := (&memoryFlags{size: size}).bytes(); err == nil || !strings.Contains(err.Error(), "256MiB") {
			t.Errorf("%q: %d, error %v, want one that shows a size", size, got, err)
		}
	}
}

// Two million messages, half of which wait at one site for an hour, would take
// nearly 1 GiB, and some 690 MiB with nothing but a busy garbage collector.
func TestMemoryIsBounded(t *testing.T) {
	recipe, err := os.ReadFile(filepath.Join(benchFolder, "outage.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	smaller, capture := filepath.Join(dir, "recipe.yaml"), filepath.Join(dir, "capture.parquet")
	if err := os.WriteFile(smaller, []byte(strings.Replace(string(recipe), "695/s", "278/s", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	twindrift(t, runtime.NumCPU(), "synth", "-q", smaller, "-o", capture)
	const most = 620 << 20
	peak := twindrift(t, runtime.NumCPU(), "run", "-q", "-f", filepath.Join(benchFolder, "outage-scenario.yaml"),
		"--memory", "16MiB", "--temp-dir", dir, capture).peakBytes
	t.Logf("peak memory %d MiB", peak>>20)
	if peak > most {
		t.Errorf("peak memory %d MiB, want %d at most", peak>>20, most>>20)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.spill")); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind, error %v", left, err)
	}
}

// BenchmarkOutage replays five million messages, half of which wait at one site
// for an hour, with little memory for them and with much.
func BenchmarkOutage(b *testing.B) {
	for _, memory := range []string{"64MiB", "100GiB"} {
		b.Run(memory, func(b *testing.B) {
			path := benchCapture(b, "outage", "")
			messages := messagesIn(b, path)
			scenario := filepath.Join(benchFolder, "outage-scenario.yaml")
			peak := int64(0)
			for b.Loop() {
				peak = max(peak, twindrift(b, runtime.NumCPU(), "run", "-q", "-f", scenario, "--memory", memory, path).peakBytes)
			}
			b.ReportMetric(messages*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmsg/s")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
		})
	}
}
