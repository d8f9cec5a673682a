package report

import (
	"bytes"
	"strings"
	"testing"

	"twindrift/sim/result"
)

// Where no two ids can be compared, as of a single message, their order is not
// praised.
func TestNothingComparableIsNotInOrder(t *testing.T) {
	const (
		praise  = "  ok  ids stand in the order of the seconds of their messages\n"
		nothing = "  !   no two messages of different seconds have different ids, so there is no\n"
	)
	r := evening("east", "west")
	r.Sites["east"].Order.Grained = result.Grained{N: 1}
	for _, want := range []string{praise, nothing} {
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, one := range []string{praise, nothing} {
			if strings.Contains(got.String(), one) != (one == want) {
				t.Errorf("want %q and not the other in\n%.900s", want, got.String())
			}
		}
		r.Sites["west"].Order.Grained = result.Grained{N: 1} // now neither site has any
	}
}
