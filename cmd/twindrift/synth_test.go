package main

import (
	"strings"
	"testing"

	"twindrift/replay/recipe"
)

// The recipe in the help must be one.
func TestExampleRecipe(t *testing.T) {
	text := strings.ReplaceAll("\n"+exampleRecipe, "\n  ", "\n")
	if _, err := recipe.Parse("example.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
}
