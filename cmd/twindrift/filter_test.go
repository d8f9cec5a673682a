package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"twindrift/sim/result"
)

// A capture's keys and sizes are read where the filter goes by them, and only
// there: what a file gives is what the embedded sample gives, of which all is read.
func TestFilterOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, drop := range map[string]string{
		"keys":  "{key_hash_mod: [10, 3]}",
		"sizes": "{partition: 3, value_larger_than: 239}",
		"both":  "{key_hash_mod: [2, 1], value_larger_than: 200}",
	} {
		file := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(file, []byte("filter:\n  drop:\n    - "+drop+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		filtered := func(args ...string) int64 {
			out := filepath.Join(dir, "result.json")
			if status := Main(append([]string{"run", "-q", "-f", file, "-o", "json=" + out}, args...), nil, os.Stdout, os.Stderr); status != 0 {
				t.Fatalf("%s %v: exit status %d", name, args, status)
			}
			content, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			var r result.Result
			if err := json.Unmarshal(content, &r); err != nil {
				t.Fatal(err)
			}
			p := r.Sites["east"].Push
			if p.Filtered == 0 || p.Filtered == p.Consumed {
				t.Fatalf("%s %v: %d of %d filtered", name, args, p.Filtered, p.Consumed)
			}
			return p.Filtered
		}
		if sample, read := filtered("--sample", "evening"), filtered("../../datasets/evening.parquet"); sample != read {
			t.Errorf("%s: %d filtered of the sample, %d of the file", name, sample, read)
		}
	}
}
