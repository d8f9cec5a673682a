package parquet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"twindrift/replay"
)

// writeRows makes a Parquet file of rows as others would.
func writeRows[T any](t testing.TB, path string, rows []T, opts ...pq.WriterOption) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := pq.NewGenericWriter[T](f, opts...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// layoutCase is a layout of others: how it is written, and what is to be read.
type layoutCase struct {
	name  string
	write func(t *testing.T, dir string) // below dir
	opts  Options
	want  []message
	notes []string // kinds
	err   string   // what the error says, after the folder
}

func hash(s string) uint64 { return xxhash.Sum64String(s) }

// int96 is ns since the Unix epoch as Spark writes it.
func int96(ns int64) deprecated.Int96 {
	day := floorDiv(ns, 86_400_000_000_000)
	rest := ns - day*86_400_000_000_000
	return deprecated.Int96{uint32(rest), uint32(rest >> 32), uint32(day + 2440588)}
}

const at = 1767323045678 // 2026-01-02T03:04:05.678Z

var layouts = []layoutCase{
	{
		name: "Spark's Kafka source, INT96",
		write: func(t *testing.T, dir string) {
			type row struct {
				Key           []byte           `parquet:"key,optional"`
				Value         []byte           `parquet:"value,optional"`
				Topic         string           `parquet:"topic,optional"`
				Partition     *int32           `parquet:"partition,optional"`
				Offset        *int64           `parquet:"offset,optional"`
				Timestamp     deprecated.Int96 `parquet:"timestamp"`
				TimestampType *int32           `parquet:"timestampType,optional"`
			}
			writeRows(t, dir+"/part-00000-abc.snappy.parquet", []row{
				{[]byte("k"), []byte("vvv"), "orders", ptr(int32(3)), ptr(int64(0)), int96(at*1e6 + 999_999), ptr(int32(0))},
				{nil, nil, "orders", ptr(int32(3)), ptr(int64(1)), int96(-1500_000_001), ptr(int32(1))},
				{[]byte("x"), []byte("v"), "orders", ptr(int32(3)), ptr(int64(4)), int96(-1e6), ptr(int32(-1))},
			}, pq.Compression(&pq.Snappy))
			writeRows(t, dir+"/_SUCCESS.parquet", []row{{Topic: "not to be read"}})
		},
		want: []message{
			{"orders", 3, 0, at, 0, hash("k"), 1, 3},
			{"orders", 3, 1, -1501, 1, 0, -1, -1},
			{"orders", 3, 4, -1, -1, hash("x"), 1, 1},
		},
		notes: []string{"gaps"},
	},
	{
		name: "Spark's Kafka source, TIMESTAMP in microseconds",
		write: func(t *testing.T, dir string) {
			type row struct {
				Topic     string `parquet:"topic,dict"`
				Partition int32  `parquet:"partition"`
				Offset    int64  `parquet:"offset"`
				Timestamp *int64 `parquet:"timestamp,optional,timestamp(microsecond)"`
			}
			writeRows(t, dir+"/a.parquet", []row{{"a", 0, 7, ptr(int64(at*1000 + 999))}, {"b", 0, 7, ptr(int64(-1001))}})
		},
		want: []message{{"a", 0, 7, at, 0, 0, -1, 0}, {"b", 0, 7, -2, 0, 0, -1, 0}},
	},
	{
		name: "nanoseconds, local",
		write: func(t *testing.T, dir string) {
			type row struct {
				Timestamp int64 `parquet:"TimeStamp,timestamp(nanosecond:local)"`
				Partition int32 `parquet:"PARTITION"`
				Offset    int64 `parquet:"kafka_offset"`
				Topic     string
			}
			writeRows(t, dir+"/a.parquet", []row{{at*1e6 + 1, 1, 2, "t"}, {-1, 1, 3, "t"}})
		},
		want:  []message{{"t", 1, 2, at, 0, 0, -1, 0}, {"t", 1, 3, -1, -1, 0, -1, 0}},
		notes: []string{"zone"},
	},
	{
		name: "Kafka Connect S3",
		write: func(t *testing.T, dir string) {
			type row struct {
				Price float64 `parquet:"price"`
				Made  int64   `parquet:"made"`
			}
			base := dir + "/topics/or.ders-x/partition=12/or.ders-x+12+"
			writeRows(t, base+"0000000009.snappy.parquet", []row{{1, at}, {2, at + 1}})
			writeRows(t, base+"0000000011.snappy.parquet", []row{{3, at + 2}})
			writeRows(t, base+"0000000009.keys.parquet", []struct{ Key string }{{"k"}})
			writeRows(t, base+"0000000009.headers.parquet", []struct{ Key string }{{"k"}})
			writeRows(t, dir+"/topics/+tmp/or.ders-x/partition=12/x.parquet", []row{{3, 1}})
			writeRows(t, dir+"/topics/.hidden.parquet", []row{{3, 1}})
			if err := os.WriteFile(dir+"/topics/readme.txt", []byte("not Parquet"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		opts: Options{Map: map[string]string{"timestamp": "made", "key_hash": "price"}},
		want: []message{
			{"or.ders-x", 12, 9, at, 0, 0xb1, 8, 0}, // hashes are set below
			{"or.ders-x", 12, 10, at + 1, 0, 0, 8, 0},
			{"or.ders-x", 12, 11, at + 2, 0, 0, 8, 0},
		},
		notes: []string{"from-path"},
	},
	{
		name: "Kafka Connect S3 without a time",
		write: func(t *testing.T, dir string) {
			writeRows(t, dir+"/t/partition=0/t+0+0000000000.parquet", []struct {
				Price float64 `parquet:"price"`
				Made  int64   `parquet:"made"`
			}{{1, 2}})
		},
		err: "/t/partition=0/t+0+0000000000.parquet: no column that looks like a timestamp; say which with --map timestamp=COLUMN; its columns are price (DOUBLE), made (INT64",
	},
	{
		name: "HDFS sink",
		write: func(t *testing.T, dir string) {
			type row struct {
				TS int64 `parquet:"ts"`
			}
			writeRows(t, dir+"/t+1+5+6.parquet", []row{{at}, {at + 5}})
			writeRows(t, dir+"/t+1+7+10.parquet", []row{{at + 6}}) // tombstones were left out
		},
		want:  []message{{"t", 1, 5, at, 0, 0, -1, 0}, {"t", 1, 6, at + 5, 0, 0, -1, 0}, {"t", 1, 7, at + 6, 0, 0, -1, 0}},
		notes: []string{"from-path"},
	},
	{
		name: "HDFS sink with too many rows for its name",
		write: func(t *testing.T, dir string) {
			writeRows(t, dir+"/t+1+5+6.parquet", []struct {
				TS int64 `parquet:"ts"`
			}{{at}, {at}, {at}})
		},
		err: "/t+1+5+6.parquet: corrupt: its name gives it offsets 5 to 6, but it has 3 rows",
	},
	{
		name: "Aiven",
		write: func(t *testing.T, dir string) {
			type row struct {
				Key       string `parquet:"key,optional"`
				Offset    int64  `parquet:"offset"`
				Timestamp int64  `parquet:"timestamp"`
				Value     string `parquet:"value"`
			}
			writeRows(t, dir+"/my-topic-4-100", []row{{"", 100, at, "ab"}, {"k", 102, at + 1, ""}}) // "" is NULL where optional
			writeRows(t, dir+"/my-topic-4-103.gz", []row{{"k", 103, -1, ""}})
		},
		want: []message{
			{"my-topic", 4, 100, at, 0, 0, -1, 2},
			{"my-topic", 4, 102, at + 1, 0, hash("k"), 1, 0},
			{"my-topic", 4, 103, -1, -1, hash("k"), 1, 0},
		},
		notes: []string{"from-path", "gaps"},
	},
	{
		name: "KonMam",
		write: func(t *testing.T, dir string) {
			type row struct {
				Timestamp int64  `parquet:"timestamp,timestamp(millisecond:local)"`
				Key       []byte `parquet:"key,optional"`
				Value     []byte `parquet:"value,optional"`
				Partition int32  `parquet:"partition"`
				Offset    int64  `parquet:"offset"`
			}
			writeRows(t, dir+"/dump.parquet", []row{{at, []byte("a"), []byte("b"), 1, 5}, {at, nil, nil, 0, 5}})
		},
		want:  []message{{"dump", 0, 5, at, 0, 0, -1, -1}, {"dump", 1, 5, at, 0, hash("a"), 1, 1}},
		notes: []string{"no-topic", "zone"},
	},
	{
		name: "huantt",
		write: func(t *testing.T, dir string) {
			type row struct {
				Value         string `parquet:"value"`
				Topic         string `parquet:"topic"`
				Partition     int32  `parquet:"partition"`
				Offset        string `parquet:"offset"`
				Key           string `parquet:"key"`
				Timestamp     string `parquet:"timestamp"`
				TimestampType string `parquet:"timestamptype"`
			}
			writeRows(t, dir+"/dump-0.parquet", []row{
				{"v", "t", 0, "10", "k", "2026-01-02 03:04:05.678 +0000 UTC", "CreateTime"},
				{"v", "t", 0, "11", "k", "2026-01-02T03:04:05.6789Z", "LogAppendTime"},
				{"v", "t", 0, "12", "k", "2026-01-02 05:04:05+02:00", "CreateTime"},
				{"v", "t", 0, "13", "k", "2026-01-02 03:04:05.5", "NotAvailable"},
			})
		},
		want: []message{
			{"t", 0, 10, at, 0, hash("k"), 1, 1}, {"t", 0, 11, at, 1, hash("k"), 1, 1},
			{"t", 0, 12, at - 678, 0, hash("k"), 1, 1}, {"t", 0, 13, -1, -1, hash("k"), 1, 1},
		},
		notes: []string{"zone"},
	},
	{
		name: "text of digits",
		write: func(t *testing.T, dir string) {
			writeRows(t, dir+"/a.parquet", []struct {
				Timestamp string `parquet:"timestamp"`
			}{{"1767323045"}, {"-1"}, {"1767323046"}})
		},
		want:  []message{{"a", 0, 0, at - 678, 0, 0, -1, 0}, {"a", 0, 1, -1, -1, 0, -1, 0}, {"a", 0, 2, at + 322, 0, 0, -1, 0}},
		notes: []string{"no-topic", "no-partition", "no-offset", "unit"},
	},
	{
		name: "hive folders, rows numbered over files",
		write: func(t *testing.T, dir string) {
			type row struct {
				Timestamp int64 `parquet:"timestamp"`
			}
			writeRows(t, dir+"/topic=a%2Fb/partition=7/part-2.parquet", []row{{at}, {at + 1}})
			writeRows(t, dir+"/topic=a%2Fb/partition=7/part-10.parquet", []row{{at + 2}})
			writeRows(t, dir+"/topic=a%2Fb/partition=7/part-11.parquet", []row{})
		},
		want:  []message{{"a/b", 7, 0, at, 0, 0, -1, 0}, {"a/b", 7, 1, at + 1, 0, 0, -1, 0}, {"a/b", 7, 2, at + 2, 0, 0, -1, 0}},
		notes: []string{"from-path", "no-offset"},
	},
	{
		name: "nested column",
		write: func(t *testing.T, dir string) {
			type meta struct {
				At int64 `parquet:"at"`
			}
			writeRows(t, dir+"/2026-01-02.parquet", []struct {
				Meta *meta `parquet:"meta,optional"`
			}{{&meta{at}}, {&meta{at}}})
		},
		opts:  Options{Map: map[string]string{"timestamp": "meta.at"}},
		want:  []message{{"2026-01-02", 0, 0, at, 0, 0, -1, 0}, {"2026-01-02", 0, 1, at, 0, 0, -1, 0}},
		notes: []string{"no-topic", "no-partition", "no-offset"},
	},
	{
		name: "days",
		write: func(t *testing.T, dir string) {
			writeRows(t, dir+"/a.parquet", []struct {
				Day int32 `parquet:"day,date"`
			}{{20455}, {-1}})
		},
		opts:  Options{Map: map[string]string{"timestamp": "day"}},
		want:  []message{{"a", 0, 0, 20455 * 86400000, 0, 0, -1, 0}, {"a", 0, 1, -86400000, 0, 0, -1, 0}},
		notes: []string{"no-topic", "no-partition", "no-offset"},
	},
}

func init() {
	// A hashed number is hashed as Parquet stores it, little endian.
	for i := range layouts {
		if layouts[i].name == "Kafka Connect S3" {
			for k, bytes := range []string{"\xf0\x3f", "\x00\x40", "\x08\x40"} {
				layouts[i].want[k].hash = hash("\x00\x00\x00\x00\x00\x00" + bytes)
			}
		}
	}
}

func TestLayouts(t *testing.T) {
	for _, c := range layouts {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

func (c *layoutCase) check(t *testing.T) {
	dir := t.TempDir()
	c.write(t, dir)
	var plan *replay.Plan
	var got map[partitionKey][]message
	capture, err := Open([]string{dir}, c.opts)
	if err == nil {
		plan, got, err = readAll(capture)
	}
	if c.err != "" {
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Fatalf("error %v, want %s", err, c.err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want := map[partitionKey][]message{}
	for _, m := range c.want {
		key := partitionKey{m.topic, m.number}
		want[key] = append(want[key], m)
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(message{}, partitionKey{})); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
	var notes []string
	for _, n := range plan.Notes {
		notes = append(notes, n.Kind)
		if len(n.Text) < 20 {
			t.Errorf("note %q says little: %s", n.Kind, n.Text)
		}
	}
	if !slices.Equal(notes, c.notes) {
		t.Errorf("notes %v, want %q", plan.Notes, c.notes)
	}
	withoutNotes := *plan
	withoutNotes.Notes = nil
	if d := cmp.Diff(oraclePlan(want), &withoutNotes); d != "" {
		t.Errorf("plan (-want +got):\n%s", d)
	}
}

// TestUnits has plain integers of each unit, alone, mixed and told.
func TestUnits(t *testing.T) {
	scale := map[string]int64{"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}
	for _, unit := range []string{"s", "ms", "us", "ns"} {
		c := layoutCase{
			write: func(t *testing.T, dir string) {
				var rows []plainTime
				for _, s := range []int64{0, 1767323045, 1767323044} {
					rows = append(rows, plainTime{s * scale[unit]})
				}
				rows = append(rows, plainTime{-1})
				writeRows(t, dir+"/a.parquet", rows)
			},
			want:  []message{{"a", 0, 0, 0, 0, 0, -1, 0}, {"a", 0, 1, 1767323045000, 0, 0, -1, 0}, {"a", 0, 2, 1767323044000, 0, 0, -1, 0}, {"a", 0, 3, -1, -1, 0, -1, 0}},
			notes: []string{"no-topic", "no-partition", "no-offset", "unit"},
		}
		if unit == "ms" {
			c.notes = c.notes[:3]
		}
		t.Run(unit, func(t *testing.T) { c.check(t) })
		c.opts.TimestampUnit = unit
		c.notes = c.notes[:3]
		t.Run(unit+" told", func(t *testing.T) { c.check(t) })
	}
}

type plainTime struct {
	TS int64 `parquet:"ts"`
}

func TestUnitsRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		files [][]plainTime
		opts  Options
		err   string
	}{
		{"mixed", [][]plainTime{{{1767323045000}, {1767323045000}, {1767323045000000}}}, Options{},
			`/0.parquet: row group 0: column "ts": row 2: values disagree on the unit: 1767323045000000 (16 digits) looks like us, others like ms; say --timestamp-unit`},
		{"mixed over files", [][]plainTime{{{0}, {1767323045}}, {{1767323045000}}}, Options{},
			`/1.parquet: row group 0: column "ts": row 0: values disagree on the unit: 1767323045000 (13 digits) looks like ms, others like s`},
		{"too small to tell", [][]plainTime{{{0}, {12345}}}, Options{},
			`/0.parquet: column "ts": the timestamps are plain integers and too small to tell their unit (the largest is 12345); say --timestamp-unit s, ms, us or ns`},
		{"too large for ms", [][]plainTime{{{1 << 62}}}, Options{TimestampUnit: "s"},
			`/0.parquet: row group 0: column "ts": row 0: value 4611686018427387904 s does not fit in ms`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := layoutCase{opts: c.opts, err: c.err, write: func(t *testing.T, dir string) {
				for i, rows := range c.files {
					writeRows(t, fmt.Sprintf("%s/%d.parquet", dir, i), rows)
				}
			}}
			l.check(t)
		})
	}
	// Told, any value is taken.
	l := layoutCase{opts: Options{TimestampUnit: "ms"}, notes: []string{"no-topic", "no-partition", "no-offset"},
		write: func(t *testing.T, dir string) {
			writeRows(t, dir+"/a.parquet", []plainTime{{12345}, {1767323045000000}})
		},
		want: []message{{"a", 0, 0, 12345, 0, 0, -1, 0}, {"a", 0, 1, 1767323045000000, 0, 0, -1, 0}}}
	t.Run("told", func(t *testing.T) { l.check(t) })
}

func TestNullTimestamps(t *testing.T) {
	type row struct {
		Topic     string `parquet:"topic"`
		Partition int32  `parquet:"partition"`
		Offset    int64  `parquet:"offset"`
		Timestamp *int64 `parquet:"timestamp,optional,timestamp(millisecond)"`
	}
	write := func(t *testing.T, dir string) {
		writeRows(t, dir+"/a.parquet", []row{
			{"t", 0, 0, nil}, {"t", 0, 1, ptr(int64(at))}, {"t", 0, 2, nil}, {"t", 0, 3, ptr(int64(at))}, {"u", 0, 0, nil}, {"t", 0, 9, nil},
		})
	}
	for _, c := range []layoutCase{
		{name: "fail", write: write, err: `/a.parquet: row group 0: column "timestamp": row 0: NULL`},
		{name: "skip", write: write, opts: Options{NullTimestamps: "skip"}, notes: []string{"null-timestamps"},
			want: []message{{"t", 0, 1, at, 0, 0, -1, 0}, {"t", 0, 3, at, 0, 0, -1, 0}}},
		{name: "skip, out of order", opts: Options{NullTimestamps: "skip"}, notes: []string{"null-timestamps", "duplicates-dropped", "gaps"},
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []row{
					{"t", 0, 7, ptr(int64(at))}, {"t", 0, 4, nil}, {"t", 0, 3, ptr(int64(at))}, {"u", 0, 0, nil}, {"t", 0, 7, nil}, {"t", 0, 3, ptr(int64(at + 1))},
				})
			},
			want: []message{{"t", 0, 3, at, 0, 0, -1, 0}, {"t", 0, 7, at, 0, 0, -1, 0}}},
		{name: "none", write: write, opts: Options{NullTimestamps: "none"}, notes: []string{"null-timestamps", "gaps"},
			want: []message{{"t", 0, 0, -1, -1, 0, -1, 0}, {"t", 0, 1, at, 0, 0, -1, 0}, {"t", 0, 2, -1, -1, 0, -1, 0}, {"t", 0, 3, at, 0, 0, -1, 0}, {"t", 0, 9, -1, -1, 0, -1, 0}, {"u", 0, 0, -1, -1, 0, -1, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

func TestWrongColumns(t *testing.T) {
	for _, c := range []layoutCase{
		{name: "NULL offset", err: `/a.parquet: row group 0: column "offset": row 1: NULL`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Offset *int64 `parquet:"offset,optional"`
					TS     int64  `parquet:"ts"`
				}{{ptr(int64(0)), at}, {nil, at}})
			}},
		{name: "NULL partition", err: `column "partition": row 0: NULL`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Partition *int32 `parquet:"partition,optional"`
					TS        int64  `parquet:"ts"`
				}{{nil, at}})
			}},
		{name: "NULL topic", err: `column "topic": row 0: NULL`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Topic *string `parquet:"topic,optional"`
					TS    int64   `parquet:"ts"`
				}{{nil, at}})
			}},
		{name: "negative offset", err: `column "offset": row 1: value -5 is not in 0..`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Offset int64 `parquet:"offset"`
					TS     int64 `parquet:"ts"`
				}{{0, at}, {-5, at}})
			}},
		{name: "offset of DOUBLE", err: `column "offset"`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Offset float64 `parquet:"offset"`
					TS     int64   `parquet:"ts"`
				}{{0, at}})
			}},
		{name: "topic of INT64", err: `column "topic": row 0: not supported: its type is INT64 INT(64,true), wanted is text`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Topic int64 `parquet:"topic"`
					TS    int64 `parquet:"ts"`
				}{{0, at}})
			}},
		{name: "time of DOUBLE", err: `column "ts": not supported: its type is DOUBLE, wanted is a timestamp`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					TS float64 `parquet:"ts"`
				}{{0}})
			}},
		{name: "time of words", err: `column "ts": page 0: dictionary entry 0: "yesterday" is not a date and time`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					TS string `parquet:"ts,dict"`
				}{{"yesterday"}})
			}},
		{name: "offsets in one file only", err: `/b.parquet: topic "t" partition 0 has offsets in some files and none in others`,
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					Topic  string `parquet:"topic"`
					Offset int64  `parquet:"offset"`
					TS     int64  `parquet:"ts"`
				}{{"t", 0, at}})
				writeRows(t, dir+"/b.parquet", []struct {
					Topic string `parquet:"topic"`
					TS    int64  `parquet:"ts"`
				}{{"t", at}})
			}},
		{name: "a list", err: `column "at.list.element" for timestamp is inside a list or map`,
			opts: Options{Map: map[string]string{"timestamp": "at.list.element"}},
			write: func(t *testing.T, dir string) {
				writeRows(t, dir+"/a.parquet", []struct {
					At []int64 `parquet:"at,list"`
				}{{[]int64{at}}})
			}},
		{name: "no rows", err: "no captures: no file there has rows",
			write: func(t *testing.T, dir string) { writeRows(t, dir+"/a.parquet", []plainTime{}) }},
		{name: "no files", err: "no captures in this folder", write: func(t *testing.T, dir string) {}},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

