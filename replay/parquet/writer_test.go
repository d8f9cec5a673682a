package parquet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	pq "github.com/parquet-go/parquet-go"

	"twindrift/replay"
)

// plainRow is a capture row as any Parquet reader sees it. Pointers are the
// columns that may be NULL.
type plainRow struct {
	Topic         string  `parquet:"topic"`
	Partition     int32   `parquet:"partition"`
	Offset        int64   `parquet:"offset"`
	Timestamp     int64   `parquet:"timestamp,timestamp(millisecond)"`
	TimestampType int32   `parquet:"timestamp_type"`
	KeyHash       int64   `parquet:"key_hash"`
	KeyLen        int32   `parquet:"key_len"`
	ValueLen      int32   `parquet:"value_len"`
	RawTimestamp  *int64  `parquet:"raw_timestamp,optional"`
	ProcessedAt   *int64  `parquet:"processed_at,optional"`
	MessageID     *int64  `parquet:"message_id,optional"`
	Key           *string `parquet:"key,optional"`
	Value         *string `parquet:"value,optional"`
}

// sampleBatch has the awkward values: zeros, none, null, negative.
func sampleBatch(w *Writer) *replay.Batch {
	a, b := w.Partition("orders", 0), w.Partition("orders", 7)
	return &replay.Batch{
		Partition:     []int32{a, b, a, b},
		Offset:        []int64{0, 1 << 40, 2, 1<<40 + 1},
		TimestampMs:   []int64{0, 1767323045000, replay.NoTimestamp, -62135596800000},
		TimestampType: []int8{replay.TimestampCreate, replay.TimestampLogAppend, replay.TimestampNone, replay.TimestampCreate},
		KeyHash:       []uint64{0, 1<<64 - 1, 0, 12345},
		KeyLen:        []int32{replay.NullLen, 2, 0, 3},
		ValueLen:      []int32{4, replay.NullLen, 0, 1},
	}
}

func (r plainRow) required() plainRow {
	r.RawTimestamp, r.ProcessedAt, r.MessageID, r.Key, r.Value = nil, nil, nil, nil, nil
	return r
}

var sampleRows = []plainRow{
	{"orders", 0, 0, 0, 0, 0, -1, 4, nil, nil, nil, nil, ptr("4444")},
	{"orders", 7, 1 << 40, 1767323045000, 1, -1, 2, -1, ptr(int64(5)), ptr(int64(0)), nil, ptr("ab"), nil},
	{"orders", 0, 2, -1, -1, 0, 0, 0, ptr(int64(0)), nil, ptr(int64(-1)), ptr(""), ptr("")},
	{"orders", 7, 1<<40 + 1, -62135596800000, 0, 12345, 3, 1, ptr(int64(1)), ptr(int64(9)), ptr(int64(0)), ptr("cde"), ptr("x")},
}

func ptr[T any](v T) *T { return &v }

