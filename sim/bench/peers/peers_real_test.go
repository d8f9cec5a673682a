//go:build peers

package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The peers of requirements.txt, on a million messages: their figures are those of twindrift,
// and each job of each is timed in each round.
func TestRealPeers(t *testing.T) {
	interpreter := os.Getenv("TWINDRIFT_PEERS_PYTHON")
	if interpreter == "" {
		t.Fatal("TWINDRIFT_PEERS_PYTHON is not set to a Python with the packages of requirements.txt; run make test-peers")
	}
	folder := t.TempDir()
	twindrift := filepath.Join(folder, "twindrift")
	if out, err := exec.Command("go", "build", "-o", twindrift, "twindrift/cmd/twindrift").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	compare := exec.Command(interpreter, "-B", "compare.py", "--messages", "1000000", "--rounds", "2", "--twindrift", twindrift, "--folder", folder)
	out, err := compare.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{
		"inspect/tool=twindrift", "inspect/tool=duckdb", "inspect/tool=duckdb-counts", "inspect/tool=polars",
		"run/tool=twindrift", "run/tool=numpy-scipy", "run/tool=simpy",
	} {
		line := regexp.MustCompile(`(?m)^BenchmarkPeers/job=` + tool + `-2\t1\t[0-9]+ ns/op\t[0-9]+ msg/s\t[0-9.]+ cpu-s\t[0-9]+ peak-bytes$`)
		if n := len(line.FindAll(out, -1)); n != 2 {
			t.Errorf("%s: %d lines, want one a round", tool, n)
		}
	}
	if n := strings.Count(string(out), "#   ok"); n != 20 {
		t.Errorf("%d comparisons, want 20", n)
	}
}
