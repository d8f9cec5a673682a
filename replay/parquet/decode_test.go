package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"pgregory.net/rapid"
)

// TestDecodersTakeWhatIsThere encodes numbers with the Parquet library and
// decodes them: whole they come back; with one value more or less asked for, or
// bytes missing, there is an error.
func TestDecodersTakeWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 20).Draw(t, "width")
		list := rapid.SliceOfN(rapid.Int32Range(0, 1<<width-1), 1, 700).Draw(t, "values")
		if rapid.Bool().Draw(t, "runs") {
			for i := range list {
				list[i] = list[i/90*90]
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "zeros") == 0 {
			clear(list)
		}
		n := len(list)

		b, err := new(rle.DictionaryEncoding).EncodeInt32(nil, list)
		if err != nil {
			t.Fatal(err)
		}
		got, err := indexes(nil, b, n)
		if err != nil || !slices.Equal(got, list) {
			t.Fatalf("indexes: %v, %v", got, err)
		}
		zero := !slices.ContainsFunc(list, func(v int32) bool { return v != 0 })
		if runs, err := indexRuns(b, n); err != nil || allZero(runs, n) != zero {
			t.Fatalf("all zero: %v, %v", !zero, err)
		}
		if _, err := indexes(nil, b, n+8); err == nil {
			t.Fatal("indexes: eight more are there")
		}
		if _, err := indexes(nil, b[:len(b)-1], n); err == nil && n%8 == 0 {
			t.Fatal("indexes: nothing is missed of the last byte")
		}

		wide := make([]int64, n)
		for i, v := range list {
			wide[i] = int64(v) << (3 * (i % 9))
		}
		b, err = new(delta.BinaryPackedEncoding).EncodeInt64(nil, wide)
		if err != nil {
			t.Fatal(err)
		}
		d := newDecoder(&format.SchemaElement{Type: nullType(format.Int64)}, pageBytesSmall)
		v, err := d.values(format.DeltaBinaryPacked, append(slices.Clip(b), "more"...), n)
		if err != nil || !slices.Equal(v.Int64(), wide) {
			t.Fatalf("delta: %v", err)
		}
		for _, other := range []int{n - 1, n + 1} {
			if _, err := d.values(format.DeltaBinaryPacked, b, other); err == nil {
				t.Fatalf("delta: %d values of %d", other, n)
			}
		}
		if n > 1 && !allSame(wide) {
			if _, err := d.values(format.DeltaBinaryPacked, b[:len(b)/2], n); err == nil {
				t.Fatal("delta: half of the bytes do")
			}
		}
	})
}

func nullType(t format.Type) (v thrift.Null[format.Type]) { v.V, v.Valid = t, true; return v }

