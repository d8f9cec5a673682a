package datasets

import (
	"bytes"
	"fmt"

	"twindrift/replay"
	"twindrift/replay/parquet"
)

// Open gives a capture. It may be opened as often as wanted; each one that is
// opened is its own.
func Open(name string) (replay.Source, error) {
	if _, err := Recipe(name); err != nil {
		return nil, err
	}
	path := name + ".parquet"
	content, err := files.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the sample %q has not been made from its recipe: go generate ./datasets", name)
	}
	return parquet.OpenReader(path, bytes.NewReader(content), int64(len(content)), parquet.Options{})
}
