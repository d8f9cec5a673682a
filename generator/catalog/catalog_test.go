package catalog

import (
	"strings"
	"testing"

	"twindrift/generator"
)

func TestFindMakesEveryGenerator(t *testing.T) {
	const eventMs, nowMs = 1757901600000, 1757901601500 // 2025-09-15 10:00:00 +08:00, drawn 1.5 s later
	const snow = (nowMs-1288834974657)<<22 | 1<<12
	want := map[string]int64{
		"second-slot":      638935272001000000,
		"consumption-time": 638935272011000000,
		"redis-counter":    (nowMs/1000+8*3600-1640995200)<<32 | 1,

		"snowflake preallocated-published": -1024,        // the first of the first range
		"snowflake preallocated-corrected": snow + 6<<22, // an even ms, five or more ahead
		"snowflake locked-published":       0,            // in a new ms
		"snowflake two-level":              snow + 1<<22, // a new block begins in a new ms
		"snowflake adaptive":               snow + 1<<22,
		"snowflake unsynchronised":         snow,

		"redis-streams":      eventMs << 20,
		"redis-streams auto": nowMs << 20,
	}
	for _, e := range Entries() {
		if e.Name == "external" {
			continue // its ids are somebody else's
		}
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
		wanted, own := want[e.Name+" "+e.Variant]
		if !own {
			wanted = want[e.Name]
		}
		if err != nil || id != wanted {
			t.Errorf("%s %s: id %d, error %v; want %d", e.Name, e.Variant, id, err, wanted)
		}
		if node := layout.Node(id); node != 1 && node != generator.NoNode && id > 0 {
			t.Errorf("%s %s: the layout reads node %d in %d", e.Name, e.Variant, node, id)
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
		{"secondslot", "", `no generator is called "secondslot" (did you mean "second-slot"?); there is: second-slot, consumption-time, redis-counter, snowflake, redis-streams, external`},
		{"uuid", "", `no generator is called "uuid"; there is: second-slot, consumption-time, redis-counter, snowflake, redis-streams, external`},
		{"", "", `no generator is called ""; there is: second-slot, consumption-time, redis-counter, snowflake, redis-streams, external`},
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
		if !e.Slots && e.Name != "redis-counter" {
			continue // no local time
		}
		for _, offset := range []int64{1e12, 1500} { // too far, and no whole seconds
			o := Defaults()
			o.UTCOffsetMs = offset
			g, layout, err := e.New(o)
			if err == nil || !strings.Contains(err.Error(), "UTC offset") || g != nil || layout != nil {
				t.Errorf("%s, offset %d: %v, %v, error %v; want only an error about the UTC offset", e.Name, offset, g, layout, err)
			}
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
