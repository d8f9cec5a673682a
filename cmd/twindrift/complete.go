package main

import (
	"slices"

	"github.com/spf13/cobra"

	"twindrift/datasets"
	"twindrift/generator/catalog"
)

// complete has a shell complete the values of flags, in a command and all below it,
// where they are of a fixed list.
func complete(c *cobra.Command) {
	for _, sub := range c.Commands() {
		complete(sub)
	}
	var generators []string
	for _, e := range catalog.Entries() {
		generators = append(generators, e.Name)
	}
	for flag, values := range map[string][]string{
		"sample":          datasets.Names(),
		"generator":       slices.Compact(generators),
		"compression":     {"snappy", "zstd"},
		"timestamp-unit":  {"s", "ms", "us", "ns"},
		"null-timestamps": {"fail", "skip", "none"},
		"sasl-mechanism":  {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"},
	} {
		if c.Flags().Lookup(flag) != nil {
			c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	if c.Flags().Lookup("scenario") != nil {
		c.MarkFlagFilename("scenario", "yaml", "yml")
	}
}
