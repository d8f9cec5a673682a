package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"twindrift/replay/figure"
	"twindrift/replay/parquet"
	"twindrift/replay/records"
)

// importFlags are the flags of import that are not options of the records as
// they stand.
type importFlags struct {
	output, compression, separator string
}

func newImport(t *terminal) *cobra.Command {
	var f importFlags
	var o records.Options
	c := &cobra.Command{
		Use:   "import FILE... -o CAPTURE.parquet",
		Short: "Turn CSV, JSON or logs into a capture",
		Long: `Turn text into a capture: CSV, JSON as the Kafka tools print it (kcat -J, rpk,
kaf), other JSON, log lines. Files may be compressed (gzip, Zstandard); - is
stdin. What a file holds is seen from its first line; --format says it.

Each record is one message. --map TARGET=FIELD says which field is what: a CSV
column by name, a path into JSON (data.E), a group of --pattern, or $1, $2, ...
by place. Targets: timestamp, timestamp_type, topic, partition, offset, key,
value, value_len, processed_at, message_id. Fields of the usual names need no
--map; an empty FIELD leaves a target out. Without a topic it is the file's
name, without a partition 0, without offsets the order of the records.

Times are numbers since 1970 (s, ms, us, ns, told by their size), dates and
times (RFC 3339 and its relatives), or mail dates. Others by --time-format: a
unit; mail; snowflake (the time in a Snowflake id); after:UNIT (a duration after
the timestamp); or a layout of Go's package time. Those without a zone are in
--zone.`,
		Example: `  twindrift import orders.csv --map timestamp=created_at,key=customer -o orders.parquet
  kcat -b localhost -t orders -C -e -J | twindrift import - -o orders.parquet
  twindrift import feed.gz --map 'timestamp=data.E,processed_at=$1' -o feed.parquet
  twindrift import app.log --pattern '^(?P<timestamp>\S+ \S+) \S+ \[(?P<key>[^]]+)\]' \
    --zone Europe/Berlin -o app.parquet
  twindrift import syslog --pattern '^(?P<timestamp>\w+ +\d+ [\d:]+) (?P<key>\S+)' \
    --time-format 'Jan _2 15:04:05' --year 2026 -o syslog.parquet`,
		Args: atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			columns, err := f.check(&o)
			if err != nil {
				return usageError{err}
			}
			return t.importFiles(c.Context(), args, f.output, columns, o)
		},
	}
	f.bind(c, &o)
	return c
}

func (f *importFlags) bind(c *cobra.Command, o *records.Options) {
	s := c.Flags()
	s.SortFlags = false
	s.StringVarP(&f.output, "output", "o", "", "`FILE` to write the capture to (Parquet)")
	s.StringSliceVarP(&o.Map, "map", "m", nil, "`TARGET=FIELD`, repeatable or with commas between")
	s.StringArrayVar(&o.TimeFormats, "time-format", nil, "`FORM` of the times; timestamp=FORM or processed_at=FORM for one; repeatable")
	s.StringArrayVar(&o.Zones, "zone", nil, "`ZONE` of times that have none: UTC (default), Europe/Berlin, +08:00; repeatable like --time-format")
	s.IntVar(&o.Year, "year", 0, "year of the first record, where times have none")
	s.StringVar((*string)(&o.Format), "format", "", "csv, ndjson, json, prefixed-json or log (default: by the first line)")
	s.StringVar(&f.separator, "separator", "", "CSV: what stands between fields (default: by the first line)")
	s.BoolVar(&o.NoHeader, "no-header", false, "CSV: the first line is data; columns are $1, $2, ...")
	s.StringVar(&o.Records, "records", "", "JSON: path to the array that holds the records (features)")
	s.StringVar(&o.Pattern, "pattern", "", "logs: regular expression; its groups are the fields")
	s.StringVar(&o.Topic, "topic", "", "topic of records that have none (default: the file's name)")
	s.StringVar(&o.PartitionBy, "partition-by", "", "field whose hash gives the partition")
	s.Int32Var(&o.Partitions, "partitions", 0, "number of partitions for --partition-by")
	s.StringVar(&o.From, "from", "", "leave out records with earlier timestamps (2026-01-02T03:04:05Z, 2026-01-02, 1767323045000)")
	s.StringVar(&o.To, "to", "", "leave out records with timestamps at this time or later")
	s.StringVar((*string)(&o.NullTimestamps), "null-timestamps", "fail", "records without a timestamp: fail, skip, or none (keep them)")
	s.StringVar((*string)(&o.BadRows), "bad-rows", "fail", "records that cannot be read: fail, or skip (they are counted)")
	s.BoolVar(&o.Keys, "with-keys", false, "write the keys too, not their hashes alone")
	s.BoolVar(&o.Values, "with-values", false, "write the values too, not their lengths alone")
	s.StringVar(&f.compression, "compression", "snappy", "snappy, or zstd (smaller, slower)")
}

// check sees that the flags agree and gives the columns of the capture.
func (f *importFlags) check(o *records.Options) (parquet.WriterOptions, error) {
	var none parquet.WriterOptions
	if f.output == "" {
		return none, errors.New("-o CAPTURE.parquet is missing: say where the capture goes")
	}
	switch f.separator {
	case "":
	case "tab", `\t`:
		o.Separator = '\t'
	default:
		r, n := utf8.DecodeRuneInString(f.separator)
		if n != len(f.separator) || r == utf8.RuneError || r == '"' || r == '\n' || r == '\r' {
			return none, fmt.Errorf("--separator %q is not one character (or tab)", f.separator)
		}
		o.Separator = r
	}
	if f.compression != "snappy" && f.compression != "zstd" {
		return none, fmt.Errorf("--compression %s is not known; say snappy or zstd", f.compression)
	}
	columns, err := o.WriterColumns()
	columns.Compression = f.compression
	columns.Version = version()
	return columns, err
}

// importFiles writes the capture and says what is in it.
func (t *terminal) importFiles(ctx context.Context, paths []string, to string, columns parquet.WriterOptions, o records.Options) error {
	inputs, total, err := t.inputs(paths)
	if err != nil {
		return err
	}
	t.reads = append(t.reads, paths...)
	if err := t.notAnInput("-o", to); err != nil {
		return err
	}
	w, err := parquet.Create(to, columns)
	if err != nil {
		return err
	}
	defer w.Abort()
	update, finish := t.progress("importing", "bytes")
	defer finish()
	summary, err := records.Import(ctx, inputs, w, o, func(done int64) { update(done, total) })
	if err != nil {
		return err
	}
	if summary.Messages == 0 {
		return fmt.Errorf("there is no record in %s that could be a message", figure.Counted(int64(len(paths)), "file"))
	}
	if err := w.Close(); err != nil {
		return err
	}
	finish()
	if !t.quiet {
		for _, f := range summary.Files {
			f.Print(t.err)
		}
		fmt.Fprintf(t.err, "%s: %s in all\n", to, figure.Counted(summary.Messages, "message"))
	}
	return nil
}

// inputs opens nothing yet, but sees that the files are there. total is 0 where
// stdin is among them.
func (t *terminal) inputs(paths []string) (inputs []records.Input, total int64, err error) {
	known := true
	for _, p := range paths {
		if p == "-" {
			known = false
			inputs = append(inputs, records.Input{Name: "stdin", Open: func() (io.ReadCloser, error) { return io.NopCloser(t.in), nil }})
			continue
		}
		in, err := records.File(p)
		if err != nil {
			return nil, 0, err
		}
		total += in.Bytes
		inputs = append(inputs, in)
	}
	if !known {
		total = 0
	}
	return inputs, total, nil
}
