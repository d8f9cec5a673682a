package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"runtime/debug"
	"strings"
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

// terminal is what every command gets: the three streams and the global flags.
type terminal struct {
	in         io.Reader
	out, err   io.Writer
	onTerminal bool // err is a terminal that bars can be drawn on
	quiet      bool

	// kept is what Ctrl-C leaves behind, for the user to read ("out.parquet up
	// to message 1000000"). A command that keeps something says it here as soon
	// as it is so; empty means that nothing stays.
	kept string

	// reads are the files that the command reads. It refuses to write over them.
	reads []string

	started bool // the command line was right and the command runs

	fresh func(*terminal) *cobra.Command // newRoot, for commands that run others
}

// commands lists the constructors, one line a command.
var commands = []func(*terminal) *cobra.Command{
	newRun,
	newBench,
	newCapture,
	newDemo,
	newDiff, newCompareGenerators,
	newExplain,
	newID,
	newImport,
	newInspect,
	newOrder,
	newReport,
	newScenario,
	newSynth,
}

// Main runs one command line and gives the exit status. SIGINT and SIGTERM
// cancel the context of the command; a second one ends the process at once.
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	t := &terminal{in: newInterruptible(ctx, in), out: out, err: errw, onTerminal: isTerminal(errw)}
	root := newRoot(t)
	root.SetArgs(args)
	return execute(ctx, t, root)
}

// execute runs the command that root's arguments name, tells the user what
// went wrong, and gives the exit status. It never prints the usage by itself.
func execute(ctx context.Context, t *terminal, root *cobra.Command) int {
	c, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		kept := t.kept
		if kept == "" {
			kept = "nothing"
		}
		fmt.Fprintf(t.err, "twindrift: interrupted; what is kept: %s\n", kept)
		return exitFailed
	}
	fmt.Fprintln(t.err, "twindrift:", inWords(err))
	if status, ok := errors.AsType[statusError](err); ok {
		return status.status
	}
	if _, wrong := errors.AsType[usageError](err); wrong || !t.started {
		fmt.Fprintf(t.err, "see '%s --help'\n", c.CommandPath())
		return exitUsage
	}
	return exitFailed
}

func newRoot(t *terminal) *cobra.Command {
	t.fresh = newRoot
	root := &cobra.Command{
		Use:   "twindrift",
		Short: "Replay recorded Kafka traffic through simulated data centers",
		Long: `Replays recorded Kafka traffic through simulated data centers, and reports how
their message ids drift apart, overflow, are late and collide.

Begin with 'twindrift run', which replays a sample; 'twindrift inspect' and
'twindrift run' with a capture of your own; or 'twindrift demo kafka'.

The exit status is 0 when all is fine, 1 when a command failed, 2 for wrong
usage, 3 where a threshold did not hold, and 4 where --strict was asked for and
the input had gaps.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("twindrift {{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.SetIn(t.in)
	root.SetOut(t.out)
	root.SetErr(t.err)
	root.PersistentFlags().BoolVarP(&t.quiet, "quiet", "q", false, "no progress and no notes on stderr")
	for _, c := range commands {
		root.AddCommand(c(t))
	}
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	complete(root)
	guard(t, root)
	return root
}

// version is what the build says of itself: a tag or a commit, or "(devel)"
// where it does not know.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}
