package external

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every way in which a process can be wrong, and what is said then: the command, how the
// process stands, the end of its standard error, and the way out.
func TestBrokenGenerators(t *testing.T) {
	// The numbers of a binary frame in printf's octal.
	const two, three, id, ok, half = `\002\000\000\000`, `\003\000\000\000`, `\001\000\000\000\000\000\000\000`, `\000\000\000\000`, `\001\000\000`
	for _, c := range []struct {
		name    string
		framing Framing
		script  string // of sh; two messages are asked for
		is      error
		want    []string
	}{
		{"exits at once", Binary, "exit 3", ErrEnded,
			[]string{"sh -c \"exit 3\"", "it ended after 0 of 2 messages", "(exit status 3)", adviceEnded, "it wrote nothing to standard error"}},
		{"exits at once with 0", NDJSON, "exit 0", ErrEnded, []string{"(exit status 0)", adviceEnded}},
		{"is not there, says the shell", Binary, "exec /nowhere/generator", ErrEnded, []string{"(exit status 127)", "\n\t", "/nowhere/generator"}},
		{"exits in the middle", Binary, "echo no more room >&2; printf '" + two + id + ok + half + "'; exit 7", ErrEnded,
			[]string{"it ended after 1 of 2 messages", "(exit status 7)", "ends with:\n\tno more room"}},
		{"exits in the middle of lines", NDJSON, "read -r line; echo '{\"id\":1}'; echo out of ids >&2; exit 7", ErrEnded,
			[]string{"it ended after 1 of 2 messages", "(exit status 7)", "ends with:\n\tout of ids"}},
		{"is killed", NDJSON, "kill -9 $$", ErrEnded, []string{"it ended after 0 of 2 messages", "(signal: killed)"}},
		{"closes its output", NDJSON, "exec >&-; sleep 1000", ErrClosedPipe, []string{"closed a pipe", "(still running)"}},
		{"hangs", Binary, "echo waiting >&2; sleep 1000", ErrTimeout,
			[]string{"it took too long: 0 of 2 messages answered within 1s", "(still running)", adviceTimeout, "\n\twaiting"}},
		{"answers short", Binary, "printf '" + two + id + ok + "'; sleep 1000", ErrTimeout, []string{"1 of 2 messages answered", "(still running)"}},
		{"does not flush", NDJSON, "read -r line; echo '{\"id\":1}'; sleep 1000", ErrTimeout, []string{"1 of 2 messages answered", "flush"}},
		{"answers fewer", Binary, "printf '\\001\\000\\000\\000" + id + ok + "'; sleep 1000", ErrAnswer,
			[]string{"wrong answer: 1 ids for 2 messages", "(still running)", adviceCount}},
		{"answers another count", Binary, "printf '" + three + "'; sleep 1000", ErrAnswer, []string{"3 ids for 2 messages"}},
		{"is big endian", Binary, "printf '\\000\\000\\000\\002'; sleep 1000", ErrAnswer, []string{"the count of 2 is written as big endian", adviceFrame}},
		{"logs to its output", Binary, "echo 2026-09-15 INFO starting; exit 1", ErrAnswer,
			[]string{"the count 909258802 makes no sense; as text, the answer begins with \"2026-09-15 INFO starting\\n\"", "(exit status 1)", adviceFrame}},
		{"answers no JSON", NDJSON, "echo INFO starting; sleep 1000", ErrAnswer, []string{`the line "INFO starting": invalid character`, adviceLine}},
		{"answers a long line", NDJSON, "printf '%0200d\n' 7; sleep 1000", ErrAnswer, []string{`the line "` + strings.Repeat("0", 80) + `"...: `}},
		{"answers a line without end", NDJSON, "head -c 200000 /dev/zero; sleep 1000", ErrAnswer, []string{"a line of more than 131072 bytes"}},
		{"ends within a line", NDJSON, "printf '{\"id\":1'", ErrAnswer, []string{`the line "{\"id\":1" has no end`, "(exit status 0)"}},
		{"answers no id", NDJSON, "echo '{\"ID2\":1}'; sleep 1000", ErrAnswer, []string{"there is no id"}},
		{"answers a float", NDJSON, "echo '{\"id\":6.3e17}'; sleep 1000", ErrAnswer, []string{"the id 6.3e17 is no 64-bit integer"}},
		{"answers the lowest integer", NDJSON, "read -r line; echo '{\"id\":1}'; echo '{\"id\":-9223372036854775808}'; sleep 1000", ErrAnswer,
			[]string{"wrong answer: the id -9223372036854775808", adviceNone}},
		{"answers the one above", Binary, "printf '" + two + id + ok + `\001\000\000\000\000\000\000\200` + ok + "'; sleep 1000", ErrAnswer,
			[]string{"the id -9223372036854775807", adviceNone}},
		{"answers more", Binary, "printf '" + two + id + ok + id + ok + id + ok + "'; sleep 1000", ErrAnswer,
			[]string{"more than was asked for: \"\\x01", adviceSurplus}},
		{"answers more lines", NDJSON, "printf '{\"id\":1}\\n{\"id\":2}\\n{\"id\":3}\\n'; sleep 1000", ErrAnswer,
			[]string{`more than was asked for: "{\"id\":3}\n"`, "(still running)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := shell(t, c.framing, c.script)
			g.lastWords = 100 * time.Millisecond
			if c.is == ErrTimeout {
				g.cfg.Timeout = time.Second
			} else if !strings.Contains(c.script, "sleep") {
				g.lastWords = 20 * time.Second
			}
			_, _, _, err := drawn(g, calls(2))
			wantError(t, err, c.want...)
			if !errors.Is(err, c.is) {
				t.Errorf("it is not %q", c.is)
			}
			if _, _, again := g.Draw(0, 0); again != err {
				t.Errorf("the next draw gives %v", again)
			}
		})
	}
}

