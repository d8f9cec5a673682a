package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"twindrift/sim"
	"twindrift/sim/scenario"
)

func newScenario(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "scenario",
		Short: "Start, check and document scenario files",
		Long: `A scenario file says what is simulated: the generator, the sites with their
delays, consumers and node numbers, the filter and the deadline. It is YAML,
read strictly; twindrift run -f FILE takes it.`,
		Example: `  twindrift scenario init > scenario.yaml
  twindrift scenario check scenario.yaml
  twindrift scenario schema > scenario.schema.json`,
	}
	c.AddCommand(
		&cobra.Command{
			Use:     "init",
			Short:   "Print a scenario to start from, with comments; it says the default",
			Example: "  twindrift scenario init > scenario.yaml",
			Args:    exactly(0),
			RunE:    func(*cobra.Command, []string) error { return t.print(scenario.Init()) },
		},
		&cobra.Command{
			Use:   "check FILE...",
			Short: "Say what is wrong with scenario files, where, and the way out",
			Long: `Reads scenario files as a run would, and says of each that it is ok, or all that
is wrong with it. What is allowed and unusual (equal node numbers, nodes outside
0 to 9) is noted. The exit status is 1 if any file is wrong; - is stdin.`,
			Example: "  twindrift scenario init | twindrift scenario check -",
			Args:    atLeast(1),
			RunE:    func(c *cobra.Command, args []string) error { return t.checkScenarios(c.Context(), args) },
		},
		&cobra.Command{
			Use:     "schema",
			Short:   "Print the JSON schema, with the meaning of every field",
			Example: "  twindrift scenario schema > scenario.schema.json",
			Args:    exactly(0),
			RunE:    func(*cobra.Command, []string) error { return t.print(scenario.Schema()) },
		},
	)
	return c
}

func (t *terminal) print(text []byte) error {
	_, err := t.out.Write(text)
	return err
}

// checkScenarios goes over all files, also after one that is wrong.
func (t *terminal) checkScenarios(ctx context.Context, files []string) error {
	wrong := 0
	for _, file := range files {
		s, err := t.readScenario(file)
		if err == nil {
			err = t.readDelays(&s, file)
		}
		if err == nil {
			if err = sim.CheckThresholds(ctx, s); err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
		}
		if err != nil {
			wrong++
			fmt.Fprintln(t.err, inWords(err))
			continue
		}
		if _, err := fmt.Fprintf(t.out, "%s: ok\n", file); err != nil {
			return err
		}
		if t.quiet {
			continue
		}
		for _, note := range s.Notes(nil) {
			fmt.Fprintf(t.err, "%s: note: %s\n", file, note)
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d scenario files wrong", wrong, len(files))
	}
	return nil
}

// readScenario reads a file, or stdin where it is named "-".
func (t *terminal) readScenario(file string) (scenario.Scenario, error) {
	if file != "-" {
		return scenario.Read(file)
	}
	data, err := io.ReadAll(io.LimitReader(t.in, scenario.MaxBytes+1))
	if err != nil {
		return scenario.Scenario{}, fmt.Errorf("stdin: %w", err)
	}
	return scenario.Parse("stdin", data)
}
