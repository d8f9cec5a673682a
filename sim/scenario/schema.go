package scenario

import (
	_ "embed"
	"slices"
)

// Made from the structs, their tags and their comments by the test of this
// package: go test ./sim/scenario -run Schema -update
//
//go:embed schema.json
var schemaJSON []byte

// Schema is the JSON schema (draft 2020-12) of scenario files, with the
// meaning of every field. Editors complete and check by it; what fields mean
// together only Parse checks.
func Schema() []byte { return slices.Clone(schemaJSON) }