// write gives the bytes of a capture that holds one sample batch.
func write(t *testing.T, opts WriterOptions, edit func(*replay.Batch), p Payload) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, opts)
	if err != nil {
		t.Fatal(err)
	}
	b := sampleBatch(w)
	if edit != nil {
		edit(b)
	}
	if err := w.WritePayload(b, p); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWriterPlainReaderSeesTheRows(t *testing.T) {
	for _, compression := range []string{"snappy", "zstd"} {
		file := write(t, WriterOptions{Compression: compression}, nil, Payload{})
		got, err := pq.Read[plainRow](bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		want := make([]plainRow, len(sampleRows))
		for i := range want {
			want[i] = sampleRows[i].required()
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: rows (-want +got):\n%s", compression, d)
		}
	}
}

func TestWriterOptionalColumns(t *testing.T) {
	file := write(t,
		WriterOptions{RawTimestamp: true, ProcessedAt: true, MessageID: true, Keys: true, Values: true},
		func(b *replay.Batch) {
			b.RawTimestamp = []int64{replay.NoTimestamp, 5, 0, 1}
			b.ProcessedAtMs = []int64{replay.NoTimestamp, 0, replay.NoTimestamp, 9}
			b.MessageID = []int64{replay.NoMessageID, replay.NoMessageID, -1, 0}
		},
		Payload{Keys: []byte("abcde"), Values: []byte("4444x")})
	got, err := pq.Read[plainRow](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sampleRows, got); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

// CAPTURE.md, the table: names, order, required, encodings, the time unit.
func TestWriterSchema(t *testing.T) {
	file := write(t, WriterOptions{}, nil, Payload{})
	f, err := pq.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	want := `message capture {
	required binary topic (STRING);
	required int32 partition (INT(32,true));
	required int64 offset (INT(64,true));
	required int64 timestamp (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	required int32 timestamp_type (INT(32,true));
	required int64 key_hash (INT(64,true));
	required int32 key_len (INT(32,true));
	required int32 value_len (INT(32,true));
}`
	if got := f.Schema().String(); got != want {
		t.Errorf("schema\n%s\nwant\n%s", got, want)
	}
	encodings := map[string]string{
		"topic": "RLE_DICTIONARY", "partition": "RLE_DICTIONARY", "offset": "DELTA_BINARY_PACKED",
		"timestamp": "DELTA_BINARY_PACKED", "timestamp_type": "RLE_DICTIONARY", "key_hash": "RLE_DICTIONARY",
		"key_len": "DELTA_BINARY_PACKED", "value_len": "DELTA_BINARY_PACKED",
	}
	for _, chunk := range f.Metadata().RowGroups[0].Columns {
		name, found := chunk.MetaData.PathInSchema[0], false
		for _, e := range chunk.MetaData.Encoding {
			found = found || e.String() == encodings[name]
		}
		if !found {
			t.Errorf("column %s: encodings %v, want %s", name, chunk.MetaData.Encoding, encodings[name])
		}
	}
}

func TestWriterMetadata(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, WriterOptions{Version: "v1.2.3", Cluster: "lkc-1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(sampleBatch(w)); err != nil {
		t.Fatal(err)
	}
	w.Describe(0).HighWatermark = ptr(int64(10))
	w.Describe(0).Gaps = []Gap{{From: 1, To: 2, Reason: "retention"}}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := pq.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text, ok := f.Lookup(MetadataKey)
	if !ok {
		t.Fatalf("no %s in the file", MetadataKey)
	}
	var got Metadata
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := Metadata{Version: "v1.2.3", Cluster: "lkc-1", Partitions: []PartitionMetadata{
		{Topic: "orders", Number: 0, Start: 0, End: 3, Messages: 2, HighWatermark: ptr(int64(10)),
			Gaps: []Gap{{From: 1, To: 2, Reason: "retention"}}},
		{Topic: "orders", Number: 7, Start: 1 << 40, End: 1<<40 + 2, Messages: 2},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("metadata (-want +got):\n%s", d)
	}
}

// However a capture is cut into batches, the file's bytes are the same, and no
// row group is larger than a million rows (2^20).
func TestWriterBatchesDoNotShow(t *testing.T) {
	const messages = rowGroupRows + 5000
	encode := func(cut int) []byte {
		var out bytes.Buffer
		w, err := NewWriter(&out, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		w.Partition("t", 0)
		w.Partition("t", 1)
		for lo := 0; lo < messages; lo += cut {
			if err := w.Write(stream(lo, min(lo+cut, messages))); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	whole := encode(messages)
	if !bytes.Equal(whole, encode(8*chunkRows)) {
		t.Error("the same messages in other batches give another file")
	}
	f, err := pq.OpenFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	for _, g := range f.RowGroups() {
		sizes = append(sizes, g.NumRows())
	}
	if d := cmp.Diff([]int64{rowGroupRows, 5000}, sizes); d != "" {
		t.Errorf("row groups (-want +got):\n%s", d)
	}
	rows := pq.NewGenericReader[plainRow](f)
	defer rows.Close()
	want, i := stream(0, messages), 0
	for buf := make([]plainRow, 1000); ; {
		n, err := rows.Read(buf)
		for _, r := range buf[:n] {
			if r.Partition != want.Partition[i] || r.Offset != want.Offset[i] || r.Timestamp != want.TimestampMs[i] ||
				uint64(r.KeyHash) != want.KeyHash[i] || r.ValueLen != want.ValueLen[i] {
				t.Fatalf("row %d is %+v", i, r)
			}
			i++
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if i != messages {
		t.Errorf("%d rows read, want %d", i, messages)
	}
}

// stream is messages lo to hi of an even flow over two partitions, 1024 keys.
func stream(lo, hi int) *replay.Batch {
	b := new(replay.Batch)
	for i := lo; i < hi; i++ {
		b.Partition = append(b.Partition, int32(i&1))
		b.Offset = append(b.Offset, int64(i))
		b.TimestampMs = append(b.TimestampMs, 1767323045000+int64(i/5)-int64(i*7%31))
		b.TimestampType = append(b.TimestampType, replay.TimestampCreate)
		b.KeyHash = append(b.KeyHash, uint64(i*31%1024)*0x9e3779b97f4a7c15)
		b.KeyLen = append(b.KeyLen, 8)
		b.ValueLen = append(b.ValueLen, int32(100+i%50))
	}
	return b
}

func TestWriterRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		opts WriterOptions
		edit func(*replay.Batch)
		want string
	}{
		{"order", WriterOptions{}, func(b *replay.Batch) { b.Offset[2] = 0 },
			`topic "orders" partition 0: offset 0 comes after offset 0: offsets of a partition must rise`},
		{"partition", WriterOptions{}, func(b *replay.Batch) { b.Partition[1] = 2 },
			`row 1 of the batch: partition index 2, but only 2 partitions are known`},
		{"short column", WriterOptions{}, func(b *replay.Batch) { b.KeyLen = b.KeyLen[:3] },
			`a batch of 4 messages has 3 of key_len, not 4`},
		{"column not announced", WriterOptions{}, func(b *replay.Batch) { b.MessageID = make([]int64, 4) },
			`a batch of 4 messages has 4 of message_id, not 0`},
		{"column announced", WriterOptions{ProcessedAt: true}, nil,
			`a batch of 4 messages has 0 of processed_at, not 4`},
		{"payload", WriterOptions{Values: true}, nil,
			`a batch of 4 messages has 0 of value bytes, not 5`},
	} {
		path := filepath.Join(t.TempDir(), "c.parquet")
		w, err := Create(path, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		b := sampleBatch(w.Writer)
		if c.edit != nil {
			c.edit(b)
		}
		if err := w.Write(b); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
		if c.name == "order" && !errors.Is(w.Write(b), ErrOffsetOrder) {
			t.Errorf("%s: a second Write does not repeat the error", c.name)
		}
		if err := w.Close(); err == nil {
			t.Errorf("%s: Close after a failed Write gave no error", c.name)
		}
		wantFiles(t, filepath.Dir(path))
	}
	if _, err := NewWriter(io.Discard, WriterOptions{Compression: "lzo"}); err == nil {
		t.Error("compression lzo was taken")
	}
}

func TestCreateNamesTheFileWhenWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c.parquet")
	w, err := Create(path, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Write(sampleBatch(w.Writer)); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, ".c.parquet.tmp")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, "c.parquet")
	w.Abort()
	wantFiles(t, dir, "c.parquet")
	if err := w.Write(new(replay.Batch)); err == nil {
		t.Error("Write after Close gave no error")
	}

	w, err = Create(filepath.Join(dir, "d.parquet"), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	wantFiles(t, dir, "c.parquet")
	if err := w.Close(); err == nil {
		t.Error("Close after Abort gave no error")
	}
	if _, err := Create(filepath.Join(dir, "none", "c.parquet"), WriterOptions{}); err == nil {
		t.Error("Create in a directory that is not there gave no error")
	}
}

// wantFiles checks which files a directory holds.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}

// BenchmarkWrite gives the messages written a second and the bytes each takes.
func BenchmarkWrite(b *testing.B) {
	batch := stream(0, 1<<16)
	few := batch.KeyHash
	many := make([]uint64, len(few))
	for i := range many {
		many[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	for _, c := range []struct {
		name, compression string
		keys              []uint64
	}{
		{"snappy/keys=1024", "snappy", few}, {"snappy/keys=65536", "snappy", many}, {"zstd/keys=1024", "zstd", few},
	} {
		b.Run(c.name, func(b *testing.B) {
			var size counter
			w, err := NewWriter(&size, WriterOptions{Compression: c.compression})
			if err != nil {
				b.Fatal(err)
			}
			w.Partition("t", 0)
			w.Partition("t", 1)
			batch.KeyHash = c.keys
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				for j := range batch.Offset {
					batch.Offset[j] = int64(i*batch.Len() + j)
				}
				if err := w.Write(batch); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			rows := float64(b.N) * float64(batch.Len())
			b.ReportMetric(rows/b.Elapsed().Seconds()/1e6, "Mrows/s")
			b.ReportMetric(float64(size)/rows, "bytes/row")
		})
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// Headers are a list in each row, of any length, with values that may be null.
func TestHeaders(t *testing.T) {
	type header struct {
		Key   string  `parquet:"key"`
		Value *string `parquet:"value"`
	}
	type row struct {
		Offset  int64    `parquet:"offset"`
		Headers []header `parquet:"headers,list"`
	}
	path := filepath.Join(t.TempDir(), "h.parquet")
	w, err := Create(path, WriterOptions{Headers: true, Values: true})
	if err != nil {
		t.Fatal(err)
	}
	p := w.Partition("t", 0)
	var want []row
	next := int64(0)
	for _, n := range []int{3, 20_000, 5} { // columns one after the other, and side by side
		b, payload := new(replay.Batch), Payload{}
		for range n {
			b.Partition, b.Offset = append(b.Partition, p), append(b.Offset, next)
			b.TimestampMs, b.TimestampType = append(b.TimestampMs, next), append(b.TimestampType, 0)
			b.KeyHash, b.KeyLen, b.ValueLen = append(b.KeyHash, 0), append(b.KeyLen, replay.NullLen), append(b.ValueLen, 1)
			payload.Values = append(payload.Values, 'v')
			r := row{Offset: next}
			for i := range next % 4 {
				h := header{Key: fmt.Sprint("k", i)}
				var value []byte
				if i != 1 {
					text := strings.Repeat("x", int(next%3))
					h.Value, value = &text, []byte(text)
				}
				r.Headers = append(r.Headers, h)
				payload.Headers = append(payload.Headers, replay.Header{Key: []byte(h.Key), Value: value})
			}
			payload.HeaderCounts = append(payload.HeaderCounts, int32(next%4))
			want = append(want, r)
			next++
		}
		if err := w.WritePayload(b, payload); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := pq.ReadFile[row](path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-written +read):\n%.2000s", diff)
	}
	c, err := Open([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if plan, err := c.Plan(t.Context(), nil); err != nil || plan.Messages != int64(len(want)) {
		t.Fatalf("%+v, %v", plan, err)
	}
}

// Payloads end a row group before they fill the memory.
func TestRowGroupsOfPayloads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.parquet")
	w, err := Create(path, WriterOptions{Values: true})
	if err != nil {
		t.Fatal(err)
	}
	p := w.Partition("t", 0)
	value := make([]byte, 1<<20)
	for n := range int64(300) {
		b := &replay.Batch{Partition: []int32{p}, Offset: []int64{n}, TimestampMs: []int64{n}, TimestampType: []int8{0}, KeyHash: []uint64{0}, KeyLen: []int32{replay.NullLen}, ValueLen: []int32{1 << 20}}
		if err := w.WritePayload(b, Payload{Values: value}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := Open([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f := c.Files()[0]; f.RowGroups != 3 || f.Rows != 300 {
		t.Fatalf("%d rows in %d row groups, want 300 in 3", f.Rows, f.RowGroups)
	}
}
