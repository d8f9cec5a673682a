package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"twindrift/sim/result"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestText(t *testing.T) {
	for name, r := range map[string]*result.Result{
		"quiet": evening("east", "west"), "burst": marketOpen(), "two-midnights": twoMidnights(),
		"equal-nodes": equalNodes(), "three-sites": threeSites(), "one-site": evening("east"), "empty": empty(),
	} {
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{Captures: []string{"captures/evening.parquet"}}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden(t, name+".txt", got.Bytes())
	}
}

// golden compares with a file of testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if it should, run go test with -update:\n%s", path, diff)
	}
}
