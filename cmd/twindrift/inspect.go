package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"twindrift/datasets"
	"twindrift/replay"
	"twindrift/replay/inspect"
	"twindrift/replay/parquet"
)

// inspectCommand is what inspect was asked to do.
type inspectCommand struct {
	t        *terminal
	captures captureFlags
	sample   string
	outputs  []string
}

func newInspect(t *terminal) *cobra.Command {
	i := inspectCommand{t: t}
	c := &cobra.Command{
		Use:   "inspect CAPTURE...",
		Short: "Say what is in a capture",
		Long: `Say what is in a capture: files, messages, partitions, the span of time, the
mean rate and the peak second, how far each partition is out of time order,
missing and doubtful timestamps, gaps in the offsets, messages that are there
twice.

A CAPTURE is a Parquet file, a folder (with all that is below it) or a pattern;
several make one capture. A traffic recipe (.yaml, see twindrift synth) is one
too. Files that others wrote are read as they are: see the flags where columns
go by unusual names. Messages out of time order are those with a timestamp below
the largest before them in their partition (RFC 4737).`,
		Example: `  twindrift inspect captures/
  twindrift inspect captures/evening.parquet -o json
  twindrift inspect --sample market-open`,
		RunE: func(c *cobra.Command, args []string) error { return i.run(c.Context(), args) },
	}
	c.Flags().StringVar(&i.sample, "sample", "", "inspect a built-in capture: "+strings.Join(datasets.Names(), ", "))
	i.captures.bind(c)
	bindOutputs(c, &i.outputs, textOrJSON)
	return c
}

func (i *inspectCommand) run(ctx context.Context, args []string) error {
	outs, err := parseOutputs(i.outputs, textOrJSON)
	if err != nil {
		return err
	}
	source, name, err := i.source(args)
	if err != nil {
		return err
	}
	places, err := i.t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	update, finish := i.t.progress("reading", "messages")
	defer finish()
	plan, err := source.Plan(ctx, update)
	if err != nil {
		return err
	}
	finish()
	summary := inspect.Summarise(plan, filesOf(source))
	for _, p := range places.places {
		if p.format == "json" {
			err = summary.JSON(p.w)
		} else {
			err = summary.Text(p.w, name)
		}
		if err == nil && p.file != nil {
			err = p.file.Finish()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// source is the capture, and what to call it.
func (i *inspectCommand) source(args []string) (replay.Source, string, error) {
	switch {
	case i.sample != "" && len(args) > 0:
		return nil, "", usagef("give either captures or --sample %s", i.sample)
	case i.sample != "":
		source, err := datasets.Open(i.sample)
		if err != nil {
			return nil, "", usageError{err}
		}
		return source, "sample " + i.sample, nil
	case len(args) == 0:
		return nil, "", usagef("name a capture: a Parquet file, a folder or a pattern; or --sample with one of %s", strings.Join(datasets.Names(), ", "))
	}
	source, err := i.t.openCapture(&i.captures, args, nil)
	return source, strings.Join(args, " "), err
}

// filesOf lists the files of a capture that is made of files.
func filesOf(source replay.Source) []inspect.File {
	c, ok := source.(*parquet.Capture)
	if !ok {
		return nil
	}
	var list []inspect.File
	for _, f := range c.Files() {
		list = append(list, inspect.File{
			Path: f.Path, Bytes: f.Bytes, Rows: f.Rows, RowGroups: f.RowGroups,
			WrittenBy: f.CreatedBy, Columns: f.Columns, Time: f.Time,
		})
	}
	return list
}
