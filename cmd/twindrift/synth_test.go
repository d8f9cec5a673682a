package main

import (
	"reflect"
	"strings"
	"testing"

	"twindrift/replay/recipe"
	"twindrift/sim/scenario"
)

// The recipe in the help must be one.
func TestExampleRecipe(t *testing.T) {
	text := strings.ReplaceAll("\n"+exampleRecipe, "\n  ", "\n")
	if _, err := recipe.Parse("example.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// Whatever field a scenario has, a recipe is told from it.
func TestScenarioIsNoRecipe(t *testing.T) {
	for f := range reflect.TypeFor[scenario.Scenario]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		_, err := recipe.Parse("r.yaml", []byte("seed: 1\n"+name+"2: 1"))
		if err == nil || strings.Contains(err.Error(), "looks like a scenario") {
			t.Errorf("%s2: %v", name, err)
		}
		if name == "seed" {
			continue
		}
		if _, err = recipe.Parse("r.yaml", []byte("seed: 1\n"+name+": 1")); err == nil || !strings.Contains(err.Error(), "looks like a scenario") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
