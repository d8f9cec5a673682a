package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// environmentName is the variable that sets a flag: --timestamp-unit is set by
// TWINDRIFT_TIMESTAMP_UNIT.
func environmentName(flag string) string {
	return "TWINDRIFT_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setFromEnvironment sets every flag that the command line leaves alone and
// the environment has a value for. An empty variable counts as not set. The
// flag then looks as if it stood on the command line.
func setFromEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := environmentName(f.Name)
		value := os.Getenv(name)
		if f.Changed || value == "" || f.Name == "help" || f.Name == "version" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			errs = append(errs, usagef("environment variable %s: %w", name, wrongValue(err)))
		}
	})
	return errors.Join(errs...)
}
