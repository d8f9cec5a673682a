package catalog

import (
	"strings"
	"testing"
)

func TestFindMakesEveryGenerator(t *testing.T) {
	const eventMs, nowMs = 1757901600000, 1757901601500 // 2025-09-15 10:00:00 +08:00, drawn 1.5 s later
	want := map[string]int64{
		"second-slot":      638935272001000000,
		"consumption-time": 638935272011000000,
	}
	for _, e := range Entries() {
		found, err := Find(e.Name, e.Variant)
		if err != nil || found.Name != e.Name || found.Variant != e.Variant {
			t.Fatalf("Find(%q, %q) = %q %q, %v", e.Name, e.Variant, found.Name, found.Variant, err)
		}
		o := Defaults()
		o.Node = 1
		g, layout, err := found.New(o)
		if err != nil {
			t.Fatal(err)
		}
		id, _, err := g.Draw(eventMs, nowMs)
		if err != nil || id != want[e.Name] {
			t.Errorf("%s: id %d, error %v; want %d", e.Name, id, err, want[e.Name])
		}
		if layout.Node(id) != 1 {
			t.Errorf("%s: the layout reads node %d in %d", e.Name, layout.Node(id), id)
		}
		if e.Summary == "" {
			t.Errorf("%s has no summary", e.Name)
		}
	}
}

// In one goroutine, the form for many gives what the other gives.
func TestConcurrentGivesTheSameIDs(t *testing.T) {
	forms := 0
	for _, e := range Entries() {
		if e.Concurrent == nil {
			continue
		}
		forms++
		o := Defaults()
		o.Node, o.Step, o.PerSecond = 3, 150, 4
		one, layout, err := e.New(o)
		if err != nil {
			t.Fatal(err)
		}
		process, layoutOfMany, err := e.Concurrent(o)
		if err != nil || layoutOfMany != layout {
			t.Fatalf("%s %s: layout %v, want %v; error %v", e.Name, e.Variant, layoutOfMany, layout, err)
		}
		many := process()
		for i := range int64(100) {
			const noon = 1757908800000
			want, _, err := one.Draw(noon, noon)
			got, _, errOfMany := many.Draw(noon, noon)
			if err != nil || errOfMany != nil || got != want {
				t.Fatalf("%s %s, draw %d: id %d, want %d; errors %v, %v", e.Name, e.Variant, i, got, want, err, errOfMany)
			}
		}
		o.UTCOffsetMs = 1e12
		if process, _, err := e.Concurrent(o); err == nil || process != nil {
			t.Errorf("%s %s: no error for a wrong UTC offset", e.Name, e.Variant)
		}
	}
	if forms != 2 {
		t.Errorf("%d forms for many goroutines", forms)
	}
}

func TestFindUnknown(t *testing.T) {
	for _, c := range []struct{ name, variant, want string }{
		{"secondslot", "", `no generator is called "secondslot" (did you mean "second-slot"?); there is: second-slot, consumption-time`},
		{"uuid", "", `no generator is called "uuid"; there is: second-slot, consumption-time`},
		{"", "", `no generator is called ""; there is: second-slot, consumption-time`},
		{"second-slot", "publish", `no variant of generator second-slot is called "publish" (did you mean "published"?); there is: published, corrected`},
	} {
		_, err := Find(c.name, c.variant)
		if err == nil || err.Error() != c.want {
			t.Errorf("Find(%q, %q):\n got %v\nwant %s", c.name, c.variant, err, c.want)
		}
	}
}

func TestFindDefaultVariant(t *testing.T) {
	e, err := Find("second-slot", "")
	if err != nil || e.Variant != "published" {
		t.Errorf("default variant %q, %v; want published", e.Variant, err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, e := range Entries() {
		o := Defaults()
		o.UTCOffsetMs = 1e12
		g, layout, err := e.New(o)
		if err == nil || !strings.Contains(err.Error(), "UTC offset") || g != nil || layout != nil {
			t.Errorf("%s: %v, %v, error %v; want only an error about the UTC offset", e.Name, g, layout, err)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"kitten", "sitting", 3}, {"", "abc", 3}, {"flaw", "lawn", 2}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
