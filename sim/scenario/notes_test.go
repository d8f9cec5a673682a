package scenario

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"twindrift/sim/delay"
)

func mustDelays(t *testing.T, text string) []delay.Dist {
	t.Helper()
	list, err := delay.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestNotes(t *testing.T) {
	s, err := FromFlags(Flags{Node: "1+12,1"})
	if err != nil {
		t.Fatal(err)
	}
	s.Generator.PerSecond = 5001
	s.Filter = Filter{Drop: []Rule{{Topic: "ordres"}, {Topic: "orders"}}}
	s.Store.Except = []string{"logs"}
	s.Sites[1].Link.Topics = map[string]delay.Dist{"trade": {}, "orders": {}}
	want := []string{
		"site east: node 12 is outside 0 to 9: its ids say another node and another second (node-range)",
		"2 consumers have node 1 (east, west): equal ids are to be expected (shared-node)",
		"step 200 times 5001 ids a second is 1000200, past the 1000000 of a node: its last ids of a second are those of the next node",
		"filter.keep is 0: no message gets an id",
	}
	if diff := cmp.Diff(want, s.Notes(nil)); diff != "" {
		t.Errorf("without a capture (-want +got):\n%s", diff)
	}
	want = append(want,
		`filter.drop[0].topic: the capture has no topic "ordres"; did you mean orders?`,
		`store.except[0]: the capture has no topic "logs"; there are orders, trades`,
		`site west: link.topics: the capture has no topic "trade"; did you mean trades?`,
	)
	if diff := cmp.Diff(want, s.Notes(capture("orders/0-3 trades/0"))); diff != "" {
		t.Errorf("with a capture (-want +got):\n%s", diff)
	}
	narrow := Default()
	narrow.Generator.Step = 128
	want = []string{"step 128 is within the 128 between neighbouring float64 values: different ids will share a score"}
	if diff := cmp.Diff(want, narrow.Notes(nil)); diff != "" {
		t.Errorf("a narrow step (-want +got):\n%s", diff)
	}
	d := Default()
	if notes := d.Notes(capture("orders/0")); len(notes) != 0 {
		t.Errorf("the default scenario has notes:\n%s", strings.Join(notes, "\n"))
	}
}

func TestOptions(t *testing.T) {
	s, err := Read("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o := s.Generator.Options(3)
	if o.Node != 3 || o.UTCOffsetMs != -12_600_000 || o.Step != 129 || o.PerSecond != 7000 || o.JumpLimit != 0 {
		t.Errorf("%+v", o)
	}
}
