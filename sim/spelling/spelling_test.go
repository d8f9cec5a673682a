package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"workers", "partitions", "parallel", "no_timestamp", "node", "keep"}
	for written, want := range map[string]string{
		"wokers":      "workers",
		"worker":      "workers",
		"WORKERS":     "workers",
		"wrokers":     "workers",
		"noTimestamp": "no_timestamp",
		"partition":   "partitions",
		"paralel":     "parallel",
		"nod":         "node",
		"kepp":        "keep",
		"":            "",
		"x":           "",
		"delay":       "",
		"shoes":       "",
	} {
		if got := Nearest(written, known); got != want {
			t.Errorf("Nearest(%q) is %q, want %q", written, got, want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for written, want := range map[string]string{
		"wokers": "; did you mean workers?",
		"x":      "; there are workers, keep",
	} {
		if got := DidYouMean(written, []string{"workers", "keep"}); got != want {
			t.Errorf("DidYouMean(%q) is %q, want %q", written, got, want)
		}
	}
	if got := DidYouMean("off", []string{"except"}); got != "; there is only except" {
		t.Errorf("of one name: %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance of %q and %q is %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance([]rune(c.b), []rune(c.a)); got != c.want {
			t.Errorf("distance of %q and %q is %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
