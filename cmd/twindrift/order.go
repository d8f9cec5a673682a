package main

import (
	"context"
	"io"
	"os"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"twindrift/sim/order/table"
)

func newOrder(t *terminal) *cobra.Command {
	var o orderOptions
	c := &cobra.Command{
		Use:   "order FILE.csv --y COLUMN [--x COLUMN]",
		Short: "Measure how far two columns of a file are from one order",
		Long: `Prints the sequence measures of two columns: Kendall's tau-a and tau-b with the
counts of pairs behind them, reordering as RFC 4737 defines it, measures of
presortedness (inversions, displacement, footrule and others) and the reorder
densities of RFC 5236, with their definitions and how ties count, so that they
can be checked against SciPy or R.

The rows are put in order of x (an id, a time of arrival) and y (a time, a
sequence number) is measured; without --x they stay as they are in the file. A
column is named by its header or by its number from 1. Values are integers,
compared exactly; decimals, compared as float64; or RFC 3339 times. Empty lines
are passed over. Files may be compressed with gzip; - is stdin.`,
		Example: `  twindrift order rows.csv --x id --y event_ms
  twindrift order - --y 2 --delimiter tab -o json < rows.tsv`,
		Args: exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			outs, err := o.check()
			if err != nil {
				return err
			}
			return t.order(c.Context(), args[0], o.table, outs)
		},
	}
	f := c.Flags()
	f.StringVar(&o.table.X, "x", "", "column that puts the rows in order (default the order in the file)")
	f.StringVar(&o.table.Y, "y", "", "column to measure")
	f.StringVar(&o.delimiter, "delimiter", ",", "what stands between values: one character, or tab")
	bindOutputs(c, &o.outputs, textOrJSON)
	return c
}

type orderOptions struct {
	table     table.Options
	delimiter string
	outputs   []string
}

func (o *orderOptions) check() ([]output, error) {
	if o.table.Y == "" {
		return nil, usagef("say which column to measure: --y COLUMN, by header or by number from 1")
	}
	delimiter, size := utf8.DecodeRuneInString(o.delimiter)
	if o.delimiter == "tab" || o.delimiter == `\t` {
		delimiter, size = '\t', len(o.delimiter)
	}
	if size != len(o.delimiter) || size == 0 || delimiter == utf8.RuneError || delimiter == '"' || delimiter == '\n' || delimiter == '\r' {
		return nil, usagef("--delimiter %q: say one character, as in --delimiter ';', or tab", o.delimiter)
	}
	o.table.Delimiter = delimiter
	return parseOutputs(o.outputs, textOrJSON)
}

// order measures the columns of one file.
func (t *terminal) order(ctx context.Context, path string, options table.Options, outs []output) error {
	t.reads = append(t.reads, path)
	places, err := t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	report, err := t.measureOrder(ctx, path, options)
	if err != nil {
		return err
	}
	for _, p := range places.places {
		write := report.Text
		if p.format == "json" {
			write = report.JSON
		}
		if err := write(p.w); err != nil {
			return err
		}
		if p.file == nil {
			continue
		}
		if err := p.file.Finish(); err != nil {
			return err
		}
	}
	return nil
}

func (t *terminal) measureOrder(ctx context.Context, path string, options table.Options) (*table.Report, error) {
	in, size, name := t.in, int64(0), "stdin"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
		in, name = f, path
	}
	update, finish := t.progress("reading", "bytes")
	defer finish()
	x, y, err := table.Read(ctx, &metered{in: in, size: size, update: update}, name, options)
	if err != nil {
		return nil, err
	}
	finish()
	return table.Measure(name, x, y), nil
}

// metered shows how much of a file has been read.
type metered struct {
	in         io.Reader
	done, size int64
	update     func(done, total int64)
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.in.Read(p)
	m.done += int64(n)
	m.update(m.done, m.size)
	return n, err
}
