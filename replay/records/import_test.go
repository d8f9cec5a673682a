package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"twindrift/replay"
	"twindrift/replay/parquet"
)

// kept is an Output that keeps what it is given.
type kept struct {
	partitions []string
	batch      replay.Batch
	keys       []byte
	values     []byte
}

func (k *kept) Partition(topic string, number int32) int32 {
	name := fmt.Sprintf("%s/%d", topic, number)
	for i, p := range k.partitions {
		if p == name {
			return int32(i)
		}
	}
	k.partitions = append(k.partitions, name)
	return int32(len(k.partitions) - 1)
}

func (k *kept) WritePayload(b *replay.Batch, p parquet.Payload) error {
	for i := range b.Len() {
		k.batch.Append(b, i)
	}
	k.keys = append(k.keys, p.Keys...)
	k.values = append(k.values, p.Values...)
	return nil
}

// rows writes what was kept as text: partition, offset, timestamp, type, key
// length, value length, and the optional columns where there are any.
func (k *kept) rows() []string {
	b := &k.batch
	var out []string
	for i := range b.Len() {
		s := fmt.Sprint(k.partitions[b.Partition[i]], " @", b.Offset[i], " ", b.TimestampMs[i], " ", b.TimestampType[i], " k", b.KeyLen[i], " v", b.ValueLen[i])
		if len(b.ProcessedAtMs) > 0 {
			s += fmt.Sprint(" p", b.ProcessedAtMs[i])
		}
		if len(b.MessageID) > 0 {
			s += fmt.Sprint(" id", b.MessageID[i])
		}
		out = append(out, s)
	}
	return out
}

