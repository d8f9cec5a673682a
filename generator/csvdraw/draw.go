package csvdraw

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"twindrift/generator"
)

// Generator is what a list of nodes and timestamps can be drawn with: one
// process state, the node given with each draw.
type Generator interface {
	DrawNode(node int32, eventMs int64) (int64, generator.Outcome, error)
	Reset()
}

// maxLine is how long a line may be, in bytes.
const maxLine = 1 << 16

// Header is the first line that comes out.
const Header = "node,timestamp_ms,id"

var inputHeader = []byte("node,timestamp_ms")

// Run reads rows from in until it ends and writes them to out with their ids.
// Where g is Processes, rows say how their ids came about, and one that is refused
// comes out without an id; of others a refusal is an error. Rows come out as soon as no more input is waiting. An error names the line,
// and the rows before it have come out. progress, which may be nil, is called
// now and then with the number of bytes read.
func Run(ctx context.Context, g Generator, in io.Reader, out io.Writer, progress func(bytes int64)) error {
	d := drawing{
		g:   g,
		in:  bufio.NewReaderSize(in, maxLine),
		out: bufio.NewWriterSize(out, 1<<16),
	}
	d.told, _ = g.(*Processes)
	if d.told != nil {
		d.out.WriteString(HeaderTold + "\n")
	} else {
		d.out.WriteString(Header + "\n")
	}
	err := d.rows(ctx, progress)
	if flushErr := d.out.Flush(); err == nil {
		err = flushErr
	}
	return err
}

type drawing struct {
	g     Generator
	told  *Processes // g, where rows say how their ids came about
	in    *bufio.Reader
	out   *bufio.Writer
	line  int   // number of the line in hand, from 1
	bytes int64 // read so far
	digit []byte
}

func (d *drawing) rows(ctx context.Context, progress func(bytes int64)) error {
	for {
		line, err := d.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := d.row(line); err != nil {
			return fmt.Errorf("line %d: %w", d.line, err)
		}
		if d.in.Buffered() > 0 {
			continue
		}
		// The reader has to fetch more: time for whatever need not be often.
		if err := d.out.Flush(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if progress != nil {
			progress(d.bytes)
		}
	}
}

// next is the next line without its end, io.EOF after the last.
func (d *drawing) next() ([]byte, error) {
	line, err := d.in.ReadSlice('\n')
	d.line++
	d.bytes += int64(len(line))
	switch {
	case err == io.EOF && len(line) > 0:
		// a last line without an end
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("line %d is longer than %d bytes; rows are node,timestamp_ms", d.line, maxLine)
	case err != nil:
		return nil, err
	}
	if d.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return bytes.TrimSpace(line), nil
}

// row draws for one line and writes it. Empty lines are left out.
func (d *drawing) row(line []byte) error {
	if len(line) == 0 || d.line == 1 && bytes.EqualFold(unquoted(line), inputHeader) {
		return nil
	}
	first, rest, _ := bytes.Cut(line, []byte(","))
	if string(cell(first)) == "reset" {
		if len(bytes.Trim(rest, `", `)) > 0 {
			return fmt.Errorf("a restart is the row reset,, and has no node and no timestamp; this is %q", clip(line))
		}
		d.g.Reset()
		reset := "reset,,\n"
		if d.told != nil {
			reset = "reset,,,\n"
		}
		_, err := d.out.WriteString(reset)
		return err
	}
	second, more, three := bytes.Cut(rest, []byte(","))
	if three || rest == nil {
		return wrongCells(line, more)
	}
	nodeCell, timeCell := cell(first), cell(second)
	node, err := strconv.ParseInt(string(nodeCell), 10, 32)
	if err != nil {
		return wrongNode(nodeCell, d.line)
	}
	eventMs, err := strconv.ParseInt(string(timeCell), 10, 64)
	if err != nil {
		return fmt.Errorf("timestamp %q is not a whole number of milliseconds since 1970, such as 1789430400000", clip(timeCell))
	}
	id, how, err := d.g.DrawNode(int32(node), eventMs)
	if err != nil {
		if d.told != nil {
			return err
		}
		return fmt.Errorf("%w; correct the row or leave it out", err)
	}
	d.out.Write(nodeCell)
	d.out.WriteByte(',')
	d.out.Write(timeCell)
	d.out.WriteByte(',')
	d.digit = d.digit[:0]
	if d.told != nil {
		d.digit = d.told.appendDrawn(d.digit, id, how.Kind)
	} else {
		d.digit = strconv.AppendInt(d.digit, id, 10)
	}
	d.digit = append(d.digit, '\n')
	_, err = d.out.Write(d.digit) // an error of the writer stays with it
	return err
}

// cell is a cell without the blanks and quotes around it.
func cell(b []byte) []byte {
	b = bytes.TrimSpace(b)
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		b = b[1 : len(b)-1]
	}
	return b
}

// unquoted is a line without blanks and quotes.
func unquoted(line []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == '"' || r == ' ' {
			return -1
		}
		return r
	}, line)
}

func wrongCells(line, more []byte) error {
	cells := bytes.Count(line, []byte(",")) + 1
	hint := ""
	if cells == 3 && len(more) > 0 {
		hint = " (if the third is an id, leave that column out)"
	}
	return fmt.Errorf("want the 2 cells node,timestamp_ms, not %d: %q%s", cells, clip(line), hint)
}

func wrongNode(node []byte, line int) error {
	if line == 1 {
		return fmt.Errorf("node %q is not a whole number; a header, if there is one, is %s", clip(node), inputHeader)
	}
	return fmt.Errorf("node %q is not a whole number of 32 bits", clip(node))
}

// clip keeps an error readable.
func clip(b []byte) []byte {
	const enough = 60
	if len(b) <= enough {
		return b
	}
	return append(bytes.Clone(b[:enough]), "..."...)
}
