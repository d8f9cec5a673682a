package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"twindrift/replay/newfile"
	"twindrift/sim/report"
	"twindrift/sim/result"
)

// The formats of -o: of a run, and of most of the other commands.
var (
	runFormats = []string{"text", "json", "parquet"}
	textOrJSON = []string{"text", "json"}
)

// output is one -o: a format and where it goes. An empty path is stdout.
type output struct{ format, path string }

// bindOutputs gives a command its -o.
func bindOutputs(c *cobra.Command, specs *[]string, formats []string) {
	c.Flags().StringArrayVarP(specs, "output", "o", nil,
		"what to write, as `FORMAT[=FILE]` ("+strings.Join(formats, ", ")+"); repeatable or with commas; without a file to stdout (default text)")
}

// parseOutputs reads the values of -o FORMAT[=PATH], each of which may list
// several of the formats with commas between them. None at all is text to stdout. A format may
// be asked for once, and one output may go to stdout.
func parseOutputs(specs, formats []string) ([]output, error) {
	var outs []output
	for _, spec := range specs {
		for one := range strings.SplitSeq(spec, ",") {
			o, err := parseOutput(one, formats)
			if err != nil {
				return nil, err
			}
			for _, other := range outs {
				switch {
				case other.format == o.format:
					return nil, usagef("-o %s is given twice", o.format)
				case other.path == o.path && o.path == "":
					return nil, usagef("-o %s and -o %s both go to stdout; give one a file: -o %s=FILE", other.format, o.format, o.format)
				case other.path == o.path:
					return nil, usagef("-o %s and -o %s both go to %s", other.format, o.format, o.path)
				}
			}
			outs = append(outs, o)
		}
	}
	if len(outs) == 0 {
		outs = []output{{format: "text"}}
	}
	return outs, nil
}

func parseOutput(spec string, formats []string) (output, error) {
	format, path, named := strings.Cut(strings.TrimSpace(spec), "=")
	if !slices.Contains(formats, format) {
		hint := ""
		if format == "parquet" {
			hint = "; parquet is for the deliveries of a run: twindrift run -o parquet=FILE"
		}
		return output{}, usagef("-o %s: unknown format %q; there are %s, as in -o text,json=result.json%s",
			spec, format, strings.Join(formats, ", "), hint)
	}
	if named && path == "" {
		return output{}, usagef("-o %s: the file is missing; leave the = out for stdout", spec)
	}
	switch path {
	case "", "-", "/dev/stdout":
		path = ""
	default:
		path = filepath.Clean(path)
	}
	return output{format, path}, nil
}

// outputs are the places that the outputs of one command go to, open.
type outputs struct {
	t          *terminal
	places     []place
	deliveries *report.Parquet // being written; nil when not asked for or not begun
}

// place is an output and what to write it to.
type place struct {
	output
	w    io.Writer
	file *newfile.File // nil for stdout
}

// openOutputs opens them all, so that what cannot be written, or would go over what
// is read, fails before the work. The caller ends with finish, and defers abort.
func (t *terminal) openOutputs(outs []output) (*outputs, error) {
	o := &outputs{t: t}
	for _, out := range outs {
		p := place{output: out, w: t.out}
		if out.path != "" {
			if err := t.notAnInput("-o "+out.format, out.path); err != nil {
				o.abort()
				return nil, err
			}
			f, err := newfile.Create(out.path)
			if err != nil {
				o.abort()
				return nil, fmt.Errorf("-o %s=%s: %w", out.format, out.path, err)
			}
			p.file, p.w = f, f
		} else if f, ok := t.out.(*os.File); ok && out.format == "parquet" && term.IsTerminal(int(f.Fd())) {
			o.abort()
			return nil, usagef("-o parquet would go to the terminal; give it a file: -o parquet=deliveries.parquet")
		}
		o.places = append(o.places, p)
	}
	return o, nil
}

// sink is where the deliveries of a run go: nil when nobody asked for them.
func (o *outputs) sink(partitions []result.InputPartition) (result.DeliverySink, error) {
	for _, p := range o.places {
		if p.format != "parquet" {
			continue
		}
		var err error
		o.deliveries, err = report.NewParquet(p.w, partitions)
		return o.deliveries, err
	}
	return nil, nil
}

// finish writes the result to each place, and gives files their names. text
// says how the text is to look; colour is decided here.
func (o *outputs) finish(r *result.Result, text report.TextOptions) error {
	return o.each(func(p *place) error { return o.write(p, r, text) })
}

// each writes to each place, and gives files their names.
func (o *outputs) each(write func(*place) error) error {
	for i := range o.places {
		p := &o.places[i]
		err := write(p)
		if err == nil && p.file != nil {
			err = p.file.Finish()
		}
		if err != nil {
			if p.path != "" {
				return fmt.Errorf("-o %s=%s: %w", p.format, p.path, err)
			}
			return fmt.Errorf("-o %s: %w", p.format, err)
		}
	}
	return nil
}

func (o *outputs) write(p *place, r *result.Result, text report.TextOptions) error {
	switch p.format {
	case "json":
		return report.JSON(p.w, r)
	case "parquet":
		if o.deliveries == nil {
			return errors.New("no deliveries to write")
		}
		return o.deliveries.Close()
	}
	text.Color = o.colored(p)
	return report.Text(p.w, r, text)
}

// colored says whether text in a place may have colours: on a terminal, where
// NO_COLOR does not forbid it.
func (o *outputs) colored(p *place) bool {
	return p.file == nil && isTerminal(o.t.out) && os.Getenv("NO_COLOR") == ""
}

// abort removes what was begun and not finished. After finish it does nothing.
func (o *outputs) abort() {
	for _, p := range o.places {
		if p.file != nil {
			p.file.Abort()
		}
	}
}

// notAnInput refuses to write over what the command reads; flag names the output.
func (t *terminal) notAnInput(flag, path string) error {
	for _, read := range t.reads {
		if sameFile(read, path) {
			return usagef("%s is both read and written; say another name after %s", path, flag)
		}
	}
	return nil
}

// sameFile tells whether two paths lead to one file. Devices are not meant: a
// terminal is read and written.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}
