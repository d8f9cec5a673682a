package datasets

import (
	"twindrift/replay"
	"twindrift/replay/recipe"
)

// Open gives a capture.
func Open(name string) (replay.Source, error) {
	text, err := Recipe(name)
	if err != nil {
		return nil, err
	}
	return recipe.Parse(name+".yaml", text)
}
