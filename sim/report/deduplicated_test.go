package report

import (
	"bytes"
	"strings"
	"testing"
)

// What the store takes no second time has its row, its sentence and its term in the sum.
func TestTextOfDeduplicated(t *testing.T) {
	r := evening("east", "west")
	for _, s := range r.Sites {
		s.Push.Consumed += 115
		s.Push.Again, s.Push.Deduplicated = 115, 115
	}
	var b bytes.Buffer
	if err := Text(&b, r, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"115 deliveries of messages that had been drawn before; 115 of them not stored, since the list has the message already",
		"- stored already, taken once 115 115",
		"stored + store-off + deduplicated, and so on",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q", want)
		}
	}
}
