package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"twindrift/generator/catalog"
	"twindrift/generator/reading"
)

func newIDGenerators(t *terminal) *cobra.Command {
	var specs []string
	c := &cobra.Command{
		Use:   "generators",
		Short: "List the generators of ids, with their variants",
		Long: `Lists the generators of ids and their variants by the names that scenarios and
--generator take. The first variant of each is its default. Options are groups
that a scenario has for it under generator, beside those of all generators.`,
		Example: `  twindrift id generators
  twindrift id generators -o json`,
		Args: exactly(0),
	}
	bindOutputs(c, &specs, textOrJSON)
	c.RunE = func(*cobra.Command, []string) error {
		outs, err := parseOutputs(specs, textOrJSON)
		if err != nil {
			return err
		}
		return t.writeTo(outs, writeGenerators)
	}
	return c
}

// listedGenerator is a variant of a generator in JSON.
type listedGenerator struct {
	Name    string   `json:"name"`
	Variant string   `json:"variant"`
	Default bool     `json:"default"` // of the variants of the name
	Summary string   `json:"summary"`
	Options []string `json:"options"` // groups that a scenario has for it under generator
}

func listedGenerators() (all []listedGenerator) {
	for i, e := range catalog.Entries() {
		all = append(all, listedGenerator{
			Name: e.Name, Variant: e.Variant, Default: i == 0 || all[i-1].Name != e.Name,
			Summary: e.Summary, Options: append([]string{}, e.Takes...),
		})
	}
	return all
}

func writeGenerators(w io.Writer, format string) error {
	all := listedGenerators()
	if format == "json" {
		return writeJSON(w, all)
	}
	var b strings.Builder
	for i, g := range all {
		mark := " "
		if g.Default {
			mark = "*"
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(g.Name + "\n")
		}
		b.WriteString(reading.Wrap(fmt.Sprintf("%s %-24s", mark, g.Variant), g.Summary))
		if len(g.Options) > 0 {
			b.WriteString(reading.Wrap(strings.Repeat(" ", 26), "options: "+strings.Join(g.Options, ", ")))
		}
	}
	b.WriteString("\n* default variant. Options are groups of a scenario, under generator (see\n" +
		"'twindrift scenario schema').\n")
	_, err := io.WriteString(w, b.String())
	return err
}