func TestUnsortedFilesAreOrdered(t *testing.T) {
	c := layoutCase{
		write: func(t *testing.T, dir string) {
			type row struct {
				Partition int32 `parquet:"partition"`
				Offset    int64 `parquet:"offset"`
				TS        int64 `parquet:"ts,timestamp(millisecond)"`
			}
			writeRows(t, dir+"/t.parquet", []row{{1, 5, at}, {0, 9, at + 1}, {1, 3, at + 2}, {1, 5, at + 3}, {0, 2, at + 4}}, pq.MaxRowsPerRowGroup(2))
		},
		want:  []message{{"t", 0, 2, at + 4, 0, 0, -1, 0}, {"t", 0, 9, at + 1, 0, 0, -1, 0}, {"t", 1, 3, at + 2, 0, 0, -1, 0}, {"t", 1, 5, at, 0, 0, -1, 0}},
		notes: []string{"no-topic", "duplicates-dropped", "gaps"},
	}
	c.check(t)
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte("this is no Parquet file"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths []string
		opts  Options
		is    error
		says  string
	}{
		{nil, Options{}, ErrNoCapture, "no paths given"},
		{[]string{dir}, Options{}, ErrNoCapture, dir},
		{[]string{dir + "/*.parquet"}, Options{}, ErrNoCapture, "*.parquet"},
		{[]string{dir + "/nosuch"}, Options{}, os.ErrNotExist, dir + "/nosuch: "},
		{[]string{text}, Options{}, ErrNotParquet, "notes.txt: not a whole Parquet file: it begins with"},
		{[]string{text}, Options{TimestampUnit: "m"}, nil, `timestamp unit: "m" is not known`},
		{[]string{text}, Options{NullTimestamps: "m"}, nil, `null timestamps: "m" is not known`},
		{[]string{text}, Options{Map: map[string]string{"time": "m"}}, nil, `a capture has no column "time"; it has topic, partition`},
	} {
		_, err := Open(c.paths, c.opts)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Open(%q, %+v): %v; want %v: %s", c.paths, c.opts, err, c.is, c.says)
		}
	}
}
