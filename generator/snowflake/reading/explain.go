package reading

import (
	"fmt"

	"twindrift/generator"
	"twindrift/generator/reading"
	"twindrift/generator/snowflake"
)

// Explain writes the formula of an id with its numbers filled in, and what its
// digits can and cannot tell, in lines of at most 80 columns.
func (Reader) Explain(id int64) string {
	var l reading.Lines
	f := snowflake.Layout{}.Decode(id)
	since := f.OwnerMs - snowflake.EpochMs
	fmt.Fprintf(&l, "id %d as a snowflake id\n\n", id)
	l.Term("", since*workers*seqs, fmt.Sprintf("%d (ms since the epoch) x 2^22", since))
	l.Term("+", f.Worker*seqs, fmt.Sprintf("%d (node) x 2^12", f.Worker))
	l.Term("+", f.Seq, fmt.Sprintf("%d (sequence)", f.Seq))
	l.Term("=", id, "")
	fmt.Fprintf(&l, "\nThe ms is %s, or %d + %d;\n  the epoch is %s.\n", utc(f.OwnerMs), snowflake.EpochMs, since, utc(snowflake.EpochMs))
	l.Notes(notes(id, f))
	return l.String()
}

func notes(id int64, f snowflake.Fields) (notes []string) {
	kind := suspect(id)
	if kind != generator.Drawn {
		notes = append(notes, kind.String()+": "+nothing(id))
	} else {
		notes = append(notes, "The time is that of a clock when the id was drawn, not of the event.", node(f), sequence(f))
	}
	if id < -widest {
		notes = append(notes, "Negative: a clock before "+utc(snowflake.EpochMs)+", or digits that were wiped: a negative number that is OR-ed in leaves ones above it.")
	}
	if other := reading.Mistaken(id); other != "" {
		notes = append(notes, other)
	}
	return append(notes, reading.ScoreOf(id).Note())
}

// nothing says of an id that says neither time nor worker where it comes from.
func nothing(id int64) string {
	if id == 0 {
		return "the locked-published form returns 0 in every new ms, whatever the node. " +
			"It is no id, and its digits say nothing of time, node or sequence."
	}
	s := fmt.Sprintf("number %d of the first range that the preallocated-published form takes in a second. "+
		"OR-ed into time and node, a negative number wipes both: every node gives it in every such second, and its digits say nothing of either.", id)
	if id < -published {
		return s + fmt.Sprintf(" Ranges of 512 and 1024, which are the published ones, begin with -512 and -1024; this is of a larger one, at least %d.", -id)
	}
	return s
}

// node says what the digits of the worker may hide.
func node(f snowflake.Fields) string {
	s := fmt.Sprintf("Node %d: numbers past %d run into it (sequence-spill, of the preallocated-published form), OR-ed", f.Worker, seqs-1)
	if f.Worker%2 == 1 {
		return s + fmt.Sprintf(". The node is odd, so that its last bit may be such a number's: node %d's or node %d's %d reads the same.", f.Worker-1, f.Worker, seqs+f.Seq)
	}
	return s + fmt.Sprintf(". The node is even, so none of %d to %d is in it.", seqs, 2*seqs-1)
}

// sequence says what the number tells.
func sequence(f snowflake.Fields) string {
	if f.Seq == 0 {
		return "Sequence 0: the first number of a ms. The locked-published form gives it only after the last of a ms, as the first call of a ms gets 0 in place of an id."
	}
	return fmt.Sprintf("Sequence %d of 0..%d: counted within the ms by most forms. Of ranges of the preallocated-published form it is a number within the second, and tells nothing of the ms.", f.Seq, seqs-1)
}