func text(name, content string) Input {
	return Input{Name: name, Bytes: int64(len(content)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

func TestImportFormats(t *testing.T) {
	for _, c := range []struct {
		name   string
		file   string
		text   string
		o      Options
		format Format
		want   []string
	}{
		{"csv by its usual names", "orders.csv",
			"Timestamp,key,value\r\n1767323045000,a,xyz\r\n1767323045001,,\r\n\r\n1767323045002,\"b,\"\"c\",\"\"\r\n", Options{}, CSV,
			[]string{"orders/0 @0 1767323045000 0 k1 v3", "orders/0 @1 1767323045001 0 k-1 v-1", "orders/0 @2 1767323045002 0 k4 v-1"}},
		{"csv with semicolons, mapped", "dir/d-1.2.csv",
			"\"S.Time\";\"Dev\";\"N\"\n1415624019862;\"x;y\";17\n",
			Options{Map: []string{"timestamp=S.Time", "key=Dev", "message_id=N", "processed_at=S.Time"}}, CSV,
			[]string{"d-1/0 @0 1415624019862 0 k3 v0 p1415624019862 id17"}},
		{"csv without a header", "x.tsv", "1767323045\tk\n1767323046\tk\n", Options{NoHeader: true, Map: []string{"timestamp=$1", "key=$2"}}, CSV,
			[]string{"x/0 @0 1767323045000 0 k1 v0", "x/0 @1 1767323046000 0 k1 v0"}},
		{"csv with a separator of its own", "x", "ts~topic\n1767323045~a\n", Options{Separator: '~'}, CSV, []string{"a/0 @0 1767323045000 0 k-1 v0"}},
		{"kcat -J", "-",
			`{"topic":"t","partition":3,"offset":7,"tstype":"create","ts":1767323045000,"broker":1,"headers":["a","b"],"key":"k\u00e9y","payload":"{\"a\":1}"}` + "\n" +
				`{"topic":"t","partition":3,"offset":9,"tstype":"logappend","ts":1767323045001,"broker":1,"key":null,"payload":null}` + "\n" +
				`{"topic":"t","partition":1,"offset":0,"broker":1,"key":"","payload":""}` + "\n",
			Options{}, NDJSON,
			[]string{"t/3 @7 1767323045000 0 k4 v7", "t/3 @9 1767323045001 1 k-1 v-1", "t/1 @0 -1 -1 k0 v0"}},
		{"rpk -f json", "r.json",
			"{\n  \"topic\": \"t\",\n  \"key\": \"k\",\n  \"value\": \"vv\",\n  \"headers\": [\n    {\n      \"key\": \"timestamp\",\n      \"value\": \"1\"\n    }\n  ],\n  \"timestamp\": 1767323045000,\n  \"partition\": 0,\n  \"offset\": 0\n}\n" +
				"{\n  \"topic\": \"t\",\n  \"timestamp\": 1767323045001,\n  \"partition\": 0,\n  \"offset\": 1\n}\n" +
				"{\n  \"topic\": \"t\",\n  \"value_size\": 12,\n  \"timestamp\": 1767323045001,\n  \"partition\": 0,\n  \"offset\": 2\n}\n",
			Options{}, JSON,
			[]string{"t/0 @0 1767323045000 0 k1 v2", "t/0 @1 1767323045001 0 k-1 v-1", "t/0 @2 1767323045001 0 k-1 v12"}},
		{"kaf, each row", "k", `{"topic":"t","partition":0,"offset":5,"timestamp":"2026-01-02T04:04:05.25+01:00","headers":[],"key":"a","payload":"b"}` + "\n", Options{}, NDJSON,
			[]string{"t/0 @5 1767323045250 0 k1 v1"}},
		{"an array", "a.json", `[ {"timestamp":1767323045000, "value": {"x": [1]}} , {"timestamp":1767323045001} ]` + "\n[]\n" + `[{"timestamp":1767323045002}]`, Options{}, JSON,
			[]string{"a/0 @0 1767323045000 0 k-1 v10", "a/0 @1 1767323045001 0 k-1 v0", "a/0 @2 1767323045002 0 k-1 v0"}},
		{"an array below a path", "q", `{"a":{"x":[{}],"features":[{"p":{"t":[5,1767323045000]}}],"y":[1,{"features":[3]}]},"z":0} {"b":1} {"a":{"features":[{"p":{"t":[5,1767323045001]}}]}}`,
			Options{Records: "a.features", Map: []string{"timestamp=p.t.1"}}, JSON,
			[]string{"q/0 @0 1767323045000 0 k-1 v0", "q/0 @1 1767323045001 0 k-1 v0"}},
		{"fields before JSON", "feed.gz", "1723161256172210766 {\"data\":{\"E\":1723161257440}}\n", Options{Map: []string{"timestamp=data.E", "processed_at=$1"}}, PrefixedJSON,
			[]string{"feed/0 @0 1723161257440 0 k-1 v0 p1723161256172"}},
		{"log lines", "app.log", "- 1117838570 R02 2005-06-03 15:42:50 boom\n\n- 1117838573 R03 2005-06-03 15:42:53 bang\n",
			Options{Pattern: `^- (?P<processed_at>\d+) (\S+) (?P<timestamp>\S+ \S+) (?P<value>.*)$`, Map: []string{"key=$2"}, Zones: []string{"America/Los_Angeles"}}, Log,
			[]string{"app/0 @0 1117838570000 0 k3 v4 p1117838570000", "app/0 @1 1117838573000 0 k3 v4 p1117838573000"}},
		{"a delay", "f", "t,d\n2001/01/01 01:10,95\n", Options{Map: []string{"timestamp=t", "processed_at=d"}, TimeFormats: []string{"processed_at=after:min"}}, CSV,
			[]string{"f/0 @0 978311400000 0 k-1 v0 p978317100000"}},
		{"two zones", "z", "a,b\n2026-01-02 03:04:05,2026-01-02 11:04:05\n",
			Options{Map: []string{"timestamp=a", "processed_at=b"}, Zones: []string{"Asia/Shanghai", "timestamp=UTC"}}, CSV,
			[]string{"z/0 @0 1767323045000 0 k-1 v0 p1767323045000"}},
		{"skipped", "s", "ts,key\n1767323045000,a\nx,b\n,c\n1767323045001,d,e\n1767323045002,f\n", Options{BadRows: Skip, NullTimestamps: Skip}, CSV,
			[]string{"s/0 @0 1767323045000 0 k1 v0", "s/0 @1 1767323045002 0 k1 v0"}},
		{"kept without a timestamp", "s", "ts,key\n,a\n1767323045000,b\n", Options{NullTimestamps: None}, CSV,
			[]string{"s/0 @0 -1 -1 k1 v0", "s/0 @1 1767323045000 0 k1 v0"}},
		{"offsets left out", "o", "ts,offset\n1767323045000,9\n1767323045001,3\n", Options{Map: []string{"offset="}}, CSV,
			[]string{"o/0 @0 1767323045000 0 k-1 v0", "o/0 @1 1767323045001 0 k-1 v0"}},
		{"bounded", "b", "ts\n-62135596800000\n1767323044999\n1767323045000\n1767323045999\n-1\n1767323046000\n", Options{From: "2026-01-02T03:04:05Z", To: "1767323046", TimeFormats: []string{"ms"}}, CSV,
			[]string{"b/0 @0 1767323045000 0 k-1 v0", "b/0 @1 1767323045999 0 k-1 v0", "b/0 @2 -1 -1 k-1 v0"}},
		{"byte order mark", "b", "\xef\xbb\xbfts\n1767323045000\n", Options{Topic: "mine"}, CSV, []string{"mine/0 @0 1767323045000 0 k-1 v0"}},
		{"a line without its end", "e", "{\"ts\":1767323045000}\r\n{\"ts\":1767323045001}", Options{}, NDJSON,
			[]string{"e/0 @0 1767323045000 0 k-1 v0", "e/0 @1 1767323045001 0 k-1 v0"}},
	} {
		var out kept
		s, err := Import(context.Background(), []Input{text(c.file, c.text)}, &out, c.o, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := cmp.Diff(c.want, out.rows()); d != "" {
			t.Errorf("%s: rows (-want +got):\n%s", c.name, d)
		}
		if f := s.Files[0]; f.Format != c.format || s.Messages != int64(len(c.want)) || f.Messages != s.Messages {
			t.Errorf("%s: summary %+v, want format %s", c.name, f, c.format)
		}
	}
}

func TestImportKeysAndPayloads(t *testing.T) {
	in := text("p", `{"ts":0,"key":"k1","value":"one"}`+"\n"+`{"ts":0,"key":null,"value":""}`+"\n"+`{"ts":0,"key":"k\ud83d\ude00","value":"\u0000\n\\\"\/"}`+"\n")
	var out kept
	if _, err := Import(context.Background(), []Input{in}, &out, Options{Keys: true, Values: true}, nil); err != nil {
		t.Fatal(err)
	}
	if keys, values := string(out.keys), string(out.values); keys != "k1k😀" || values != "one\x00\n\\\"/" {
		t.Errorf("keys %q, values %q", keys, values)
	}
	if d := cmp.Diff([]int32{2, -1, 5}, out.batch.KeyLen); d != "" {
		t.Error(d)
	}
	if want := []uint64{xxhash.Sum64String("k1"), 0, xxhash.Sum64String("k😀")}; !cmp.Equal(want, out.batch.KeyHash) {
		t.Errorf("key hashes %x, want %x", out.batch.KeyHash, want)
	}
}

func TestImportPartitionsByAField(t *testing.T) {
	var in strings.Builder
	in.WriteString("ts,user\n")
	for i := range 100 {
		fmt.Fprintf(&in, "1767323045000,u%d\n", i%10)
	}
	var out kept
	_, err := Import(context.Background(), []Input{text("t", in.String())}, &out, Options{PartitionBy: "user", Partitions: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range out.batch.Partition {
		want := fmt.Sprint("t/", xxhash.Sum64String(fmt.Sprint("u", i%10))%4)
		if out.partitions[p] != want {
			t.Errorf("row %d is in %s, want %s", i, out.partitions[p], want)
		}
	}
	if len(out.partitions) < 2 {
		t.Errorf("ten users came into %d partitions", len(out.partitions))
	}
}

// Files of one topic go on where the last left off; compression does not show.
func TestImportFilesInARow(t *testing.T) {
	const csv = "ts\n1767323045000\n1767323045001\n"
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	io.WriteString(z, csv)
	z.Close()
	s, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(s, csv)
	s.Close()

	var out kept
	var done int64
	inputs := []Input{text("a", csv), text("b", gz.String()), text("c", zst.String()), text("d", `{"ts":1767323045000}`)}
	if _, err := Import(context.Background(), inputs, &out, Options{Topic: "t"}, func(d int64) { done = d }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int64{0, 1, 2, 3, 4, 5, 6}, out.batch.Offset); d != "" {
		t.Errorf("offsets (-want +got):\n%s", d)
	}
	if done != 0 {
		t.Errorf("progress of %d bytes was told after 7 records", done)
	}
}

// Each text is refused, naming the place and the way out.
func TestImportErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"", Options{}, "f.csv: is empty: there is not even a header line"},
		{"a,b\n1,2\n", Options{}, "f.csv: no column for the timestamp (looked for timestamp, ts, kafka_timestamp_ms, event_time, time); the columns are a, b; say --map timestamp=COLUMN, or --no-header if the first line is data"},
		{"Mar  2 09:00:00 gate\n", Options{}, `f.csv: no column for the timestamp (looked for timestamp, ts, kafka_timestamp_ms, event_time, time); there is only "Mar  2 09:00:00 gate"; if these are lines of a log, say --pattern, else --map timestamp=COLUMN or --no-header`},
		{"ts,b\n1,2\n", Options{Map: []string{"key=c"}}, "f.csv: no column for the key (looked for c); the columns are ts, b; say --map key=COLUMN, or --no-header if the first line is data"},
		{"1,2\n", Options{NoHeader: true}, "f.csv: columns without a header go by number: say --map timestamp=$1 for the first (not timestamp, ts, kafka_timestamp_ms, event_time, time)"},
		{"1,2\n", Options{NoHeader: true, Map: []string{"timestamp=$3"}}, "f.csv: line 1: has 2 columns; column 3 was asked for; --bad-rows skip leaves such records out"},
		{"ts,b\n1767323045000,2\n\nx,3\n", Options{}, `f.csv: line 4: timestamp (field "ts"): "x" is not a number; --bad-rows skip leaves such records out`},
		{"when\n\"\n\n\"\n", Options{Map: []string{"timestamp=when"}}, `f.csv: line 2: timestamp (field "when"): "\n\n" is not a date and time like`},
		{"ts,b\n,3\n", Options{}, `f.csv: line 2: timestamp (field "ts"): there is no timestamp; --null-timestamps skip leaves such records out, none keeps them without a timestamp`},
		{"ts,b\n1767323045000\n", Options{}, "f.csv: line 2: has another number of columns than the first line; --bad-rows skip leaves such records out"},
		{"ts,b\n1767323045000,\"x\n", Options{}, `f.csv: line 2: extraneous or missing " in quoted-field (byte 18 of line 2)`},
		{"ts,offset\n1767323045000,5\n1767323045000,5\n", Options{}, `f.csv: line 3: topic "f" partition 0: offset 5 comes after offset 5; sort the records, or say --map offset= to number them as they come`},
		{"ts,offset\n1767323045000,9223372036854775807\n1767323045000,0\n", Options{}, `f.csv: line 2: offset: "9223372036854775807" is not an offset`},
		{"ts,offset\n1767323045000,-5\n", Options{}, `f.csv: line 2: offset: "-5" is not an offset`},
		{"ts,partition\n1767323045000,p1\n", Options{}, `f.csv: line 2: partition: "p1" is not a partition number`},
		{"ts,tstype\n1767323045000,late\n", Options{}, `timestamp type "late" is not one of create, logappend, unknown`},
		{"ts,id\n1767323045000,1.5e9\n", Options{Map: []string{"message_id=id"}}, `f.csv: line 2: message_id (field "id"): "1.5e9" is not a whole number of 64 bits`},
		{`{"t":1767323045000,"data":{"E":[1],"s":"x"}}` + "\n", Options{}, "f.csv: line 1: timestamp: there is no such field; the record has data.E, data.s, t; say --map timestamp=FIELD"},
		{"[5]", Options{Format: JSON}, "f.csv: line 1: timestamp: there is no such field; the record has no fields at all; --null-timestamps skip"},
		{"{\"ts\":1767323045000}\n{\"ts\":17673\n", Options{}, "f.csv: line 2: is not JSON: unexpected end of JSON input (at byte 11 of the line); --bad-rows skip"},
		{"{\n\"ts\":1767323045000}\n{\"ts\":\n}", Options{}, "f.csv: line 3: the JSON goes wrong"},
		{"[{\"ts\":1767323045000},", Options{}, "f.csv: line 1: the JSON goes wrong after here: unexpected EOF"},
		{"[{\"ts\":1767323045000}", Options{}, "f.csv: line 1: the JSON goes wrong after here: unexpected EOF"},
		{"[{\"ts\":1767323045000}}", Options{}, "f.csv: line 1: the JSON goes wrong"},
		{"{}", Options{Records: "a"}, `f.csv: line 1: the JSON goes wrong after here: there is no array at "a"`},
		{`{"a":5}`, Options{Records: "a"}, `f.csv: line 1: the JSON goes wrong after here: --records a: there is no array but 5`},
		{`{"a":[1]}`, Options{Records: "a.b"}, `f.csv: line 1: the JSON goes wrong after here: --records a.b: "b" is not in an object`},
		{"5 {\"ts\":0}\nx\n", Options{}, "f.csv: line 2: is not plain fields with a JSON value after them"},
		{"a\n", Options{Pattern: `^(?P<timestamp>\d+)`}, "f.csv: line 1: the line does not match the pattern; --bad-rows skip"},
		{"5\n", Options{Pattern: `^\d+`}, "f.csv: the pattern has no group for the timestamp (looked for timestamp, ts, kafka_timestamp_ms, event_time, time); write (?P<timestamp>...) around it"},
		{"PAR1abc", Options{}, "f.csv: is a Parquet file; captures in Parquet need no import"},
		{"ab\x00c", Options{}, "f.csv: is not text"},
		{"\x1f\x8b", Options{}, "f.csv: gzip: unexpected EOF"},
	} {
		_, err := Import(context.Background(), []Input{text("f.csv", c.text)}, new(kept), c.o, nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.HasSuffix(err.Error(), c.want+"; --bad-rows skip leaves such records out") {
			t.Errorf("%q %+v:\n got %v\nwant %s", c.text, c.o, err, c.want)
		}
	}
}

func TestOptionsRefused(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Format: "xml"}, `format "xml" is not known; the formats are csv, ndjson, json, prefixed-json, log`},
		{Options{Format: Log}, "format log needs a pattern"},
		{Options{Format: CSV, Pattern: "x"}, "a pattern is for logs, not for format csv"},
		{Options{Pattern: "("}, "pattern: error parsing regexp"},
		{Options{Format: CSV, Records: "x"}, "a path to the records is for format json, not for csv"},
		{Options{PartitionBy: "a"}, "the field to make partitions from, and their number (1 or more), go together"},
		{Options{Partitions: 3}, "the field to make partitions from, and their number (1 or more), go together"},
		{Options{PartitionBy: "a", Partitions: 3, Map: []string{"partition=p"}}, "not both"},
		{Options{Map: []string{"timestamp"}}, `mapping "timestamp" is not TARGET=FIELD`},
		{Options{Map: []string{"time=x"}}, `there is no target "time"; the targets are timestamp, timestamp_type, topic, partition, offset, key, value, value_len, processed_at, message_id`},
		{Options{Map: []string{"key=x", "key=y"}}, "key is given twice"},
		{Options{NullTimestamps: "drop"}, `--null-timestamps: "drop" is not one of fail, skip, none`},
		{Options{BadRows: None}, `--bad-rows: "none" is not one of fail, skip`},
		{Options{TimeFormats: []string{"key=ms"}}, `"key=ms": key is no time`},
		{Options{TimeFormats: []string{"after:ms"}}, "a duration after the timestamp cannot be the timestamp"},
		{Options{From: "yesterday"}, `--from: "yesterday" is not a time like 2026-01-02T03:04:05Z`},
		{Options{From: "2026-01-02", To: "2026-01-02"}, "--from 2026-01-02 is not before --to 2026-01-02"},
		{Options{Zones: []string{"processed_at=Nowhere"}}, `processed_at: zone "Nowhere" is not known`},
	} {
		if _, err := c.o.WriterColumns(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %s", c.o, err, c.want)
		}
	}
}

// A record without an end is stopped before it fills the memory.
func TestImportStopsEndlessRecords(t *testing.T) {
	for _, start := range []string{"ts\n\"", `[{"ts":"`, "{\"ts\":0}\n"} {
		in := Input{Name: "f", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(start), endless('x'))), nil
		}}
		_, err := Import(context.Background(), []Input{in}, new(kept), Options{}, nil)
		if err == nil || !strings.Contains(err.Error(), "longer than 64 MiB") {
			t.Errorf("%q and no end: error %v", start, err)
		}
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestImportStopsWhenAsked(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	rows := text("f", "ts\n"+strings.Repeat("1767323045000\n", 3*batchRows))
	if _, err := Import(ctx, []Input{rows}, new(kept), Options{}, nil); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("error %v, want context canceled", err)
	}
}

