package main

import (
	"strings"

	"github.com/spf13/cobra"

	"twindrift/replay"
	"twindrift/replay/parquet"
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
		"columns by other names, as timestamp=event_time,key_hash=user_id;\nof a capture: "+strings.Join(parquet.Columns(), ", "))
	c.Flags().StringVar(&f.timestampUnit, "timestamp-unit", "", "unit of plain integer timestamps: s, ms, us, ns\n(default: told from their magnitude)")
	c.Flags().StringVar(&f.nullTimestamps, "null-timestamps", "", "rows whose timestamp is NULL: fail, skip, none\n(messages without timestamp) (default fail)")
}

// open opens files, folders and patterns as one capture, of which the filter, where
// there is one, is all that looks at keys and sizes.
func (f *captureFlags) open(paths []string, filter *scenario.Filter) (replay.Source, error) {
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
