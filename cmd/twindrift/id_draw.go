package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/csvdraw"
)

// drawOptions are the flags of id draw.
type drawOptions struct {
	generator, variant string
	utcOffset          *time.Duration
	slots, slotsOut    string // files
}

func newIDDraw(t *terminal) *cobra.Command {
	var o drawOptions
	c := &cobra.Command{
		Use:   "draw [FILE]",
		Short: "Draw ids for rows of node and timestamp",
		Long: `Draws ids for CSV rows node,timestamp_ms from a file or from stdin, one process
for all of them, and writes the rows with their ids: node,timestamp_ms,id. The
input may begin with a header. A row reset,, is a process restart. Rows come out
as they come in, so the command can stand in a pipe.

The published second-slot generator can begin with the slots of a running
process, as its monitor dumps them (CSV slot,word, or 86,400 little-endian
int64), and leave its own behind.`,
		Example: `  printf '1,1757901600000\n1,1757901600250\n' | twindrift id draw
  printf 'node,timestamp_ms\n1,1757901600000\nreset,,\n1,1757901600000\n' | twindrift id draw -
  printf '1,1757901600000\n' | twindrift id draw --slots-out slots.csv`,
		Args: cobra.MaximumNArgs(1),
	}
	c.Flags().StringVar(&o.generator, "generator", "second-slot", "generator to draw with, named as in scenarios")
	c.Flags().StringVar(&o.variant, "variant", "published", "variant of the generator")
	c.Flags().StringVar(&o.slots, "slots", "", "file with the slots to begin with (default none used)")
	c.Flags().StringVar(&o.slotsOut, "slots-out", "", "file for the slots at the end, as CSV slot,word")
	o.utcOffset = bindUTCOffset(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, err := o.open()
		if err != nil {
			return err
		}
		return o.withSlots(g, func() error { return drawFrom(c.Context(), t, g, args) })
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
	out, err := createFile(o.slotsOut)
	if err != nil {
		return fmt.Errorf("--slots-out %s: %w", o.slotsOut, err)
	}
	defer out.abort()
	if err := draw(); err != nil {
		return err
	}
	if err = slots.WriteDump(out); err == nil {
		err = out.finish()
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

// open makes the generator that the flags name.
func (o drawOptions) open() (csvdraw.Generator, error) {
	entry, err := catalog.Find(o.generator, o.variant)
	if err != nil {
		return nil, usageError{err}
	}
	options := catalog.Defaults()
	options.UTCOffsetMs = o.utcOffset.Milliseconds()
	options.WrapIDs = true // whatever the timestamp, what the published code gives
	if entry.Variant == "corrected" {
		return &perNode{entry: entry, options: options, made: map[int32]csvdraw.Generator{}}, nil
	}
	g, _, err := entry.New(options)
	if err != nil {
		return nil, usageError{err}
	}
	drawer, ok := g.(csvdraw.Generator)
	if !ok {
		return nil, usagef("--generator %s draws by the clock of the consumer, which the rows do not hold; try second-slot", o.generator)
	}
	return drawer, nil
}

// perNode draws for many nodes with a generator each, where one is of one node.
type perNode struct {
	entry   catalog.Entry
	options catalog.Options
	made    map[int32]csvdraw.Generator
}

func (p *perNode) DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error) {
	g := p.made[node]
	if g == nil {
		options := p.options
		options.Node = int(node)
		made, _, err := p.entry.New(options)
		if err != nil {
			return 0, generator.Outcome{}, err
		}
		g = made.(csvdraw.Generator)
		p.made[node] = g
	}
	return g.DrawNode(node, eventMs)
}

// Reset restarts all of them.
func (p *perNode) Reset() {
	for _, g := range p.made {
		g.Reset()
	}
}

// drawRows draws with a progress of bytes; size is 0 where it is not known.
func drawRows(ctx context.Context, t *terminal, g csvdraw.Generator, in io.Reader, size int64) error {
	t.kept = "the rows that have come out"
	update, finish := t.progress("drawing", "bytes")
	defer finish()
	return csvdraw.Run(ctx, g, in, t.out, func(bytes int64) { update(bytes, size) })
}
