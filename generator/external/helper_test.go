package external

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"twindrift/generator"
)

// TestMain lets the test binary stand in for an external generator.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		if err := helpers[os.Args[2]](bufio.NewReaderSize(os.Stdin, 1<<17), os.Stdout); err != nil {
			panic(err) // status 2
		}
		return
	}
	m.Run()
}

// helper is a generator for tests: it answers until its input ends.
type helper func(in *bufio.Reader, out io.Writer) error

var helpers = map[string]helper{
	"binary": binaryHelper(answers),
	"ndjson": ndjsonHelper(false),
	"lines":  ndjsonHelper(true), // flushes behind every line
	"eager":  eager,
}

// helperCommand starts the test binary as a helper.
func helperCommand(name string) []string { return []string{os.Args[0], "helper", name} }

// answers is what the helpers give: an id that depends on all that was asked, and a
// refusal now and then.
func answers(eventMs, nowMs int64, node, partition int32) (id int64, status int32) {
	if eventMs%13 == 0 {
		return 77, int32(eventMs%3 - 1 - eventMs%2*5) // an id that is not to be seen, and a status that may be 0
	}
	return eventMs*1_000_003 ^ nowMs*31 ^ int64(node)<<40 ^ int64(partition)<<50, 0
}

func binaryHelper(answer func(eventMs, nowMs int64, node, partition int32) (int64, int32)) helper {
	return func(in *bufio.Reader, out io.Writer) error {
		le := binary.LittleEndian
		var rows, frame []byte
		for {
			var head [4]byte
			if _, err := io.ReadFull(in, head[:]); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			n := int(le.Uint32(head[:]))
			rows = append(rows[:0], make([]byte, n*requestRow)...)
			if _, err := io.ReadFull(in, rows); err != nil {
				return err
			}
			frame = append(frame[:0], head[:]...)
			for at := 0; at < len(rows); at += requestRow {
				row := rows[at:]
				id, status := answer(int64(le.Uint64(row)), int64(le.Uint64(row[8:])), int32(le.Uint32(row[16:])), int32(le.Uint32(row[20:])))
				frame = le.AppendUint32(le.AppendUint64(frame, uint64(id)), uint32(status))
			}
			if _, err := out.Write(frame); err != nil {
				return err
			}
		}
	}
}

// eager answers a request before it has read its rows.
func eager(in *bufio.Reader, out io.Writer) error {
	for {
		var head [4]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return nil
		}
		n := int64(binary.LittleEndian.Uint32(head[:]))
		out.Write(head[:])
		if _, err := out.Write(make([]byte, n*answerRow)); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, in, n*requestRow); err != nil {
			return err
		}
	}
}

// ndjsonHelper writes ids as numbers and as strings, and flushes when no input is ready.
func ndjsonHelper(everyLine bool) helper {
	return func(in *bufio.Reader, out io.Writer) error {
		w := bufio.NewWriterSize(out, 1<<16)
		defer w.Flush()
		for {
			line, err := in.ReadSlice('\n')
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			var n [4]int64
			for i, cell := range bytes.SplitN(line, []byte(","), 4) {
				_, number, _ := bytes.Cut(bytes.Trim(cell, "{}\n"), []byte(":"))
				if n[i], err = strconv.ParseInt(string(number), 10, 64); err != nil {
					return err
				}
			}
			id, status := answers(n[0], n[1], int32(n[2]), int32(n[3]))
			switch {
			case status != 0:
				fmt.Fprintf(w, "{\"status\": %d}\n", status)
			case id%2 == 0:
				fmt.Fprintf(w, "{\"id\": \"%d\", \"status\": 0}\r\n", id)
			default:
				fmt.Fprintf(w, "{\"id\":%d}\n", id)
			}
			if everyLine || in.Buffered() == 0 {
				if err := w.Flush(); err != nil {
					return err
				}
			}
		}
	}
}

// newGenerator is New for tests: it is closed at their end, without an error, unless
// the test closed it.
func newGenerator(t testing.TB, cfg Config) *Generator {
	t.Helper()
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if g.closed {
			return
		}
		if err := g.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return g
}

// shell is a generator that is a line of sh.
func shell(t testing.TB, framing Framing, script string) *Generator {
	t.Helper()
	need(t, "sh")
	return newGenerator(t, Config{Command: []string{"sh", "-c", script}, Framing: framing, Timeout: 20 * time.Second})
}

// need skips a test where a program is not there; with CI=true it fails.
func need(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		missing(t, program+" is not installed")
	}
}

func missing(t testing.TB, what string) {
	t.Helper()
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
		t.Fatal(what)
	}
	t.Skip(what)
}

// calls are n messages that differ in everything.
func calls(n int) generator.Calls {
	var c generator.Calls
	for i := range int64(n) {
		c.EventMs = append(c.EventMs, 1_757_901_600_000+i*7919%100_000)
		c.NowMs = append(c.NowMs, 1_757_901_600_000+i)
		c.AtNs = append(c.AtNs, i*1_000_000)
		c.Partition = append(c.Partition, int32(i%4))
	}
	return c
}

// drawn draws for all calls in one batch.
func drawn(g *Generator, c generator.Calls) (ids []int64, kinds []generator.Kind, hops []int32, err error) {
	ids, kinds, hops = make([]int64, c.Len()), make([]generator.Kind, c.Len()), make([]int32, c.Len())
	for i := range ids {
		ids[i], kinds[i], hops[i] = -1, generator.NoRoom, -1 // what nobody answers
	}
	err = generator.DrawBatch(g, c, ids, kinds, hops)
	return ids, kinds, hops, err
}

// wantError checks that an error says all of what is wanted.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", parts)
	}
	t.Log(err)
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error\n%v\nwant %q", err, part)
		}
	}
}
