package main

import (
	"os"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

// profile is the flag that records where the time goes.
type profile struct{ cpu string }

func (p *profile) bind(c *cobra.Command) {
	c.Flags().StringVar(&p.cpu, "cpuprofile", "", "record where the time goes into `FILE`, for go tool pprof")
}

// start begins recording, if asked for; stop ends it.
func (p *profile) start() (stop func() error, err error) {
	if p.cpu == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(p.cpu)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}
