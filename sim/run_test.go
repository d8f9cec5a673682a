package sim

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"twindrift/datasets"
	"twindrift/sim/scenario"
)

func TestTry(t *testing.T) {
	for _, name := range datasets.Names() {
		src, err := datasets.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), Config{Source: src, Scenario: scenario.Default()})
		if err != nil {
			t.Fatal(name, err)
		}
		f, _ := os.Create("/tmp/try/" + name + ".json")
		e := json.NewEncoder(f)
		e.SetIndent("", " ")
		e.Encode(r)
		f.Close()
	}
}
