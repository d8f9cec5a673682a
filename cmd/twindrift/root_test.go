package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// runWith runs one command line of a twindrift that has one more command,
// "work", whose only argument is required and which does what the test says.
func runWith(t *testing.T, work func(*terminal, *cobra.Command) error, args ...string) (status int, out, errw string) {
	t.Helper()
	old := commands
	defer func() { commands = old }()
	commands = append(commands[:len(commands):len(commands)], func(tt *terminal) *cobra.Command {
		c := &cobra.Command{
			Use:  "work NAME",
			Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, _ []string) error { return work(tt, c) },
		}
		c.Flags().Int("times", 1, "how often")
		c.Flags().String("needed", "", "a flag that must be there")
		c.MarkFlagRequired("needed")
		c.Flags().StringSlice("list", []string{"default"}, "several")
		return c
	})
	var o, e bytes.Buffer
	status = Main(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

func TestExitStatus(t *testing.T) {
	fails := func(err error) func(*terminal, *cobra.Command) error {
		return func(*terminal, *cobra.Command) error { return err }
	}
	const see = "see 'twindrift work --help'\n"
	for _, c := range []struct {
		name   string
		err    error
		args   string
		status int
		want   string
	}{
		{"fine", nil, "work a --needed x", exitOK, ""},
		{"failed", fmt.Errorf("a.parquet: broken"), "work a --needed x", exitFailed, "twindrift: a.parquet: broken\n"},
		{"usage found by the command", fmt.Errorf("wrapped: %w", usagef("--times is 0")), "work a --needed x", exitUsage, "twindrift: wrapped: --times is 0\n" + see},
		{"threshold", statusf(exitThreshold, "2 of 3 thresholds do not hold"), "work a --needed x", exitThreshold, "twindrift: 2 of 3 thresholds do not hold\n"},
		{"gaps", statusf(exitGaps, "the capture has gaps"), "work a --needed x", exitGaps, "twindrift: the capture has gaps\n"},
		{"argument missing", nil, "work --needed x", exitUsage, "twindrift: accepts 1 arg(s), received 0\n" + see},
		{"required flag missing", nil, "work a", exitUsage, "twindrift: required flag(s) \"needed\" not set\n" + see},
		{"flag without its value", nil, "work a --times", exitUsage, "twindrift: flag needs an argument: --times\n" + see},
		{"unknown command with a flag", nil, "wrok a --needed x", exitUsage, "twindrift: unknown command \"wrok\" for \"twindrift\"; did you mean work?\nsee 'twindrift --help'\n"},
		{"cancelled, but not by a signal", context.Canceled, "work a --needed x", exitFailed, "twindrift: context canceled\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errw := runWith(t, fails(c.err), strings.Fields(c.args)...)
			if status != c.status || errw != c.want || out != "" {
				t.Errorf("status %d, want %d; stderr %q, want %q; stdout %q, want none", status, c.status, errw, c.want, out)
			}
		})
	}
}

func TestInterrupt(t *testing.T) {
	for kept, want := range map[string]string{
		"":                       "twindrift: interrupted; what is kept: nothing\n",
		"a.parquet, 10 messages": "twindrift: interrupted; what is kept: a.parquet, 10 messages\n",
	} {
		status, _, errw := runWith(t, func(tt *terminal, c *cobra.Command) error {
			tt.kept = kept
			if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
				return err
			}
			<-c.Context().Done()
			return fmt.Errorf("reading: %w", c.Context().Err())
		}, "work", "a", "--needed", "x")
		if status != exitFailed || errw != want {
			t.Errorf("status %d, want %d; stderr %q, want %q", status, exitFailed, errw, want)
		}
	}
}

func TestEnvironmentSetsFlags(t *testing.T) {
	t.Setenv("TWINDRIFT_NEEDED", "from the environment")
	t.Setenv("TWINDRIFT_TIMES", "7")
	t.Setenv("TWINDRIFT_LIST", "a,b")
	t.Setenv("TWINDRIFT_QUIET", "1")
	t.Setenv("TWINDRIFT_HELP", "1")
	show := func(tt *terminal, c *cobra.Command) error {
		needed, _ := c.Flags().GetString("needed")
		times, _ := c.Flags().GetInt("times")
		list, _ := c.Flags().GetStringSlice("list")
		fmt.Fprint(tt.out, needed, "|", times, "|", list, "|", tt.quiet, "|", c.Flags().Changed("times"))
		return nil
	}
	for args, want := range map[string]string{
		"work a":                     "from the environment|7|[a b]|true|true",
		"work a --times 2 --list c":  "from the environment|2|[c]|true|true",
		"work a -q=false --needed x": "x|7|[a b]|false|true",
	} {
		if status, out, errw := runWith(t, show, strings.Fields(args)...); status != exitOK || out != want {
			t.Errorf("%s: status %d, %q, want %q; stderr %q", args, status, out, want, errw)
		}
	}

	t.Setenv("TWINDRIFT_TIMES", "many")
	status, _, errw := runWith(t, show, "work", "a")
	if want := "environment variable TWINDRIFT_TIMES: --times: \"many\" is not a whole number"; status != exitUsage || !strings.Contains(errw, want) {
		t.Errorf("status %d, want %d; stderr %q, want %q in it", status, exitUsage, errw, want)
	}
	t.Setenv("TWINDRIFT_TIMES", "") // counts as not set
	if _, out, _ := runWith(t, show, "work", "a"); !strings.HasSuffix(out, "|1|[a b]|true|false") {
		t.Errorf("an empty variable set the flag: %q", out)
	}
}

// TestHelpFitsATerminal holds every --help to 80 columns. Examples are as long as
// their commands are.
func TestHelpFitsATerminal(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Name() == "completion" || c.Name() == "help" {
			return // cobra's own
		}
		help := c.Long + "\n" + c.UsageString()
		for line := range strings.Lines(strings.Replace(help, c.Example, "", 1)) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s --help: %q has more than 80 columns", c.CommandPath(), line)
			}
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&terminal{}))
}
