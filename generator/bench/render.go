package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// JSON writes everything that was measured.
func (r *Result) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// GoBench writes one line a round in the format of Go's benchmarks, which benchstat reads.
func (r *Result) GoBench(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, p := range r.Points {
		for _, ns := range p.NsPerID {
			fmt.Fprintf(b, "BenchmarkDraw/generator=%s/variant=%s/seconds=%s/threads=%d-%d\t%d\t%.2f ns/op\n",
				p.Generator, p.Variant, p.Contention, p.Threads, r.Processors, p.IDs, ns)
		}
	}
	return b.Flush()
}

// Text writes a table a generator, within 80 columns.
func (r *Result) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s, %s after %d of warm-up, a new process in each.\n", counted(r.Processors, "processor"), counted(r.Rounds, "round"), r.WarmUp)
	fmt.Fprintf(b, "ns an id by the wall clock, median and range of the rounds; faults of the ids of\nall rounds.\n")
	for i, p := range r.Points {
		if i == 0 || p.Generator != r.Points[i-1].Generator || p.Variant != r.Points[i-1].Variant {
			fmt.Fprintf(b, "\n%s, %s\n", p.Generator, p.Variant)
			fmt.Fprintf(b, "  %-7s %7s %8s %15s %7s %7s %6s %5s %7s\n",
				"seconds", "threads", "ns an id", "range", "M ids/s", "twice", "node", "step", "score")
		}
		fmt.Fprintf(b, "  %-7s %7d %8.1f %15s %7.1f %7s %6s %5s %7s\n", p.Contention, p.Threads, p.Median,
			fmt.Sprintf("%.1f-%.1f", slices.Min(p.NsPerID), slices.Max(p.NsPerID)), 1000/p.Median,
			brief(p.Duplicates), brief(p.WrongNode), brief(p.OffStep), brief(p.SharedScore))
		if p.Refused > 0 || p.Wasted > 0 {
			fmt.Fprintf(b, "  %-7s of %d draws %d refused; %d numbers taken and not used\n", "", p.Checked+p.Refused, p.Refused, p.Wasted)
		}
	}
	fmt.Fprint(b, `
seconds  own: every thread draws for its own; shared: all for the same ones, in
         turn, 512 s apart; one: all for a single one, which overflows
twice    ids that were given before    node   ids that say another node
step     ids off the step              score  ids with the float64 of another id
`)
	return b.Flush()
}

// brief is a count in at most 7 columns: 12, 123456, 12.3M.
func brief(n int64) string {
	if n < 1_000_000 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "M"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
