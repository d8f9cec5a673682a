package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit statuses (see the README).
const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2
	exitThreshold = 3
	exitGaps      = 4
)

// usageError marks an error in how the command was called.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usagef makes a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// terminal is what every command gets: the three streams and the global flags.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	quiet    bool
}

// commands lists the constructors, one line a command.
var commands = []func(*terminal) *cobra.Command{}

// Main runs one command line and gives the exit status.
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	t := &terminal{in: in, out: out, err: errw}
	root := newRoot(t)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(errw, "twindrift:", err)
	var u usageError
	if errors.As(err, &u) {
		return exitUsage
	}
	return exitFailed
}

func newRoot(t *terminal) *cobra.Command {
	root := &cobra.Command{
		Use:           "twindrift",
		Short:         "Replay recorded Kafka traffic through simulated data centers and report how their ids drift",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(t.in)
	root.SetOut(t.out)
	root.SetErr(t.err)
	root.PersistentFlags().BoolVarP(&t.quiet, "quiet", "q", false, "no progress and no notes on stderr")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	for _, c := range commands {
		root.AddCommand(c(t))
	}
	return root
}
