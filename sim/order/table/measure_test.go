package table

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func measured(t *testing.T, text string, o Options) *Report {
	t.Helper()
	x, y, err := read(t, text, o)
	if err != nil {
		t.Fatal(err)
	}
	return Measure("a.csv", x, y)
}

// RFC 4737, section 7.3, with arrival times in ms as x, given in another order.
const rfc73 = "arrival,sequence\n250,4\n252,5\n256,6\n68,1\n88,2\n108,3\n188,7\n208,8\n228,9\n248,10\n268,11\n"

func TestMeasureRFC4737Example(t *testing.T) {
	r := measured(t, rfc73, Options{X: "arrival", Y: "sequence"})
	if r.Reordering.Reordered != 3 || r.Reordering.Extent.P50 != "5" || r.Reordering.Extent.Max != "6" ||
		r.Reordering.Late.P50 != "64" || r.Reordering.Late.Max != "68" || r.Reordering.Discontinuities != 1 {
		t.Errorf("%+v", r.Reordering)
	}
	for i, want := range []Count{{4, 1}, {5, 1}, {6, 1}} {
		if r.Reordering.Extents[i] != want {
			t.Errorf("extents %v", r.Reordering.Extents)
		}
	}
	// Only 4 is n-reordered, with n = 4, hence also with 1, 2 and 3: by Definition 2
	// a share of 1/11 each.
	if n := r.Reordering.NReordered; len(n) != 1 || n[0] != (NReordered{4, 1, 1. / 11}) {
		t.Errorf("n-reordered %v", n)
	}
}

// The first case of RFC 5236, section 8: RD -2 .125, -1 .125, 0 .5, 1 .125, 2 .125;
// RBD 0 .625, 1 .25, 2 .125.
func TestMeasureRFC5236Example(t *testing.T) {
	d := measured(t, "y\n1\n4\n2\n5\n3\n6\n7\n8\n", Options{Y: "y"}).Densities
	if want := []Count{{-2, 1}, {-1, 1}, {0, 4}, {1, 1}, {2, 1}}; !slices.Equal(d.Displacements, want) {
		t.Errorf("rd %v, want %v", d.Displacements, want)
	}
	if want := []Count{{0, 5}, {1, 2}, {2, 1}}; !slices.Equal(d.Occupancies, want) {
		t.Errorf("rbd %v, want %v", d.Occupancies, want)
	}
	if d.TooEarly.Max != "2" || d.TooLate.P50 != "1" || d.Waiting.P50 != "0" || d.Waiting.Max != "2" {
		t.Errorf("%+v", d)
	}
	sorted := measured(t, "y\n1\n2\n", Options{Y: "y"}).Densities
	if sorted.TooEarly != nil || sorted.TooLate != nil || sorted.Waiting.Max != "0" {
		t.Errorf("in order: %+v", sorted)
	}
}

// Late times of times come in seconds, of decimals as float64 subtracts them.
func TestMeasureLateTimesByKind(t *testing.T) {
	times := measured(t, "x,y\n2025-01-01T00:00:00Z,2\n2025-01-01T00:00:00.0625Z,1\n", Options{X: "x", Y: "y"})
	if l := times.Reordering.Late; l.Max != "0.0625" || l.Unit != "s" {
		t.Errorf("times: %+v", l)
	}
	whole := measured(t, "x,y\n2025-01-01T00:00:00Z,2\n2025-01-01T00:01:40Z,1\n", Options{X: "x", Y: "y"})
	if l := whole.Reordering.Late; l.Max != "100" {
		t.Errorf("whole seconds: %+v", l)
	}
	decimals := measured(t, "x,y\n0.5,2\n0.75,1\n", Options{X: "x", Y: "y"})
	if l := decimals.Reordering.Late; l.Max != "0.25" || l.Unit != "of x" {
		t.Errorf("decimals: %+v", l)
	}
	rows := measured(t, "y\n2\n1\n", Options{Y: "y"})
	if rows.Reordering.Late != nil || rows.Reordering.Behind.Max != "1" {
		t.Errorf("positions: %+v", rows.Reordering)
	}
	wide := measured(t, "x,y\n-9223372036854775808,2\n9223372036854775807,1\n", Options{X: "x", Y: "y"})
	if l := wide.Reordering.Late; l.Max != "18446744073709551615" {
		t.Errorf("the whole range: %+v", l)
	}
	huge := measured(t, "x,y\n-1.7e308,2\n1.7e308,1\n", Options{X: "x", Y: "y"})
	if _, err := huge.Reordering.Late.Max.Float64(); err != nil {
		t.Errorf("huge decimals: %v", err)
	}
}

// What is not defined is null in JSON, never 0.
func TestMeasureTellsTheUndefined(t *testing.T) {
	var out bytes.Buffer
	if err := measured(t, "x,y\n1,2\n2,2\n", Options{X: "x", Y: "y"}).JSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Pairs map[string]any `json:"pairs"`
		RFC   map[string]any `json:"rfc4737"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tau_b", "discordant_share"} {
		if v, there := got.Pairs[name]; !there || v != nil {
			t.Errorf("%s is %v", name, v)
		}
	}
	if got.Pairs["tau_a"] != 0. || got.RFC["late"] != nil {
		t.Errorf("%v", got)
	}
	single := measured(t, "5\n", Options{Y: "1"})
	if single.Pairs.TauA != nil || single.Rows != 1 {
		t.Errorf("%+v", single.Pairs)
	}
}

func TestTextKeepsTo80Columns(t *testing.T) {
	var out bytes.Buffer
	if err := measured(t, rfc73, Options{X: "1", Y: "2"}).Text(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if len(strings.TrimRight(line, "\n")) > 80 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}

// Real sensor events in the order in which the server received them. Published
// with the data (Weiss, Jimenez, Zeiner: Dataset for out-of-order event stream
// processing, IoTBDS 2017): 1544, 3666 and 3277 events out of order.
func TestMeasurePublishedDisorder(t *testing.T) {
	shared, set := os.LookupEnv("TWINDRIFT_SHARED")
	if !set {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	dir := filepath.Join(shared, "data", "streams", "ooo-dataset")
	if _, err := os.Stat(dir); err != nil {
		if set {
			t.Fatalf("TWINDRIFT_SHARED is set: %v", err)
		}
		t.Skipf("REAL STREAMS ABSENT, NOT TESTED: %v; set TWINDRIFT_SHARED", err)
	}
	for file, want := range map[string]int{"d-1.csv": 1544, "d-2.csv": 3666, "d-3.csv": 3277} {
		f, err := os.Open(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		x, y, err := Read(t.Context(), f, file, Options{Y: "S.Client.Detection.Time", Delimiter: ';'})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := Measure(file, x, y).Reordering.Reordered; got != want {
			t.Errorf("%s: %d out of order, published %d", file, got, want)
		}
	}
}
