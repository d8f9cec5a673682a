package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"twindrift/generator"
	"twindrift/generator/catalog"
	"twindrift/generator/reading"
	"twindrift/generator/rediscounter"
	counterreading "twindrift/generator/rediscounter/reading"
	"twindrift/generator/redisstreams"
	streamsreading "twindrift/generator/redisstreams/reading"
	"twindrift/generator/secondslot"
	slotreading "twindrift/generator/secondslot/reading"
	"twindrift/generator/snowflake"
	snowreading "twindrift/generator/snowflake/reading"
)

// layoutFlags say whose ids a command is about.
type layoutFlags struct {
	generator string
	utcOffset time.Duration
}

func bindLayout(c *cobra.Command) *layoutFlags {
	f := &layoutFlags{}
	c.Flags().StringVar(&f.generator, "generator", "second-slot", "generator whose ids they are, named as in scenarios")
	bindUTCOffset(c, &f.utcOffset)
	return f
}

// bindUTCOffset gives a command the flag for the local time of ids.
func bindUTCOffset(c *cobra.Command, offset *time.Duration) {
	c.Flags().DurationVar(offset, "utc-offset", time.Duration(secondslot.DefaultUTCOffsetMs)*time.Millisecond,
		"local time less UTC, of ids that say local time; whole seconds within 18h")
}

// reader is the reader of the layout that the flags name.
func (f *layoutFlags) reader() (reading.Reader, error) {
	entry, err := catalog.Find(f.generator, "")
	switch {
	case err != nil:
		return nil, usagef("--generator: %w", err)
	case slices.Contains(entry.Takes, "external"):
		return nil, usagef("--generator %s: a program of your own gives ids of any layout; name a generator that gives such, as snowflake", f.generator)
	}
	options := catalog.Defaults()
	options.UTCOffsetMs = f.utcOffset.Milliseconds()
	_, layout, err := entry.New(options)
	if err != nil {
		return nil, usagef("--utc-offset %v: %w", f.utcOffset, err)
	}
	return readerOf(layout), nil
}

// readerOf is the reader of a layout.
func readerOf(layout generator.Layout) reading.Reader {
	switch l := layout.(type) {
	case rediscounter.Layout:
		return counterreading.Reader{Layout: l}
	case snowflake.Layout:
		return snowreading.Reader{}
	case redisstreams.Layout:
		return streamsreading.Reader{}
	}
	l, _ := layout.(secondslot.Layout)
	return slotreading.Reader{Layout: l}
}

// read reads ids from arguments; one that is none is wrong usage.
func (f *layoutFlags) read(args []string) (reading.Reader, []int64, error) {
	reader, err := f.reader()
	if err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(args))
	for i, arg := range args {
		if ids[i], err = reader.Parse(arg); err != nil {
			return nil, nil, usageError{err}
		}
	}
	return reader, ids, nil
}

// saysNode says whether ids of a reader's layout say a node.
func saysNode(r reading.Reader) bool {
	switch r.(type) {
	case slotreading.Reader, snowreading.Reader:
		return true
	}
	return false
}
