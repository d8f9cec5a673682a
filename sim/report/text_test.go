package report

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"twindrift/sim/result"
)

var update = flag.Bool("update", false, "write the golden files anew")

// made are the results made by hand, by the name of their golden file.
func made() map[string]*result.Result {
	return map[string]*result.Result{
		"quiet": evening("east", "west"), "burst": marketOpen(), "two-midnights": twoMidnights(),
		"equal-nodes": equalNodes(), "three-sites": threeSites(), "one-site": evening("east"), "empty": empty(),
		"replications": replicatedEvening(), "streams": streams(), "snowflakes": snowflakes(), "counters": counters(), "refuser": refuser(),
	}
}

func TestText(t *testing.T) {
	for name, r := range made() {
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{Captures: []string{"captures/evening.parquet"}}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden(t, name+".txt", got.Bytes())
	}
}

func TestTextInColourIsTheSameText(t *testing.T) {
	for name, r := range made() {
		var plainText, coloured bytes.Buffer
		if err := Text(&plainText, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := Text(&coloured, r, TextOptions{Color: true}); err != nil {
			t.Fatal(err)
		}
		got := coloured.String()
		if !strings.Contains(got, bold) {
			t.Errorf("%s: no colour", name)
		}
		for _, escape := range []string{bold, red, yellow, green, plain} {
			got = strings.ReplaceAll(got, escape, "")
		}
		if diff := cmp.Diff(plainText.String(), got); diff != "" {
			t.Errorf("%s differs (-plain +coloured):\n%s", name, diff)
		}
	}
}

func TestTextRefusesAResultWithoutItsSites(t *testing.T) {
	r := evening("east", "west")
	delete(r.Sites, "west")
	if err := Text(new(bytes.Buffer), r, TextOptions{}); err == nil || !strings.Contains(err.Error(), "west") {
		t.Errorf("error %v", err)
	}
}

// Whatever a result says, no line is longer than 80 columns, and none has blanks
// at its end or characters that move the cursor.
func TestTextFitsWhateverIsInTheResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := randomResult(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)))
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(strings.TrimSuffix(got.String(), "\n"), "\n") {
			if n := utf8.RuneCountInString(l); n > 80 || strings.TrimRight(l, " ") != l || printable(l) != l {
				t.Fatalf("line %d has %d columns: %q\nin\n%s", i+1, n, l, got.String())
			}
		}
	})
}

// randomResult has sites and pairs that belong together, and anything at all
// elsewhere.
func randomResult(random *rand.Rand) *result.Result {
	r := new(result.Result)
	fill(random, reflect.ValueOf(r).Elem())
	r.SiteNames, r.Sites, r.PairNames, r.Between = nil, map[string]*result.Site{}, nil, map[string]*result.Between{}
	for i := range random.IntN(5) {
		s := new(result.Site)
		fill(random, reflect.ValueOf(s).Elem())
		s.Name = fmt.Sprint(i) + randomString(random)
		for j, other := range r.SiteNames {
			b := new(result.Between)
			fill(random, reflect.ValueOf(b).Elem())
			b.A, b.B = other, s.Name
			pair := fmt.Sprintf("%d-%d", j, i)
			r.PairNames = append(r.PairNames, pair)
			r.Between[pair] = b
		}
		r.SiteNames = append(r.SiteNames, s.Name)
		r.Sites[s.Name] = s
	}
	return r
}

// fill puts random values into everything that v holds.
func fill(random *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(random.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.Set(reflect.ValueOf(randomInt(random)).Convert(v.Type()))
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, random.Float64(), 1 - random.Float64()*1e-9, random.NormFloat64() * 1e12, math.MaxFloat64}[random.IntN(6)])
	case reflect.String:
		v.SetString(randomString(random))
	case reflect.Pointer:
		if random.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(random, v.Elem())
		}
	case reflect.Slice:
		n := random.IntN(5)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(random, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"1ms", "1s", "60s", "day-end", randomString(random)}[:random.IntN(6)] {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(random, value)
			v.SetMapIndex(reflect.ValueOf(key), value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(random, v.Field(i))
		}
	}
}

func randomInt(random *rand.Rand) int64 {
	n := int64(random.Uint64() >> random.IntN(64))
	if random.IntN(8) == 0 {
		n = -n
	}
	return []int64{n, n, n, 0, 1, math.MaxInt64, math.MinInt64}[random.IntN(7)]
}

func randomString(random *rand.Rand) string {
	n := random.IntN(100)
	if random.IntN(3) > 0 {
		n %= 10
	}
	var b strings.Builder
	for range n {
		b.WriteRune([]rune("abcdefgh-./_ 0123456789 \x00\n\t\u00a0\u202e\x1béß…\ufffd")[random.IntN(34)])
	}
	return b.String()
}

// golden compares with a file of testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if it should, run go test with -update:\n%s", path, diff)
	}
}
