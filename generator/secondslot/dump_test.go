package secondslot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"twindrift/generator"
)

// A process that reads the dump of another gives the ids that the other would give.
func TestDumpIsTheState(t *testing.T) {
	for _, name := range []string{"sustained-overload", "stale-day", "day-end"} {
		rows := readVector(t, name)
		g, err := New(DefaultConfig())
		if err != nil {
			t.Fatal(err)
		}
		half := len(rows) / 2
		for _, r := range rows[:half] {
			if r.reset {
				g.Reset()
			} else {
				g.DrawNode(r.node, r.eventMs)
			}
		}
		var text bytes.Buffer
		if err := g.WriteDump(&text); err != nil {
			t.Fatal(err)
		}
		binaryForm := make([]byte, 0, dumpBytes)
		for _, word := range g.slots {
			binaryForm = binary.LittleEndian.AppendUint64(binaryForm, word)
		}
		for form, dump := range map[string]io.Reader{"CSV": strings.NewReader(text.String()), "binary": bytes.NewReader(binaryForm), "slowly": iotest.OneByteReader(strings.NewReader(text.String()))} {
			other, err := New(DefaultConfig())
			if err != nil {
				t.Fatal(err)
			}
			if err := other.ReadDump(dump); err != nil {
				t.Fatal(name, form, err)
			}
			if other.slots != g.slots {
				t.Fatalf("%s: the slots of the %s dump are others", name, form)
			}
			for i, r := range rows[half:] {
				if r.reset {
					other.Reset()
				} else if id, _, _ := other.DrawNode(r.node, r.eventMs); id != r.id {
					t.Fatalf("%s, %s: row %d: %d, want %d", name, form, half+i, id, r.id)
				}
			}
		}
	}
}

// What is no dump is named by its line, and changes nothing.
func TestBadDumps(t *testing.T) {
	g, err := New(DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	if err := g.ReadDump(strings.NewReader("slot,word\n0,-5\n86399,9223372036854775807\n\n")); err != nil {
		t.Fatal(err)
	}
	was := g.slots
	for text, want := range map[string]string{
		"slot,word\n1;2\n":                  `line 2: "1;2" is not a slot and a word`,
		"1,2\n86400,1\n":                    "line 2: slot 86400: want 0 to 86399",
		"-1,2\n":                            "line 1: slot -1: want 0",
		"7,1\n8,1\n7,1\n":                   "line 3: slot 7 is there a second time",
		"7,99999999999999999999\n":          "is no 64-bit number",
		"\x00\x01\x02":                      "is not a slot and a word",
		strings.Repeat("\x00", dumpBytes+8): "",
		strings.Repeat("\x00", dumpBytes-8): "",
		fmt.Sprint("7,1\n", "word,slot\n"):  "line 2",
	} {
		if err := g.ReadDump(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
		if g.slots != was {
			t.Fatalf("%.20q: the slots have changed", text)
		}
	}
}

// A process of the corrected form that begins with a dump, of a published process or of
// its own kind, gives no id that was drawn before.
func TestCorrectedGoesOnFromADump(t *testing.T) {
	published := newSingle(t, 4)
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultCorrected()
		cfg.Node, cfg.PerSecond, cfg.Block, cfg.Reach = 4, rapid.IntRange(1, 6).Draw(t, "per second"), 0, 30
		published.Reset()
		f, err := newFormula(cfg.Config)
		if err != nil {
			t.Fatal(err)
		}
		published.formula = f
		events := func(name string) []int64 {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 {
				day := rapid.Int64Range(0, 2).Draw(t, "day")
				return tenOClockMs + day*86_400_000 + 1000*rapid.Int64Range(0, 8).Draw(t, "second")
			}), 1, 40).Draw(t, name)
		}
		given := map[int64]bool{}
		for _, ms := range events("before") {
			if id, how, err := published.Draw(ms, 0); err == nil && how.Kind == generator.Drawn {
				given[id] = true
			}
		}
		write := published.WriteDump
		for _, life := range []string{"of the published form", "of its own"} {
			var dump bytes.Buffer
			if err := write(&dump); err != nil {
				t.Fatal(err)
			}
			c, err := NewCorrected(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.ReadDump(&dump); err != nil {
				t.Fatal(err)
			}
			for _, ms := range events("after the dump " + life) {
				id, _, err := c.Draw(ms, 0)
				if err == nil && given[id] {
					t.Fatalf("after the dump %s: %d of %d was given before", life, id, ms)
				}
				given[id] = true
			}
			write = c.WriteDump
		}
	})
}
