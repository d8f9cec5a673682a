package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"github.com/spf13/cobra"
)

// profile is the flags that record where the time and the memory go.
type profile struct{ cpu, memory, trace string }

func (p *profile) bind(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.cpu, "cpuprofile", "", "record where the time goes into `FILE`, for go tool pprof")
	f.StringVar(&p.memory, "memprofile", "", "record what was allocated and what is held in the end into `FILE`, for go tool pprof")
	f.StringVar(&p.trace, "trace", "", "record when what ran, and what it waited for, into `FILE`, for go tool trace; some megabytes a second")
}

// start begins recording what was asked for; stop ends it.
func (p *profile) start(t *terminal) (stop func() error, err error) {
	var ends []func() error
	stop = func() error {
		var all []error
		for _, end := range ends {
			all = append(all, end())
		}
		ends = nil
		return errors.Join(all...)
	}
	for _, r := range []struct {
		flag  string
		path  string
		begin func(io.Writer) error
		end   func(io.Writer) error
	}{
		{"--cpuprofile", p.cpu, pprof.StartCPUProfile, func(io.Writer) error { pprof.StopCPUProfile(); return nil }},
		{"--trace", p.trace, trace.Start, func(io.Writer) error { trace.Stop(); return nil }},
		{"--memprofile", p.memory, func(io.Writer) error { return nil }, writeMemory},
	} {
		if r.path == "" {
			continue
		}
		if err := t.notAnInput(r.flag, r.path); err != nil {
			return nil, errors.Join(err, stop())
		}
		f, err := os.Create(r.path)
		if err == nil {
			err = r.begin(f)
			ends = append(ends, func() error { return errors.Join(r.end(f), f.Close()) })
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s %s: %w", r.flag, r.path, err), stop())
		}
	}
	return stop, nil
}

// writeMemory writes what was allocated, with what is in use as of now.
func writeMemory(w io.Writer) error {
	runtime.GC()
	return pprof.Lookup("allocs").WriteTo(w, 0)
}
