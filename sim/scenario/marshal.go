package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml"
)

// Marshal is the scenario as YAML, every field written out. Parse reads it back
// to an equal scenario, and equal scenarios have equal text.
func (s Scenario) Marshal() ([]byte, error) {
	// By way of JSON, so that both have the same fields in the same order.
	asJSON, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	var ordered yaml.MapSlice
	decoder := yaml.NewDecoder(bytes.NewReader(asJSON), yaml.UseOrderedMap())
	if err := decoder.Decode(&ordered); err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	text, err := yaml.MarshalWithOptions(ordered, yaml.Indent(2), yaml.IndentSequence(true))
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return text, nil
}
