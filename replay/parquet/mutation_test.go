package parquet

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
)

// victim is a small capture to be damaged.
type victim struct {
	name    string // stands for its path
	content []byte
	own     bool
}

type foreignRow struct {
	Topic         string `parquet:"topic,dict"`
	Partition     int32  `parquet:"partition"`
	Offset        int64  `parquet:"offset"`
	Timestamp     int64  `parquet:"timestamp,timestamp(microsecond)"`
	TimestampType int32  `parquet:"timestampType"`
	Key           []byte `parquet:"key,optional"`
	Value         []byte `parquet:"value,optional"`
}

// bytesOf writes rows as others would.
func bytesOf[T any](t testing.TB, rows []T, opts ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, opts...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// victims makes one capture of each kind of layout, with two row groups where
// that is simple.
func victims(t testing.TB) []victim {
	rng := rand.New(rand.NewPCG(11, 12))
	all := interleave(rng, makeMessages(rng, 3, 120))
	var own bytes.Buffer
	writeMessagesTo(t, &own, all)

	var foreign []foreignRow
	type text struct {
		Topic     string  `parquet:"topic"`
		Partition *string `parquet:"partition,optional"`
		Offset    string  `parquet:"offset,dict"`
		Timestamp string  `parquet:"timestamp,delta"`
	}
	var texts []text
	type value struct {
		TS    *int64  `parquet:"ts,optional"`
		Price float64 `parquet:"price,split"`
	}
	var values []value
	for i, m := range all {
		ms := 1767323045000 + int64(i)
		foreign = append(foreign, foreignRow{m.topic, m.number, m.offset, ms * 1000, 0, []byte("key"), bytes.Repeat([]byte("v"), i%7)})
		texts = append(texts, text{m.topic, ptr(fmt.Sprint(m.number)), fmt.Sprint(m.offset), "2026-01-02T03:04:05Z"})
		values = append(values, value{ptr(ms), float64(i)})
	}
	rows := pq.MaxRowsPerRowGroup(64)
	return []victim{
		{"own.parquet", own.Bytes(), true},
		{"plain-v1.parquet", bytesOf(t, foreign, rows, pq.DataPageVersion(1)), false},
		{"snappy-v2.parquet", bytesOf(t, foreign, rows, pq.Compression(&pq.Snappy)), false},
		{"gzip-v1.parquet", bytesOf(t, foreign, pq.DataPageVersion(1), pq.Compression(&pq.Gzip)), false},
		{"zstd-text.parquet", bytesOf(t, texts, rows, pq.Compression(&pq.Zstd)), false},
		{"brotli.parquet", bytesOf(t, foreign, pq.Compression(&pq.Brotli)), false},
		{"topics/t/partition=0/t+0+0000000007.lz4.parquet", bytesOf(t, values, rows, pq.Compression(&pq.Lz4Raw)), false},
	}
}

// read is what a capture gave.
type read struct {
	rows  int64 // messages, and those dropped
	count map[partitionKey]int
	list  map[partitionKey][]message
	notes []string
}

func readBytes(name string, content []byte) (*read, error) {
	c, err := OpenReader(name, bytes.NewReader(content), int64(len(content)), Options{})
	if err != nil {
		return nil, err
	}
	plan, list, err := readAll(c)
	if err != nil {
		return nil, err
	}
	r := &read{rows: plan.Messages + noteRows(plan, "duplicates-dropped"), count: map[partitionKey]int{}, list: list}
	sum := int64(0)
	for key, l := range list {
		r.count[key] = len(l)
		sum += int64(len(l))
	}
	if sum != plan.Messages {
		return nil, fmt.Errorf("SILENT: the plan counts %d messages, the stream gave %d", plan.Messages, sum)
	}
	for _, n := range plan.Notes {
		r.notes = append(r.notes, n.Kind)
	}
	return r, nil
}

// damage changes a file in one place, and says how.
func damage(rng *rand.Rand, content []byte) ([]byte, string) {
	n := len(content)
	footer := n - 8 - int(content[n-8]) - int(content[n-7])<<8 - int(content[n-6])<<16
	out := slices.Clone(content)
	switch kind := rng.IntN(10); kind {
	case 0, 1, 2:
		at, bit := footer+rng.IntN(n-footer), rng.IntN(8)
		out[at] ^= 1 << bit
		return out, fmt.Sprintf("bit %d of byte %d of the footer", bit, at)
	case 3, 4, 5:
		at, bit := rng.IntN(footer), rng.IntN(8)
		out[at] ^= 1 << bit
		return out, fmt.Sprintf("bit %d of byte %d of the data", bit, at)
	case 6:
		at := rng.IntN(n)
		return out[:at], fmt.Sprintf("cut off at %d of %d", at, n)
	case 7:
		at := rng.IntN(footer)
		size := 1 + rng.IntN(min(200, footer-at))
		return slices.Delete(out, at, at+size), fmt.Sprintf("bytes %d to %d cut out", at, at+size)
	case 8:
		at := rng.IntN(footer)
		size := 1 + rng.IntN(min(200, footer-at))
		clear(out[at : at+size])
		return out, fmt.Sprintf("bytes %d to %d zeroed", at, at+size)
	default:
		at := footer + rng.IntN(n-footer)
		out[at] = byte(rng.Uint32())
		return out, fmt.Sprintf("byte %d of the footer to %d", at, out[at])
	}
}

const mutations = 1500 // of each victim

// TestDamagedCaptures damages captures in thousands of places. Each must give
// an error, or all rows: as many, and in the partitions where they were unless
// a note says that topics or partitions were not to be had. Our own files must
// give the very messages that were written.
func TestDamagedCaptures(t *testing.T) {
	count := map[string]int{}
	for _, v := range victims(t) {
		whole, err := readBytes(v.name, v.content)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		if v.own != (whole.notes == nil) && v.own {
			t.Logf("%s: notes %q", v.name, whole.notes)
		}
		rng := rand.New(rand.NewPCG(1, uint64(len(v.content))))
		for range mutations {
			damaged, how := damage(rng, v.content)
			got, err := readBytes(v.name, damaged)
			switch {
			case err != nil && bytes.Contains([]byte(err.Error()), []byte("SILENT")):
				t.Errorf("%s: %s: %v", v.name, how, err)
			case err != nil:
				count["an error: "+kindOf(err)]++
			case got.rows != whole.rows:
				t.Errorf("%s: %s: %d rows of %d, without an error", v.name, how, got.rows, whole.rows)
			case v.own && !maps.EqualFunc(got.list, whole.list, slices.Equal[[]message]):
				t.Errorf("%s: %s: other messages, without an error: %s", v.name, how, cmp.Diff(whole.list, got.list, cmp.AllowUnexported(message{}, partitionKey{})))
			case !maps.Equal(got.count, whole.count) && slices.Equal(got.notes, whole.notes):
				t.Errorf("%s: %s: messages went from %v to %v, without a note", v.name, how, whole.count, got.count)
			case maps.EqualFunc(got.list, whole.list, slices.Equal[[]message]):
				count["read as before (what was hit is not read)"]++
			default:
				count["all rows, some otherwise (bytes without a checksum)"]++
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%5d %s", count[k], k)
	}
}

// TestDamagedCorpus does the same to real files, most of them without
// checksums: an error, or as many rows as the footer says.
func TestDamagedCorpus(t *testing.T) {
	dir := corpus(t, "data/parquet/good")
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	count := map[string]int{}
	for _, path := range list {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, refused := refused[filepath.Base(path)]; refused || len(content) > 20_000 {
			continue
		}
		for range 12 {
			damaged, how := damage(rng, content)
			f, err := newFile(path, &bytesAt{in: bytes.NewReader(damaged)}, int64(len(damaged)))
			for i := 0; err == nil && i < len(f.leaves); i++ {
				if f.leaves[i].MaxRepetitionLevel > 0 {
					continue
				}
				var got times
				if got, err = readColumn(f, f.leaves[i], anything{}); err == nil && got.rows != f.pq.Metadata().NumRows {
					t.Errorf("%s: %s: %d rows of %d, without an error", path, how, got.rows, f.pq.Metadata().NumRows)
				}
			}
			if err != nil {
				count["an error: "+kindOf(err)]++
			} else {
				count["read"]++
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%5d %s", count[k], k)
	}
}

// FuzzOpen looks for bytes that make the reader panic, hang, or take more
// memory than the file can be worth.
func FuzzOpen(f *testing.F) {
	for _, v := range victims(f) {
		f.Add(v.content, v.name)
	}
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		if got, err := readBytes(name, content); err == nil && got.rows == 0 {
			t.Error("no rows and no error")
		}
	})
}

// TestEveryBitOfAFooter flips each bit of the footer of a capture of our own:
// an error, or the very messages that were written.
func TestEveryBitOfAFooter(t *testing.T) {
	v := victims(t)[0]
	whole, err := readBytes(v.name, v.content)
	if err != nil {
		t.Fatal(err)
	}
	n := len(v.content)
	errors := 0
	for at := n - 8 - int(v.content[n-8]) - int(v.content[n-7])<<8; at < n; at++ {
		for bit := range 8 {
			damaged := slices.Clone(v.content)
			damaged[at] ^= 1 << bit
			got, err := readBytes(v.name, damaged)
			if err != nil {
				errors++
				continue
			}
			if !maps.EqualFunc(got.list, whole.list, slices.Equal[[]message]) {
				t.Errorf("bit %d of byte %d: other messages, without an error (notes %q)", bit, at, got.notes)
			}
		}
	}
	t.Logf("%d errors", errors)
}
