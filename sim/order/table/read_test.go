package table

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func read(t *testing.T, text string, o Options) (x, y *Column, err error) {
	t.Helper()
	return Read(t.Context(), strings.NewReader(text), "a.csv", o)
}

func TestReadFindsColumns(t *testing.T) {
	for _, c := range []struct {
		name, text       string
		o                Options
		x, y             []int64
		nameX, nameY     string
		kindX, kindYWant Kind
	}{
		{"by header", "a,b\n3,4\n1,2\n", Options{X: "b", Y: "a"}, []int64{4, 2}, []int64{3, 1}, "b", "a", Integers, Integers},
		{"by number, with a header", "a,b\n3,4\n1,2\n", Options{X: "2", Y: "1"}, []int64{4, 2}, []int64{3, 1}, "b", "a", Integers, Integers},
		{"by number, without a header", "3,4\n1,2\n", Options{X: "2", Y: "1"}, []int64{4, 2}, []int64{3, 1}, "2", "1", Integers, Integers},
		{"the rows' own order", "a,b\n3,4\n1,2\n", Options{Y: "a"}, []int64{1, 2}, []int64{3, 1}, "row", "a", Positions, Integers},
		{"one column twice", "7\n8\n", Options{X: "1", Y: "1"}, []int64{7, 8}, []int64{7, 8}, "1", "1", Integers, Integers},
		{"other delimiter, quotes, spaces, byte order mark", "\ufeff\"a\"; b \n 3 ;\"4\"\n", Options{X: "a", Y: "b", Delimiter: ';'},
			[]int64{3}, []int64{4}, "a", "b", Integers, Integers},
		{"the whole range", "y\n-9223372036854775808\n9223372036854775807\n", Options{Y: "y"}, []int64{1, 2},
			[]int64{math.MinInt64, math.MaxInt64}, "row", "y", Positions, Integers},
		{"a row that ends early behind the columns", "a,b,c\n1,2,3\n4,5\n", Options{X: "a", Y: "b"}, []int64{1, 4}, []int64{2, 5}, "a", "b", Integers, Integers},
		{"times, also in another zone", "t\n1970-01-01T00:00:00.000000001Z\n1970-01-01T01:00:01+01:00\n", Options{Y: "t"}, []int64{1, 2},
			[]int64{1, 1_000_000_000}, "row", "t", Positions, Times},
	} {
		x, y, err := read(t, c.text, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(x.Keys, c.x) || !slices.Equal(y.Keys, c.y) || x.Name != c.nameX || y.Name != c.nameY ||
			x.Kind != c.kindX || y.Kind != c.kindYWant {
			t.Errorf("%s: x %+v y %+v", c.name, x, y)
		}
	}
}

func TestReadErrorsSayWhereAndWhatToDo(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"", Options{Y: "1"}, "a.csv: holds no rows"},
		{"a,b\n", Options{Y: "a"}, "a.csv: holds a header and no rows"},
		{"a,b\n1,2\n", Options{Y: "c"}, `a.csv: no column is called "c"; the first row has "a", "b"`},
		{"a;b\n1;2\n", Options{Y: "b"}, `a.csv: no column is called "b"; the first row is "a;b" in one piece; say --delimiter ';'`},
		{"a\tb\n1\t2\n", Options{Y: "b"}, `a.csv: no column is called "b"; the first row is "a\tb" in one piece; say --delimiter tab`},
		{"\"a\";\"b\"\n", Options{Y: "b"}, `a.csv:1: character 3: extraneous or missing " in quoted-field; if something else than ',' stands between values, say --delimiter`},
		{"a,b\n1,2\n", Options{X: "3", Y: "a"}, "a.csv: no column 3 for --x; the first row has 2"},
		{"a,a\n1,2\n", Options{Y: "a"}, `a.csv: columns 1 and 2 are both called "a"; say --y 1 or --y 2`},
		{"a,b\n1,2\n1,x\n", Options{Y: "b"}, `a.csv:3: column "b": "x" is not an integer, a decimal or an RFC 3339 time`},
		{"a,b\n1,2\n1\n", Options{Y: "b"}, `a.csv:3: column "b": the row ends after 1 columns`},
		{"a,b\n1,\n", Options{Y: "b"}, `a.csv:2: column "b": empty; leave such rows out`},
		{"a\nNaN\n", Options{Y: "a"}, `a.csv:2: column "a": "NaN" is not an integer, a decimal or an RFC 3339 time`},
		{"a\n1\ninf\n", Options{Y: "a"}, `a.csv:3: column "a": "inf" is not`},
		{"a\n9223372036854775808\n", Options{Y: "a"}, `a.csv:2: column "a": 9223372036854775808 does not fit in a 64-bit integer`},
		{"a\n1\n2025-01-01T00:00:00Z\n", Options{Y: "a"}, `a.csv:3: column "a": "2025-01-01T00:00:00Z" is a time, and the values before it are integers`},
		{"a\n2025-01-01T00:00:00Z\n1\n", Options{Y: "a"}, `a.csv:3: column "a": "1" is not an RFC 3339 time as the values before it are`},
		{"a\n2500-01-01T00:00:00Z\n", Options{Y: "a"}, `lies outside the years 1678 to 2261`},
		{"a\n\"x\ny\"\n", Options{Y: "a"}, `a.csv:2: column "a": "x\ny" is not`},
		{"a\n\"1\n", Options{Y: "a"}, `a.csv:2: character 4: extraneous or missing " in quoted-field`},
		{strings.Repeat("long", 20) + "\n" + strings.Repeat("word", 20) + "\n", Options{Y: "1"}, `a.csv:2: column "longlonglonglonglonglonglonglonglonglong...": "wordwordwordwordwordwordwordwordwordword..." is not an integer`},
		{"PAR1\x15\x04", Options{Y: "a"}, "a.csv: is a Parquet file, and columns are read from CSV"},
		{"\x1f\x8bnonsense", Options{Y: "a"}, "a.csv: gzip: invalid header"},
	} {
		_, _, err := read(t, c.text, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestReadUnpacksGzipAndTellsOfABrokenOne(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte("a\n" + strings.Repeat("1\n2\n", 5000)))
	w.Close()
	_, y, err := Read(t.Context(), bytes.NewReader(packed.Bytes()), "a.csv.gz", Options{Y: "a"})
	if err != nil || len(y.Keys) != 10_000 {
		t.Fatal(len(y.Keys), err)
	}
	_, _, err = Read(t.Context(), bytes.NewReader(packed.Bytes()[:packed.Len()-9]), "a.csv.gz", Options{Y: "a"})
	if err == nil || !strings.Contains(err.Error(), "a.csv.gz: after") {
		t.Fatalf("cut short: %v", err)
	}
}

func TestReadStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Read(ctx, strings.NewReader("a\n1\n"), "a.csv", Options{Y: "a"}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// Keys of decimals have exactly the order and the ties of the values, also when
// integers come first.
func TestDecimalKeysKeepTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Column
		var values []float64
		add := func(text string, value float64) {
			if err := c.add(text); err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		for _, i := range rapid.SliceOfN(rapid.Int64Range(-1000, 1000), 0, 5).Draw(t, "integers first") {
			add(format(float64(i)), float64(i))
		}
		add("-0.0", 0)
		add("0.0", 0)
		for _, f := range rapid.SliceOf(rapid.OneOf(rapid.Float64(), rapid.Float64Range(-2, 2))).Draw(t, "decimals") {
			add(format(f), f)
		}
		if c.Kind != Decimals || len(c.Keys) != len(values) {
			t.Fatalf("%+v", c)
		}
		for i, a := range values {
			for j, b := range values {
				if (a < b) != (c.Keys[i] < c.Keys[j]) || (a == b) != (c.Keys[i] == c.Keys[j]) {
					t.Fatalf("%v and %v have keys %d and %d", a, b, c.Keys[i], c.Keys[j])
				}
			}
		}
	})
}

func format(f float64) string { return (&Column{Kind: Decimals}).format(difference{float: f}) }

// Whatever the bytes, reading ends without a panic, and what it gives is whole.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "1,2\n3,4\n", "a\n1.5\n2\n", "\x1f\x8b\x08", "\"", "a;b\n1;2", "t,u\n2025-01-01T00:00:00Z,1\n"} {
		f.Add([]byte(seed), "1", "a")
		f.Add([]byte(seed), "", "2")
	}
	f.Fuzz(func(t *testing.T, data []byte, x, y string) {
		if y == "" {
			t.Skip("the command asks for a y")
		}
		a, b, err := Read(context.Background(), bytes.NewReader(data), "f", Options{X: x, Y: y})
		if err != nil {
			return
		}
		if len(a.Keys) != len(b.Keys) || len(a.Keys) == 0 {
			t.Fatalf("%d x and %d y", len(a.Keys), len(b.Keys))
		}
		var out bytes.Buffer
		report := Measure("f", a, b)
		if err := errors.Join(report.Text(&out), report.JSON(&out)); err != nil {
			t.Fatal(err)
		}
	})
}
