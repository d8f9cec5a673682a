package csvdraw

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"twindrift/generator/secondslot"
)

func published(t testing.TB) *secondslot.Generator {
	t.Helper()
	cfg := secondslot.DefaultConfig()
	cfg.WrapIDs = true
	g, err := secondslot.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t testing.TB, in string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Run(context.Background(), published(t), strings.NewReader(in), &out, nil)
	return out.String(), err
}

// The inputs of every reference vector give the vector, byte for byte.
func TestVectorsByteForByte(t *testing.T) {
	files, err := filepath.Glob("../secondslot/testdata/*.csv.gz")
	if err != nil || len(files) != 9 {
		t.Fatalf("%d vectors, %v; want 9", len(files), err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		var in []byte
		for line := range bytes.Lines(want) {
			if bytes.HasPrefix(line, []byte("reset")) {
				in = append(in, line...)
				continue
			}
			in = append(append(in, line[:bytes.LastIndexByte(line, ',')]...), '\n')
		}
		var out bytes.Buffer
		if err := Run(context.Background(), published(t), bytes.NewReader(in), &out, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s: the output is not the vector", name)
		}
	}
}

func TestRows(t *testing.T) {
	const want = Header + "\n1,1789430400000,639250560001000000\n2,1789430400999,639250560002000200\n"
	for name, in := range map[string]string{
		"header":            "node,timestamp_ms\n1,1789430400000\n2,1789430400999\n",
		"no header":         "1,1789430400000\n2,1789430400999\n",
		"no last line end":  "1,1789430400000\n2,1789430400999",
		"CRLF":              "node,timestamp_ms\r\n1,1789430400000\r\n2,1789430400999\r\n",
		"byte order mark":   "\ufeffnode,timestamp_ms\n1,1789430400000\n2,1789430400999\n",
		"quotes and blanks": "\"Node\", \"timestamp_ms\"\n \"1\" , 1789430400000\n\"2\",\"1789430400999\"\n",
		"empty lines":       "\n1,1789430400000\n\n2,1789430400999\n\n",
	} {
		if got, err := run(t, in); err != nil || got != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	if got, err := run(t, ""); err != nil || got != Header+"\n" {
		t.Errorf("empty input: %q, %v", got, err)
	}
}

func TestResetForgets(t *testing.T) {
	for _, reset := range []string{"reset,,", "reset", "reset,", `"reset","",""`} {
		got, err := run(t, "1,1789430400000\n"+reset+"\n1,1789430400000\n")
		want := Header + "\n1,1789430400000,639250560001000000\nreset,,\n1,1789430400000,639250560001000000\n"
		if err != nil || got != want {
			t.Errorf("%s: %v\n%s", reset, err, got)
		}
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	for in, want := range map[string]string{
		"1,1789430400000\n1,2026-09-15\n":  `^line 2: timestamp "2026-09-15" is not a whole number of milliseconds`,
		"1,1789430400000\n1,-28800001\n":   `^line 2: timestamp -28800001 is before 1970-01-01 00:00:00 local time.*leave it out$`,
		"1,1789430400000\nx,1\n":           `^line 2: node "x" is not a whole number of 32 bits$`,
		"1,1789430400000\n2147483648,1\n":  `^line 2: node "2147483648"`,
		"n,ts\n":                           `^line 1: node "n" is not a whole number; a header, if there is one, is node,timestamp_ms$`,
		"1,1789430400000,6392505600010\n":  `^line 1: want the 2 cells node,timestamp_ms, not 3: .*leave that column out`,
		"1\n":                              `^line 1: want the 2 cells node,timestamp_ms, not 1: "1"$`,
		"1,2,3,4\n":                        `^line 1: .*not 4`,
		"reset,1,\n":                       `^line 1: a restart is the row reset,,`,
		"1,9223372036854775807\n":          `^line 1: timestamp 9223372036854775807 is too late`,
		"1,1\n" + strings.Repeat("1", 1e5): `^line 2 is longer than 65536 bytes`,
	} {
		got, err := run(t, in)
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%.40q: error %v, want %s", in, err, want)
		}
		if before := strings.Count(in[:strings.LastIndex(strings.TrimSuffix(in, "\n"), "\n")+1], "\n"); strings.Count(got, "\n") != 1+before {
			t.Errorf("%.40q: the rows before the error did not come out: %q", in, got)
		}
	}
}

func TestReadAndWriteErrors(t *testing.T) {
	broken := errors.New("broken")
	g := published(t)
	in := io.MultiReader(strings.NewReader("1,1789430400000\n1,"), iotest.ErrReader(broken))
	if err := Run(context.Background(), g, in, io.Discard, nil); !errors.Is(err, broken) {
		t.Errorf("reading: error %v, want %v", err, broken)
	}
	if err := Run(context.Background(), g, strings.NewReader("1,1\n"), brokenWriter{broken}, nil); !errors.Is(err, broken) {
		t.Errorf("writing: error %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Run(ctx, g, strings.NewReader("1,1\n"), io.Discard, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// A reader that hands out a row at a time gets its id before the next row is
// asked for, as a program at the other end of a pipe needs.
func TestRowsComeOutWhileMoreIsAwaited(t *testing.T) {
	var out bytes.Buffer
	rows := []string{"1,1789430400000\n", "1,1789430400000\n", "1,1789430400000\n"}
	in := readerFunc(func(p []byte) (int, error) {
		asked := 3 - len(rows)
		if asked > 0 && strings.Count(out.String(), "\n") != 1+asked {
			t.Errorf("before row %d, the output is %q", asked+1, out.String())
		}
		if len(rows) == 0 {
			return 0, io.EOF
		}
		n := copy(p, rows[0])
		rows = rows[1:]
		return n, nil
	})
	var seen int64
	if err := Run(context.Background(), published(t), in, &out, func(bytes int64) { seen = bytes }); err != nil {
		t.Fatal(err)
	}
	if seen != 3*16 {
		t.Errorf("progress came to %d bytes, want 48", seen)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Any input either draws or gives an error; every row that came out is a row
// that went in, and its id is the one that the generator gives.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{
		"node,timestamp_ms\n1,1789430400000\nreset,,\n1,1789430400000\n", "1,-1\n10,1789430400123456\n",
		"\"1\",\"2\"\r\n", "reset\n,\n", "\ufeffnode,timestamp_ms", "1,2,3\n", "-1,-28800000\n\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out, again bytes.Buffer
		err := Run(context.Background(), published(t), bytes.NewReader(in), &out, nil)
		if bytes.Count(out.Bytes(), []byte("\n")) > 2+bytes.Count(in, []byte("\n")) {
			t.Errorf("%d bytes in, more rows out than in", len(in))
		}
		if err != nil {
			return
		}
		// The output without its ids is an input with the same output.
		var rows []byte
		for line := range bytes.Lines(out.Bytes()) {
			if !bytes.HasPrefix(line, []byte("reset")) {
				line = append(bytes.Clone(line[:bytes.LastIndexByte(line, ',')]), '\n')
			}
			rows = append(rows, line...)
		}
		if err := Run(context.Background(), published(t), bytes.NewReader(rows), &again, nil); err != nil {
			t.Fatalf("the output is no input: %v\n%s", err, rows)
		}
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("drawn again:\n%swant\n%s", &again, &out)
		}
	})
}

func BenchmarkDrawRows(b *testing.B) {
	var in bytes.Buffer
	for i := range 100_000 {
		in.WriteString("1,178943")
		in.WriteString(string('0' + rune(i/10000)))
		in.WriteString("400123\n")
	}
	b.SetBytes(int64(in.Len()))
	g := published(b)
	for b.Loop() {
		g.Reset()
		if err := Run(context.Background(), g, bytes.NewReader(in.Bytes()), io.Discard, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/row")
}
