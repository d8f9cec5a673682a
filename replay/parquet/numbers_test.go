package parquet

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
)

type numbersRow struct {
	Int    int64    `parquet:"lag_ms"`
	Maybe  *int32   `parquet:"maybe,optional"`
	Float  float32  `parquet:"f32"`
	Double *float64 `parquet:"f64,optional"`
	Small  uint32   `parquet:"u32"`
	Text   string   `parquet:"text"`
	Time   int64    `parquet:"time,timestamp(millisecond)"`
	Many   []int64  `parquet:"many,list"`
}

func numbersFile(t *testing.T, rows ...numbersRow) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "numbers.parquet")
	if err := pq.WriteFile(path, rows, pq.MaxRowsPerRowGroup(2)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadNumbers(t *testing.T) {
	path := numbersFile(t,
		numbersRow{Int: 1, Float: 0.5, Double: ptr(1e-3), Small: 1},
		numbersRow{Int: -2, Maybe: ptr(int32(-7)), Float: 2, Small: math.MaxUint32},
		numbersRow{Int: 3, Maybe: ptr(int32(9)), Float: -1.25, Double: ptr(-2.5004)},
	)
	for column, want := range map[string][]int64{
		"lag_ms": {1000, -2000, 3000},
		"LAG_MS": {1000, -2000, 3000},
		"maybe":  {-7000, 9000},
		"f32":    {500, 2000, -1250},
		"f64":    {1, -2500},
		"u32":    {1000, math.MaxUint32 * 1000, 0},
	} {
		var got []int64
		if err := ReadNumbers(path, column, 1000, func(v []int64) { got = append(got, v...) }); err != nil {
			t.Errorf("%s: %v", column, err)
		} else if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
}

func TestReadNumbersErrors(t *testing.T) {
	path := numbersFile(t, numbersRow{Int: 1 << 60, Double: ptr(math.NaN()), Float: float32(math.Inf(1))})
	cut := filepath.Join(t.TempDir(), "cut.parquet")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, whole[:len(whole)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, column, want string }{
		{path, "lag", `there is no column "lag"; its columns are lag_ms (INT64`},
		{path, "many.list.element", `there is no column "many.list.element"`},
		{path, "lag_ms", `column "lag_ms": row 0: value 1152921504606846976 times 1000 is too large`},
		{path, "f64", `column "f64": row 0: value NaN is no number of a size that fits`},
		{path, "f32", `column "f32": row 0: value +Inf is no number of a size that fits`},
		{path, "text", `column "text": row 0: not supported: its type is BYTE_ARRAY`},
		{path, "time", `column "time": row 0: not supported: its type is INT64`},
		{cut, "lag_ms", "not a whole Parquet file"},
		{filepath.Join(t.TempDir(), "none"), "lag_ms", "no such file"},
	} {
		err := ReadNumbers(test.path, test.column, 1000, func([]int64) {})
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.path) {
			t.Errorf("%s: error %v, want %s", test.column, err, test.want)
		}
	}
}