// Whatever the text and the format: no panic, and every record is a message or
// counted as left out.
func FuzzImport(f *testing.F) {
	for _, s := range []string{
		"ts,key\n1767323045000,a\nx,b\n", `{"ts":1767323045000,"data":{"E":[1,{"x":"\ud83d\ude00"}]}}` + "\n", `[{"ts":0},{"ts":1}] {"features":[{}]}`,
		"5 {\"ts\":0}\n", "- 5 x\n", "{\"features\":[{\"ts\":5}]}",
	} {
		for i := range 6 {
			f.Add(s, i)
		}
	}
	f.Fuzz(func(t *testing.T, s string, which int) {
		o := Options{BadRows: Skip, NullTimestamps: Skip, Map: []string{"processed_at=data.E.1.x"}}
		switch which % 6 {
		case 1:
			o.Format = NDJSON
		case 2:
			o.Format = JSON
		case 3:
			o.Format, o.Records = JSON, "features"
		case 4:
			o.Format, o.Map = PrefixedJSON, []string{"timestamp=$1"}
		case 5:
			o.Format, o.Pattern, o.Map = Log, `(?P<timestamp>\d+) (?P<key>.*)`, nil
		case 0:
			o.Format, o.Map, o.NoHeader = CSV, []string{"timestamp=$1", "key=$2"}, true
		}
		var out kept
		sum, err := Import(context.Background(), []Input{text("f", s)}, &out, o, nil)
		if err != nil {
			return
		}
		if sum.Messages != int64(out.batch.Len()) {
			t.Errorf("%d messages counted, %d written", sum.Messages, out.batch.Len())
		}
		if which%6 == 1 || which%6 == 4 || which%6 == 5 {
			lines := int64(0)
			for l := range strings.SplitSeq(s, "\n") {
				if strings.TrimRight(l, "\r\n") != "" {
					lines++
				}
			}
			s := strings.TrimPrefix(s, "\xef\xbb\xbf")
			if f := sum.Files[0]; len(s) > 0 && s[0] != 0x1f && s[0] != 0x28 && f.Messages+f.Bad+f.WithoutTimestamp != lines {
				t.Errorf("%d messages, %d bad, %d without timestamp of %d lines", f.Messages, f.Bad, f.WithoutTimestamp, lines)
			}
		}
	})
}

