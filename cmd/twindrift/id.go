package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"twindrift/generator/secondslot"
	"twindrift/generator/secondslot/reading"
)

func newID(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "id",
		Short: "Decode, encode, explain and draw message ids",
		Long: `Decode, encode, explain and draw message ids.

A second-slot id is a .NET tick value in local time, UTC+8 unless --utc-offset
says otherwise; its digits below the second say node and sequence.`,
		Example: `  twindrift id decode 638935272001000200
  twindrift id encode --node 1 --time 2025-09-15T10:00:00+08:00
  twindrift id explain 638935272002000000
  printf '1,1757901600000\n' | twindrift id draw`,
	}
	c.AddCommand(newIDDecode(t), newIDEncode(t), newIDExplain(t), newIDDraw(t))
	return c
}

// bindUTCOffset gives a command the flag for the local time of ids.
func bindUTCOffset(c *cobra.Command) *time.Duration {
	return c.Flags().Duration("utc-offset", time.Duration(secondslot.DefaultUTCOffsetMs)*time.Millisecond,
		"local time of the ids less UTC, within 18h")
}

// idLayout is the layout for a --utc-offset.
func idLayout(offset time.Duration) (secondslot.Layout, error) {
	cfg := secondslot.DefaultConfig()
	cfg.UTCOffsetMs = offset.Milliseconds()
	if _, err := secondslot.New(cfg); err != nil {
		return secondslot.Layout{}, usagef("--utc-offset %v: %w", offset, err)
	}
	return cfg.Layout(), nil
}

// parseIDs reads ids from arguments; one that is none is wrong usage.
func parseIDs(args []string) ([]int64, error) {
	ids := make([]int64, len(args))
	for i, arg := range args {
		id, err := reading.ParseID(arg)
		if err != nil {
			return nil, usageError{err}
		}
		ids[i] = id
	}
	return ids, nil
}

func newIDDecode(t *terminal) *cobra.Command {
	var specs []string
	c := &cobra.Command{
		Use:   "decode ID...",
		Short: "Say what the digits of ids say",
		Long: `Says of each id what its digits say: owner time, node, sequence, whether it lies
on the step of 200, and the float64 score that a sorted set keeps of it, with
the numbers that share this score. Ids are strings in JSON.`,
		Example: `  twindrift id decode 638935272001000200
  twindrift id decode -o json 638935272001000200 638935272002000000`,
		Args: cobra.MinimumNArgs(1),
	}
	c.Flags().StringArrayVarP(&specs, "output", "o", nil, "what to write, as FORMAT[=FILE] (text, json); without a file to stdout (default text)")
	offset := bindUTCOffset(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		ids, err := parseIDs(args)
		if err != nil {
			return err
		}
		layout, err := idLayout(*offset)
		if err != nil {
			return err
		}
		outs, err := parseOutputs(specs, outputFormats)
		if err != nil {
			return err
		}
		return decodeIDs(t, layout, ids, outs)
	}
	return c
}

func decodeIDs(t *terminal, layout secondslot.Layout, ids []int64, outs []output) error {
	for _, o := range outs {
		if o.format != "text" && o.format != "json" {
			return usagef("-o %s: ids are decoded as text or json", o.format)
		}
	}
	places, err := t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	for _, p := range places.places {
		if err := writeReadings(p.w, p.format, layout, ids); err != nil {
			return err
		}
		if p.file == nil {
			continue
		}
		if err := p.file.finish(); err != nil {
			return err
		}
	}
	return nil
}

func writeReadings(w io.Writer, format string, layout secondslot.Layout, ids []int64) error {
	if format == "json" {
		readings := make([]reading.Reading, len(ids))
		for i, id := range ids {
			readings[i] = reading.Of(layout, id)
		}
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(readings)
	}
	for i, id := range ids {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if _, err := io.WriteString(w, reading.Text(layout, id)); err != nil {
			return err
		}
	}
	return nil
}

func newIDEncode(t *terminal) *cobra.Command {
	var node, seq int64
	var at string
	c := &cobra.Command{
		Use:   "encode --node N --time T [--seq K]",
		Short: "Make the id of a time, a node and a sequence number",
		Long: `Makes the id of a time, a node and a sequence number. The time is 13 digits of
milliseconds since 1970, or RFC 3339 with its zone; what is below the second is
dropped. A node outside 0..9 or a sequence past 4999 carries into the digits
above, as in the generator; a note says so.`,
		Example: `  twindrift id encode --node 1 --time 2025-09-15T10:00:00+08:00
  twindrift id encode --node 1 --time 1757901600000 --seq 4999`,
		Args: cobra.NoArgs,
	}
	c.Flags().Int64Var(&node, "node", 0, "node number, 0 to 9")
	c.Flags().Int64Var(&seq, "seq", 0, "sequence number, 0 to 4999")
	c.Flags().StringVar(&at, "time", "", "time of the event")
	c.MarkFlagRequired("node")
	c.MarkFlagRequired("time")
	offset := bindUTCOffset(c)
	c.RunE = func(*cobra.Command, []string) error {
		ms, err := reading.ParseTime(at)
		if err != nil {
			return usagef("--time: %w", err)
		}
		layout, err := idLayout(*offset)
		if err != nil {
			return err
		}
		id, err := layout.Encode(ms, node, seq)
		if err != nil {
			return usageError{err}
		}
		if f := layout.Decode(id); !t.quiet && (f.Node != node || f.Seq != seq) {
			fmt.Fprintf(t.err, "twindrift: note: node %d, sequence %d carries: the id reads as node %d, sequence %d of %s\n",
				node, seq, f.Node, f.Seq, reading.Of(layout, id).OwnerLocal)
		}
		_, err = fmt.Fprintln(t.out, id)
		return err
	}
	return c
}

func newIDExplain(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain ID",
		Short: "Fill in the formula of an id, and say what its digits can and cannot tell",
		Long: `Writes the formula of an id with its numbers filled in, and what a wrong node
digit, a sequence of 0 or digits off the step would mean.`,
		Example: "  twindrift id explain 638935272002000000",
		Args:    cobra.ExactArgs(1),
	}
	offset := bindUTCOffset(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		ids, err := parseIDs(args)
		if err != nil {
			return err
		}
		layout, err := idLayout(*offset)
		if err != nil {
			return err
		}
		_, err = io.WriteString(t.out, reading.Explain(layout, ids[0]))
		return err
	}
	return c
}
