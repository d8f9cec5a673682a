package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"twindrift/sim/spelling"
)

// usageError marks an error in how the command was called.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usagef makes a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// statusError ends the program with a status of its own: a command that ran
// and found a threshold broken (3) or gaps (4).
type statusError struct {
	status int
	err    error
}

func (e statusError) Error() string { return e.err.Error() }
func (e statusError) Unwrap() error { return e.err }

// statusf makes a statusError.
func statusf(status int, format string, args ...any) error {
	return statusError{status, fmt.Errorf(format, args...)}
}

// guard goes over a command and all below it, once they stand, and gives each
// what the house asks of all: flags may come from the environment; whatever
// fails before the command runs is wrong usage; a command that only holds
// others shows its help, or says that it does not know the one asked for.
func guard(t *terminal, c *cobra.Command) {
	for _, sub := range c.Commands() {
		guard(t, sub)
	}
	if c.HasSubCommands() && !c.Runnable() || !c.HasParent() {
		c.DisableFlagsInUseLine = true
		c.Args = knownCommand
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	if c.Name() == "help" {
		c.Args = helpTopic
	}
	c.SuggestionsMinimumDistance = 2
	c.SetFlagErrorFunc(wrongFlag)
	args := c.Args
	c.Args = func(c *cobra.Command, a []string) error {
		if err := setFromEnvironment(c.Flags()); err != nil || args == nil {
			return err
		}
		return args(c, a)
	}
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, a []string) error {
			t.started = true
			return run(c, a)
		}
	}
}

// exactly is the check of the arguments of a command that takes so many.
func exactly(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return wrongNumber(c, args)
		}
		return nil
	}
}

// atLeast is the check of the arguments of a command that takes so many or more.
func atLeast(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return wrongNumber(c, args)
		}
		return nil
	}
}

func wrongNumber(c *cobra.Command, args []string) error {
	given := "nothing is given"
	if len(args) > 0 {
		given = "given: " + strings.Join(args, " ")
	}
	_, want, some := strings.Cut(c.Use, " ")
	if !some {
		want = "no arguments"
	}
	return usagef("%s takes %s; %s", c.Name(), want, given)
}

// inWords is what an error says, without the system call that failed on a file.
func inWords(err error) string {
	text := err.Error()
	if failed, ok := errors.AsType[*fs.PathError](err); ok && (failed.Op == "open" || failed.Op == "stat" || failed.Op == "read") {
		text = strings.Replace(text, failed.Op+" "+failed.Path+": ", failed.Path+": ", 1)
		text = strings.Replace(text, failed.Path+": "+failed.Path+": ", failed.Path+": ", 1)
		if failed.Err == syscall.EISDIR {
			text = strings.Replace(text, failed.Path+": "+failed.Err.Error(), failed.Path+": this is a folder; name a file in it", 1)
		}
	}
	return text
}

// wrongFlag words an error about a flag. A flag of a command that does not
// exist is not what is wrong: "twindrift rnu --seed 1".
func wrongFlag(c *cobra.Command, err error) error {
	if before := c.Flags().Args(); c.HasSubCommands() && len(before) > 0 {
		return knownCommand(c, before)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if name != "" && name[0] >= '0' && name[0] <= '9' {
			err = fmt.Errorf("%w; is it a number? Write -- before those below 0", err)
		} else if near := nearestFlag(c, cmp.Or(unknown.GetSpecifiedShortnames(), name)); near != "" {
			err = fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	return usageError{wrongValue(err)}
}

// nearestFlag is the flag whose name is nearest to what was written after one dash
// or two; "" where none is near, or only a letter was written.
func nearestFlag(c *cobra.Command, written string) string {
	if len(written) < 2 {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return spelling.Nearest(written, names)
}

// wrongValue words an error about the value of a flag.
func wrongValue(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	want := map[string]string{
		"int":        "a whole number, or too large",
		"int64":      "a whole number, or too large",
		"intSlice":   "a list of whole numbers, as 1,100",
		"int32Slice": "a list of whole numbers, as 0,3",
		"duration":   "a duration, as 90s or 1h30m",
		"bool":       "true or false",
	}[invalid.GetFlag().Value.Type()]
	if want == "" {
		return err
	}
	return fmt.Errorf("--%s: %q is not %s", invalid.GetFlag().Name, invalid.GetValue(), want)
}

// knownCommand is the check of the arguments of a command that only holds
// others: any that is left over was meant as the name of one.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	return usagef("unknown command %q for %q%s", args[0], c.CommandPath(), hint)
}

// helpTopic is the check of the arguments of "help".
func helpTopic(c *cobra.Command, args []string) error {
	topic, rest, err := c.Root().Find(args)
	if err == nil && topic.HasSubCommands() {
		err = knownCommand(topic, rest)
	}
	return err
}