// BenchmarkImport gives the records read a second.
func BenchmarkImport(b *testing.B) {
	var csv, ndjson strings.Builder
	csv.WriteString("ts,key,value,other\n")
	const rows = 20000
	for i := range rows {
		fmt.Fprintf(&csv, "%d,user-%d,\"some value\",%d\n", 1767323045000+i, i%100, i)
		fmt.Fprintf(&ndjson, `{"topic":"t","partition":%d,"offset":%d,"tstype":"create","ts":%d,"broker":1,"headers":[],"key":"user-%d","payload":"{\"a\":%d,\"text\":\"some value\"}"}`+"\n",
			i%8, i, 1767323045000+i, i%100, i)
	}
	for _, c := range []struct{ name, text string }{{"csv", csv.String()}, {"kcat", ndjson.String()}, {"json", "[" + strings.ReplaceAll(strings.TrimSpace(ndjson.String()), "\n", ",") + "]"}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				w, err := parquet.NewWriter(io.Discard, parquet.WriterOptions{})
				if err != nil {
					b.Fatal(err)
				}
				if s, err := Import(context.Background(), []Input{text("f", c.text)}, w, Options{}, nil); err != nil || s.Messages != rows {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// What is kept of lines gone by does not grow with a file.
func TestMemoryDoesNotGrow(t *testing.T) {
	const n = 100_000
	m, err := newMapping(nil, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	csv, err := newCSV(bufio.NewReader(strings.NewReader("ts\n"+strings.Repeat("1\n", n))), 0, true, &m)
	if err != nil {
		t.Fatal(err)
	}
	json := newJSON(bufio.NewReader(strings.NewReader("[1"+strings.Repeat("\n,2", n)+"]")), "", &m)
	for _, d := range []struct {
		decoder
		*guard
	}{{csv, csv.guard}, {json, json.guard}} {
		var r record
		for err = error(nil); err == nil; err = d.next(&r) {
			if len(d.newlines) > 1<<16 {
				t.Fatalf("%T keeps %d lines", d.decoder, len(d.newlines))
			}
		}
		if err != io.EOF || r.line != n+1 {
			t.Errorf("%T: ends at line %d with %v", d.decoder, r.line, err)
		}
	}
}
