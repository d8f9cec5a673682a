package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"twindrift/replay"
	"twindrift/replay/parquet"
	"twindrift/replay/recipe"
	"twindrift/sim/scenario"
)

// captureFlags are the flags of the commands that read captures.
type captureFlags struct {
	columns        []string
	timestampUnit  string
	nullTimestamps string
}

func (f *captureFlags) bind(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.columns, "map", nil,
		"columns by other names, as timestamp=event_time,key_hash=user_id; of a capture: "+strings.Join(parquet.Columns(), ", "))
	c.Flags().StringVar(&f.timestampUnit, "timestamp-unit", "", "unit of plain integer timestamps: s, ms, us, ns (default: told from their magnitude)")
	c.Flags().StringVar(&f.nullTimestamps, "null-timestamps", "", "rows whose timestamp is NULL: fail, skip, none (messages without timestamp) (default fail)")
}

// open opens files, folders and patterns as one capture, of which the filter, where
// there is one, is all that looks at keys and sizes. A recipe is a capture too: its
// messages are made as they are read.
func (f *captureFlags) open(paths []string, filter *scenario.Filter) (replay.Source, error) {
	if i := slices.IndexFunc(paths, isRecipe); i >= 0 {
		return f.openRecipe(paths, paths[i])
	}
	opts := parquet.Options{TimestampUnit: f.timestampUnit, NullTimestamps: f.nullTimestamps}
	if filter != nil {
		keys, sizes := filter.LooksAt()
		opts.NoKeys, opts.NoSizes = !keys, !sizes
	}
	for _, pair := range f.columns {
		name, column, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usagef("--map %s: want CAPTURE_COLUMN=FILE_COLUMN, as timestamp=event_time", pair)
		}
		if opts.Map == nil {
			opts.Map = map[string]string{}
		}
		opts.Map[name] = column
	}
	if err := opts.Check(); err != nil {
		return nil, usageError{err}
	}
	return parquet.Open(paths, opts)
}

// openCapture opens a capture that the command does not write over.
func (t *terminal) openCapture(f *captureFlags, paths []string, filter *scenario.Filter) (replay.Source, error) {
	source, err := f.open(paths, filter)
	if err != nil {
		return nil, err
	}
	t.reads = append(t.reads, paths...)
	if files, ok := source.(*parquet.Capture); ok {
		for _, file := range files.Files() {
			t.reads = append(t.reads, file.Path)
		}
	}
	return source, nil
}

// isRecipe tells a traffic recipe by its name.
func isRecipe(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

// openRecipe opens a recipe, which has to be the only one of paths.
func (f *captureFlags) openRecipe(paths []string, path string) (replay.Source, error) {
	switch {
	case len(paths) > 1:
		return nil, usagef("%s is a recipe, and a recipe is a capture by itself: give it alone, or make a file of it (twindrift synth %[1]s -o FILE)", path)
	case len(f.columns) > 0 || f.timestampUnit != "" || f.nullTimestamps != "":
		return nil, usagef("--map, --timestamp-unit and --null-timestamps are for files; %s is a recipe, which has none of these doubts", path)
	}
	source, err := recipe.Load(path)
	if _, unread := errors.AsType[*fs.PathError](err); unread {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w\na capture that ends in .yaml is a traffic recipe (see twindrift synth --help);\na scenario goes with -f", err)
	}
	return source, nil
}
