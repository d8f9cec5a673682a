package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"twindrift/generator/reading"
)

func newIDEncode(t *terminal) *cobra.Command {
	var node, seq int64
	var at string
	c := &cobra.Command{
		Use:   "encode [--node N] --time T [--seq K]",
		Short: "Make the id of a time, a node and a sequence number",
		Long: `Makes the id of a time, a node and a sequence number. The time is 13 digits of
milliseconds since 1970, or RFC 3339 with its zone; of second-slot and
redis-counter ids, what is below the second is dropped. Second-slot and
snowflake need the node; the ids of the others say none. Of redis-counter the
sequence number is the count of the day. A time that ids cannot say is an error:
those of second-slot begin in 1970, local time.

A node or a number with more digits than it has room for runs into the digits
above, as in the generator; a note says so.`,
		Example: `  twindrift id encode --node 1 --time 2025-09-15T10:00:00+08:00
  twindrift id encode --node 1 --time 1757901600000 --seq 4999
  twindrift id encode --generator snowflake --node 378 --time 1656432460105
  twindrift id encode --generator redis-counter --time 1757901600000 --seq 77`,
		Args: exactly(0),
	}
	c.Flags().Int64Var(&node, "node", 0, "node number: of second-slot 0 to 9, of snowflake 0 to 1023")
	c.Flags().Int64Var(&seq, "seq", 0, "sequence number, or the count of redis-counter: of second-slot 0 to 4999, of snowflake 0 to 4095, of redis-streams 0 to 1048575")
	c.Flags().StringVar(&at, "time", "", "time that the id is to say")
	layout := bindLayout(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if at == "" {
			return usagef("--time is missing: say the time that the id is to have, as 2025-09-15T10:00:00+08:00 or in ms since 1970")
		}
		ms, err := reading.ParseTime(at)
		if err != nil {
			return usagef("--time: %w", err)
		}
		reader, err := layout.reader()
		if err != nil {
			return err
		}
		switch says, given := saysNode(reader), c.Flags().Changed("node"); {
		case says && !given:
			return usagef("--node is missing: ids of %s say one", layout.generator)
		case !says && given:
			return usagef("--node %d: ids of %s say no node; leave it out", node, layout.generator)
		}
		id, note, err := reader.Encode(ms, node, seq)
		if err != nil {
			return usageError{err}
		}
		if note != "" && !t.quiet {
			fmt.Fprintf(t.err, "twindrift: note: %s\n", note)
		}
		_, err = fmt.Fprintln(t.out, id)
		return err
	}
	return c
}