func TestNotStarted(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "generator.py")
	if err := os.WriteFile(plain, []byte("print(1)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	noInterpreter := filepath.Join(t.TempDir(), "generator")
	if err := os.WriteFile(noInterpreter, []byte("print(1)\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		"no-such-generator": "executable file not found",
		"./no-such-one":     "no such file",
		plain:               "permission denied",
		noInterpreter:       "exec format error",
	} {
		g := newGenerator(t, Config{Command: []string{program, "an argument"}})
		_, _, err := g.Draw(0, 0)
		wantError(t, err, program+` "an argument": it could not be started`, want, adviceStart)
		if !errors.Is(err, ErrNotStarted) {
			t.Error("want ErrNotStarted")
		}
	}
}

// More than was asked for, too late for the draw to see it.
func TestSurplusIsFoundAtClose(t *testing.T) {
	g := shell(t, NDJSON, `while read -r line; do echo '{"id":1}'; done; echo bye`)
	if _, _, err := g.Draw(0, 0); err != nil {
		t.Fatal(err)
	}
	err := g.Close()
	wantError(t, err, `more than was asked for: "bye\n"`, "(exit status 0)")
	if !errors.Is(err, ErrAnswer) {
		t.Error("want ErrAnswer")
	}
}

// What hangs on below a shell does not keep anybody waiting.
func TestTimeoutOfAChild(t *testing.T) {
	g := shell(t, NDJSON, "sleep 1000; echo never")
	g.cfg.Timeout = 100 * time.Millisecond
	_, _, err := g.Draw(0, 0)
	wantError(t, err, "it took too long")
}

// The columns are the caller's again when a draw has failed, also while a request was
// being written: the race detector looks.
func TestFailedWhileWriting(t *testing.T) {
	g := shell(t, Binary, "head -c 100 >/dev/null; echo none; sleep 1000")
	g.lastWords = 50 * time.Millisecond
	g.cfg.Batch = 100_000
	c := calls(500_000)
	if _, _, _, err := drawn(g, c); !errors.Is(err, ErrAnswer) {
		t.Errorf("error %v", err)
	}
	clear(c.EventMs)
}

func TestPythonTraceback(t *testing.T) {
	need(t, "python3")
	const script = `import sys
print("loading", file=sys.stderr)
def draw(line): return {}["node"]
for line in sys.stdin: draw(line)`
	g := newGenerator(t, Config{Command: []string{"python3", "-c", script}, Framing: NDJSON})
	_, _, err := g.Draw(0, 0)
	wantError(t, err, "python3 -c", "(exit status 1)", "\n\tloading\n\tTraceback (most recent call last):")
	if !strings.HasSuffix(err.Error(), "\n\tKeyError: 'node'") {
		t.Error("the last line is another")
	}
}

func TestTail(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for _, c := range []struct {
		writes []string
		want   string
	}{
		{nil, ""},
		{[]string{"a", "b\n"}, "ab"},
		{[]string{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"}, "3\n4\n5\n6\n7\n8\n9\n10\n11\n12"},
		{[]string{long + "\n", "last\n"}, "last"},
		{[]string{long}, long[:2048]},
		{[]string{"gone\n", long[:2000], "\n", long[:2000], "\n", "last\n"}, long[:2000] + "\nlast"},
		{[]string{"\x1b[31mred\x1b[0m\r\n\xff\n"}, "[31mred[0m\n?"},
	} {
		var w tail
		for _, s := range c.writes {
			if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
				t.Errorf("%d bytes written of %d, %v", n, len(s), err)
			}
		}
		if got := w.String(); got != c.want {
			t.Errorf("%.20q...: %q, want %q", c.writes, got, c.want)
		}
	}
}
