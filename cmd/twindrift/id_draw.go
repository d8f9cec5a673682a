package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"twindrift/generator/csvdraw"
	"twindrift/replay/newfile"
)

// drawOptions are the flags of id draw.
type drawOptions struct {
	generator, variant string
	utcOffset          time.Duration
	slots, slotsOut    string // files

	command, framing, layout string // of external
}

func newIDDraw(t *terminal) *cobra.Command {
	var o drawOptions
	c := &cobra.Command{
		Use:   "draw [FILE]",
		Short: "Draw ids for rows of node and timestamp",
		Long: `Draws ids for CSV rows node,timestamp_ms from a file or from stdin, and writes
the rows with their ids: node,timestamp_ms,id. The input may begin with a
header. A row reset,, is a restart. Rows come out as they come in, so the
command can stand in a pipe.

One second-slot process draws for all nodes, and a row without an id is an
error. Of other generators each node has a process, all around one Redis with
round trips of 0.5 ms, and a restart is of all processes; the timestamp is the
event time and the clock, and the partition is 0. Their rows end with one column
more: drawn, or what is wrong with the id, or why there is none.

The published second-slot generator can begin with the slots of a running
process, as its monitor dumps them (CSV slot,word, or 86,400 little-endian
int64), and leave its own behind.`,
		Example: `  printf '1,1757901600000\n1,1757901600250\n' | twindrift id draw
  printf 'node,timestamp_ms\n1,1757901600000\nreset,,\n1,1757901600000\n' | twindrift id draw -
  printf '1,1757901600000\n' | twindrift id draw --slots-out slots.csv
  printf '1,1757901600000\n' | twindrift id draw --generator snowflake
  printf '1,1757901600000\n' | twindrift id draw --generator redis-streams`,
		Args: cobra.MaximumNArgs(1),
	}
	c.Flags().StringVar(&o.generator, "generator", "second-slot", "generator to draw with, named as in scenarios")
	c.Flags().StringVar(&o.variant, "variant", "", "variant of the generator (default the first that 'twindrift id generators' lists)")
	c.Flags().StringVar(&o.slots, "slots", "", "file with the slots to begin with (default none)")
	c.Flags().StringVar(&o.slotsOut, "slots-out", "", "file for the slots at the end, as CSV slot,word")
	c.Flags().StringVar(&o.command, "command", "", "program of external and its arguments, with blanks between them")
	c.Flags().StringVar(&o.framing, "framing", "binary", "how external's rows and ids travel: binary, or a JSON object a line (ndjson)")
	c.Flags().StringVar(&o.layout, "layout", "second-slot", "what the digits of external's ids mean, by a generator's name")
	bindUTCOffset(c, &o.utcOffset)
	c.RunE = func(c *cobra.Command, args []string) error {
		t.reads = append(t.reads, args...) // not --slots, which may be brought up to date
		if err := t.notAnInput("--slots-out", o.slotsOut); err != nil {
			return err
		}
		g, err := o.open()
		if err != nil {
			return err
		}
		err = o.withSlots(g, func() error { return drawFrom(c.Context(), t, g, args) })
		if p, ok := g.(io.Closer); ok {
			err = errors.Join(err, p.Close())
		}
		return err
	}
	return c
}

// dumped is a generator whose slots can be read and written.
type dumped interface {
	ReadDump(io.Reader) error
	WriteDump(io.Writer) error
}

// withSlots draws between reading and writing the slots, where they are asked for.
func (o drawOptions) withSlots(g csvdraw.Generator, draw func() error) error {
	if o.slots == "" && o.slotsOut == "" {
		return draw()
	}
	slots, ok := g.(dumped)
	if !ok {
		return usagef("--generator %s --variant %s has no slots that are dumped; --slots and --slots-out go with second-slot, published", o.generator, o.variant)
	}
	if o.slots != "" {
		f, err := os.Open(o.slots)
		if err != nil {
			return fmt.Errorf("--slots %w", err)
		}
		err = slots.ReadDump(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("--slots %s: %w", o.slots, err)
		}
	}
	if o.slotsOut == "" {
		return draw()
	}
	out, err := newfile.Create(o.slotsOut)
	if err != nil {
		return fmt.Errorf("--slots-out %s: %w", o.slotsOut, err)
	}
	defer out.Abort()
	if err := draw(); err != nil {
		return err
	}
	if err = slots.WriteDump(out); err == nil {
		err = out.Finish()
	}
	if err != nil {
		return fmt.Errorf("--slots-out %s: %w", o.slotsOut, err)
	}
	return nil
}

// drawFrom draws for the rows of the file that is named, or of stdin.
func drawFrom(ctx context.Context, t *terminal, g csvdraw.Generator, args []string) error {
	if len(args) == 0 || args[0] == "-" {
		return drawRows(ctx, t, g, t.in, 0)
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := drawRows(ctx, t, g, f, info.Size()); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// drawRows draws with a progress of bytes; size is 0 where it is not known.
func drawRows(ctx context.Context, t *terminal, g csvdraw.Generator, in io.Reader, size int64) error {
	t.kept = "the rows that have come out"
	update, finish := t.progress("drawing", "bytes")
	defer finish()
	return csvdraw.Run(ctx, g, in, t.out, func(bytes int64) { update(bytes, size) })
}
