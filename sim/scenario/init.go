package scenario

import (
	_ "embed"
	"slices"
)

//go:embed init.yaml
var initYAML []byte

// Init is a scenario file to start from, with comments. It says the same as
// Default.
func Init() []byte { return slices.Clone(initYAML) }
