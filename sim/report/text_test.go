package report

import (
	"bytes"
	"flag"
	"fmt"
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

// Whatever a result says, no line is longer than 80 columns, none has blanks at
// its end, and no cell is written over another.
func TestTextFitsWhateverIsInTheResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := randomResult(t)
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
func randomResult(t *rapid.T) *result.Result {
	r := new(result.Result)
	fill(t, reflect.ValueOf(r).Elem(), "result")
	if r.Input.Messages == 0 {
		r.Input.Messages = 1
	}
	r.SiteNames = rapid.SliceOfNDistinct(rapid.String(), 0, 4, rapid.ID[string]).Draw(t, "site_names")
	r.Sites, r.PairNames, r.Between = map[string]*result.Site{}, nil, map[string]*result.Between{}
	for i, name := range r.SiteNames {
		s := new(result.Site)
		fill(t, reflect.ValueOf(s).Elem(), name)
		s.Name = name
		r.Sites[name] = s
		for j, other := range r.SiteNames[:i] {
			b := new(result.Between)
			fill(t, reflect.ValueOf(b).Elem(), other+"-"+name)
			b.A, b.B = other, name
			pair := fmt.Sprintf("%d-%d", j, i)
			r.PairNames = append(r.PairNames, pair)
			r.Between[pair] = b
		}
	}
	return r
}

// fill puts random values into everything that v holds.
func fill(t *rapid.T, v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Int, reflect.Int32, reflect.Int64:
		n := rapid.OneOf(rapid.Int64Range(-3, 100), rapid.Int64()).Draw(t, name)
		v.Set(reflect.ValueOf(n).Convert(v.Type()))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64()).Draw(t, name))
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.StringN(0, 8, -1), rapid.String()).Draw(t, name))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, name+" is there") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, name), 3))
		for i := range v.Len() {
			fill(t, v.Index(i), name)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"1ms", "1s", "60s", "day-end"}[:rapid.IntRange(0, 4).Draw(t, name)] {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(t, value, name)
			v.SetMapIndex(reflect.ValueOf(key), value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), v.Type().Field(i).Name)
		}
	}
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
