package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"twindrift/generator/reading"
)

func newID(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "id",
		Short: "Decode, encode, explain and draw message ids",
		Long: `Decode, encode, explain and draw message ids, and list their generators.

A second-slot id is a .NET tick value in local time, UTC+8 unless --utc-offset
says otherwise; its digits below the second say node and sequence. Ids of other
generators are read with --generator; a negative one comes after --.`,
		Example: `  twindrift id decode 638935272001000200
  twindrift id encode --node 1 --time 2025-09-15T10:00:00+08:00
  twindrift id explain 638935272002000000
  twindrift id explain --generator snowflake -- -1024
  printf '1,1757901600000\n' | twindrift id draw
  twindrift id generators`,
	}
	c.AddCommand(newIDDecode(t), newIDEncode(t), newIDExplain(t), newIDDraw(t), newIDGenerators(t))
	return c
}

func newIDDecode(t *terminal) *cobra.Command {
	var specs []string
	c := &cobra.Command{
		Use:   "decode ID...",
		Short: "Say what the digits of ids say",
		Long: `Says of each id what its digits say: owner time, node, sequence or count, for
second-slot whether it lies on the step of 200, and the float64 score that a
sorted set keeps of it, with the numbers that share this score. Ids of
redis-streams are written ms-seq. Ids are strings in JSON.`,
		Example: `  twindrift id decode 638935272001000200
  twindrift id decode -o json 638935272001000200 638935272002000000
  twindrift id decode --generator redis-streams 1717034400000-1000`,
		Args: atLeast(1),
	}
	bindOutputs(c, &specs, textOrJSON)
	layout := bindLayout(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		reader, ids, err := layout.read(args)
		if err != nil {
			return err
		}
		outs, err := parseOutputs(specs, textOrJSON)
		if err != nil {
			return err
		}
		return t.writeTo(outs, func(w io.Writer, format string) error { return writeReadings(w, format, reader, ids) })
	}
	return c
}

// writeTo opens all outputs, has each written, and gives files their names.
func (t *terminal) writeTo(outs []output, write func(w io.Writer, format string) error) error {
	places, err := t.openOutputs(outs)
	if err != nil {
		return err
	}
	defer places.abort()
	for _, p := range places.places {
		if err := write(p.w, p.format); err != nil {
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

func writeReadings(w io.Writer, format string, reader reading.Reader, ids []int64) error {
	if format == "json" {
		readings := make([]any, len(ids))
		for i, id := range ids {
			readings[i] = reader.Of(id)
		}
		return writeJSON(w, readings)
	}
	for i, id := range ids {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if _, err := io.WriteString(w, reader.Text(id)); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func newIDExplain(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain ID",
		Short: "Fill in the formula of an id, and say what its digits tell",
		Long: `Writes the formula of an id with its numbers filled in, and what would look the
same and means something else: for second-slot a wrong node digit, a sequence of
0 or digits off the step; for snowflake 0 and small negative numbers; for
redis-counter a count with bit 31 set, or of 0. A negative id comes after --.`,
		Example: `  twindrift id explain 638935272002000000
  twindrift id explain --generator redis-counter 502232859751219277
  twindrift id explain --generator snowflake -- -1024`,
		Args: exactly(1),
	}
	layout := bindLayout(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		reader, ids, err := layout.read(args)
		if err != nil {
			return err
		}
		_, err = io.WriteString(t.out, reader.Explain(ids[0]))
		return err
	}
	return c
}
