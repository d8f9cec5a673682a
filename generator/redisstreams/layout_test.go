package redisstreams

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"twindrift/generator"
)

func TestLayout(t *testing.T) {
	l := Layout{}
	for text, id := range map[string]int64{
		"0-0": 0, "0-1": 1, "1-0": 1 << 20, "1000-499": 1000<<20 | 499, "1526919030474-55": 1526919030474<<20 | 55, "8796093022207-1048575": math.MaxInt64,
	} {
		if got, err := l.Parse(text); got != id || err != nil || l.Text(id) != text {
			t.Errorf("%s: %d, %v; want %d, whose text is %s", text, got, err, id, l.Text(id))
		}
	}
	if id, err := l.Parse("7"); id != 7<<20 || err != nil {
		t.Error(id, err)
	}
	for text, want := range map[string]string{
		"": "no entry id", "-": "no entry id", "1-": "no entry id", "-1-0": "no entry id", "1--1": "no entry id", "+1-0": "no entry id", "1-2-3": "no entry id", "*": "no entry id",
		"8796093022208-0": "too late, the last one is 8796093022207", "1-1048576": "does not fit, the last one is 1048575", "18446744073709551616-0": "no entry id",
	} {
		if _, err := l.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if l.Name() != "redis-streams" || l.OwnerMs(-1) != -1 || l.Seq(-1) != maxSeq {
		t.Error(l.Name(), l.OwnerMs(-1), l.Seq(-1))
	}
}

func TestDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Int64()).Draw(t, "ids")
		l := Layout{}
		owners, nodes, ownersAlone := make([]int64, len(ids)), make([]int64, len(ids)), make([]int64, len(ids))
		l.Digits(ids, owners, nodes)
		l.Digits(ids, ownersAlone, nil)
		for i, id := range ids {
			if owners[i] != l.OwnerMs(id) || ownersAlone[i] != l.OwnerMs(id) || nodes[i] != generator.NoNode || l.Node(id) != generator.NoNode {
				t.Fatalf("id %d: %d, %d, %d", id, owners[i], ownersAlone[i], nodes[i])
			}
			if l.OwnerMs(id)<<20+l.Seq(id) != id {
				t.Fatalf("id %d is %s", id, l.Text(id))
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0-0", "1526919030474-55", "7", "8796093022207-1048575", "-1-0", "01-01"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := Layout{}
		id, err := l.Parse(text)
		if err != nil {
			return
		}
		if again, err := l.Parse(l.Text(id)); id < 0 || again != id || err != nil {
			t.Fatalf("%q: %d, whose text is %s: %d, %v", text, id, l.Text(id), again, err)
		}
	})
}