func TestRunsThatCannotBe(t *testing.T) {
	uvarint := func(v uint64) []byte { return binary.AppendUvarint(nil, v) }
	for _, c := range []struct {
		name  string
		bytes []byte
		width int
		n     int
		ok    bool
	}{
		{"a run of all", append(uvarint(100<<1), 7), 8, 100, true},
		{"a run of none", append(uvarint(0), 7), 8, 100, false},
		{"packed groups of none", uvarint(1), 8, 8, false},
		{"a run of a billion", append(uvarint(1e9<<1), 7), 8, 100, false},
		{"a billion groups of no bits", uvarint(1e9<<1 | 1), 0, 100, false},
		{"a run of no bits", uvarint(100 << 1), 0, 100, true},
		{"too few", append(uvarint(99<<1), 7), 8, 100, false},
		{"nothing", nil, 8, 1, false},
		{"no value", uvarint(100 << 1), 8, 100, false},
		{"padded groups", append(uvarint(63<<1|1), make([]byte, 63*8)...), 8, 3, true},
		{"Impala's last group, cut to what is needed", append(uvarint(1<<1|1), 1, 2, 3), 8, 3, true},
		{"cut below that", append(uvarint(1<<1|1), 1, 2), 8, 3, false},
		{"a number without end", bytes.Repeat([]byte{0xff}, 20), 8, 3, false},
	} {
		if _, err := hybrid(c.bytes, c.width, c.n); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestUnpackTakesTheSizeThatWasSaid(t *testing.T) {
	text := []byte(strings.Repeat("messages in order, ", 5000))
	for _, codec := range []compress.Codec{&pq.Snappy, &pq.Gzip, &pq.Zstd, &pq.Brotli, &pq.Lz4Raw} {
		packed, err := codec.Encode(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		kind := codec.CompressionCodec()
		out := make([]byte, len(text))
		if err := unpack(kind, out, packed); err != nil || !bytes.Equal(out, text) {
			t.Errorf("%s: %v", kind, err)
		}
		for _, size := range []int{1, len(text) - 1, len(text) + 1} {
			if err := unpack(kind, make([]byte, size), packed); err == nil {
				t.Errorf("%s: %d bytes taken for %d", kind, len(text), size)
			}
		}
		if err := unpack(kind, out, packed[:len(packed)/2]); err == nil {
			t.Errorf("%s: half of it unpacks to all", kind)
		}
	}
}

// TestFootersThatAskForTooMuch has footers that announce lists and strings of
// gigabytes.
func TestFootersThatAskForTooMuch(t *testing.T) {
	list := func(kind byte, n uint64) []byte {
		return append([]byte{0x15, 2, 0x19, 0xf0 | kind}, binary.AppendUvarint(nil, n)...)
	}
	deep := bytes.Repeat([]byte{0x1c}, 200_000)
	for name, footer := range map[string][]byte{
		"a list of 2^31 structs":  append(list(12, 1<<31-1), make([]byte, 60)...),
		"a list of 2^60 booleans": list(1, 1<<60),
		"a string of 2^31 bytes":  append([]byte{0x18}, binary.AppendUvarint(nil, 1<<31-1)...),
		"structs in structs":      deep,
		"lists in lists":          bytes.Repeat([]byte{0x19}, 200_000),
	} {
		file := append([]byte("PAR1"), footer...)
		file = binary.LittleEndian.AppendUint32(file, uint32(len(footer)))
		file = append(file, "PAR1"...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := OpenReader("x.parquet", bytes.NewReader(file), int64(len(file)), Options{})
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: took %d bytes", name, took)
		}
	}
}

// TestPagesThatAskForTooMuch takes a capture whose page says that it unpacks to
// more than such a file can be worth.
func TestPagesThatAskForTooMuch(t *testing.T) {
	zeros := make([]byte, 64<<20)
	content := bytesOf(t, []struct {
		TS    int64  `parquet:"ts,timestamp(millisecond)"`
		Value []byte `parquet:"value"`
	}{{1, zeros}}, pq.Compression(&pq.Zstd), pq.DataPageStatistics(false), pq.SkipPageBounds("value"))
	if len(content) > 20_000 {
		t.Fatalf("%d bytes", len(content))
	}
	_, err := readBytes("x.parquet", content)
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), `column "value"`) {
		t.Errorf("%v", err)
	}
}

func TestInt96(t *testing.T) {
	for _, c := range []struct {
		day  int32
		ns   int64
		want int64
	}{
		{2440588, 0, 0},
		{2440588, 999_999, 0},
		{2440588, -1, -1},
		{2440587, 86_399_999_999_999, -1},
		{2440588, 86_400_000_000_000, 86_400_000},
		{0, 0, -210866803200000},
		{2147483647, 86_399_999_000_000, 185331720383999},
	} {
		x := int96(0)
		x[0], x[1], x[2] = uint32(c.ns), uint32(c.ns>>32), uint32(c.day)
		if c.day == 2147483647 {
			c.want = (int64(c.day)-2440588)*86_400_000 + 86_399_999
		}
		if got := int96Ms(x); got != c.want {
			t.Errorf("day %d, %d ns: %d, want %d", c.day, c.ns, got, c.want)
		}
	}
}

func TestPlaceOf(t *testing.T) {
	for path, want := range map[string]place{
		"orders.parquet":                              {"orders", 0, -1, -1, byDefault, byDefault},
		"a/b/2026-01-31.snappy.parquet":               {"2026-01-31", 0, -1, -1, byDefault, byDefault},
		"a/x-2026-01-31.parquet":                      {"x-2026-01-31", 0, -1, -1, byDefault, byDefault},
		"topics/o/partition=3/o+3+0000000012.parquet": {"o", 3, 12, -1, byPath, byPath},
		"o+3+12+99.avro.parquet":                      {"o+3+12+99.avro", 0, -1, -1, byDefault, byDefault},
		"a+b+3+12+99.parquet":                         {"a+b", 3, 12, 99, byPath, byPath},
		"my-topic-1-77.gz":                            {"my-topic", 1, 77, -1, byPath, byPath},
		"o/partition=4/part-0.parquet":                {"o", 4, -1, -1, byPath, byPath},
		"topic=x/partition=4/part-0.parquet":          {"x", 4, -1, -1, byPath, byPath},
		"year=2026/partition=4/part-0.parquet":        {"part-0", 4, -1, -1, byDefault, byPath},
		"partition=x/part-0.parquet":                  {"part-0", 0, -1, -1, byDefault, byDefault},
		"o+99999999999+1.parquet":                     {"o+99999999999+1", 0, -1, -1, byDefault, byDefault},
	} {
		if got := placeOf(path); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
}

func TestCompareNatural(t *testing.T) {
	list := []string{"a-1", "a-02", "a-2", "a-10", "a-10b", "a-11", "b"}
	for i := range list {
		for j := range list {
			if got := compareNatural(list[i], list[j]); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%s, %s: %d", list[i], list[j], got)
			}
		}
	}
}
