package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"twindrift/replay"
)

// message is one message as a test knows it.
type message struct {
	topic     string
	number    int32
	offset    int64
	timestamp int64
	typ       int8
	hash      uint64
	keyLen    int32
	valueLen  int32
}

// writeMessages makes a capture file. Messages of a partition must come in
// offset order.
func writeMessages(t rapid.TB, path string, list []message) {
	t.Helper()
	var b bytes.Buffer
	writeMessagesTo(t, &b, list)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeMessagesTo(t rapid.TB, out io.Writer, list []message) {
	t.Helper()
	w, err := NewWriter(out, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var b replay.Batch
	for _, m := range list {
		b.Partition = append(b.Partition, w.Partition(m.topic, m.number))
		b.Offset = append(b.Offset, m.offset)
		b.TimestampMs = append(b.TimestampMs, m.timestamp)
		b.TimestampType = append(b.TimestampType, m.typ)
		b.KeyHash = append(b.KeyHash, m.hash)
		b.KeyLen = append(b.KeyLen, m.keyLen)
		b.ValueLen = append(b.ValueLen, m.valueLen)
	}
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// readAll reads a capture: its plan, and the messages of each partition in the
// order in which they come. Partitions are asked for in turn, each several
// times.
func readAll(src replay.Source) (*replay.Plan, map[partitionKey][]message, error) {
	ctx := context.Background()
	plan, err := src.Plan(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	s, err := src.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	got := map[partitionKey][]message{}
	var b replay.Batch
	open := len(plan.Partitions)
	ended := make([]bool, open)
	for p := 0; open > 0; p = (p + 1) % len(ended) {
		if ended[p] {
			continue
		}
		b.Reset()
		err := s.Next(p, &b)
		if err == io.EOF {
			if b.Len() > 0 {
				return nil, nil, fmt.Errorf("rows came with io.EOF")
			}
			ended[p] = true
			open--
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if !slices.Contains(b.Partition, int32(p)) {
			return nil, nil, fmt.Errorf("asked for partition %d, got %d rows of others", p, b.Len())
		}
		for i, n := range b.Partition {
			key := partitionKey{plan.Partitions[n].Topic, plan.Partitions[n].Number}
			got[key] = append(got[key], message{key.topic, key.number, b.Offset[i], b.TimestampMs[i], b.TimestampType[i], b.KeyHash[i], b.KeyLen[i], b.ValueLen[i]})
		}
	}
	return plan, got, nil
}

// oraclePlan works a plan out the slow way.
func oraclePlan(byPart map[partitionKey][]message) *replay.Plan {
	plan := &replay.Plan{BlockRows: replay.BlockRows}
	seconds := map[int64]int64{}
	for key, list := range byPart {
		p := replay.Partition{Topic: key.topic, Number: key.number, Messages: int64(len(list)),
			FirstOffset: list[0].offset, LastOffset: list[len(list)-1].offset, MinMs: -1, MaxMs: -1}
		largest, any := int64(0), false
		for i, m := range list {
			if m.typ == replay.TimestampLogAppend {
				p.LogAppend++
			}
			appended := m.timestamp
			if m.timestamp == replay.NoTimestamp {
				p.NoTimestamp++
				appended = replay.NoTimestamp
				if any {
					appended = largest
				}
			} else {
				if any && m.timestamp < largest {
					p.Reordered++
					p.MaxBehindMs = max(p.MaxBehindMs, largest-m.timestamp)
					if m.typ != replay.TimestampLogAppend {
						appended = largest
					}
				} else {
					largest = m.timestamp
				}
				if !any {
					p.MinMs, p.MaxMs = m.timestamp, m.timestamp
				}
				any = true
				p.MinMs, p.MaxMs = min(p.MinMs, m.timestamp), max(p.MaxMs, m.timestamp)
				seconds[floorDiv(m.timestamp, 1000)]++
			}
			if i%replay.BlockRows == 0 {
				p.BlockAppendMs = append(p.BlockAppendMs, appended)
				floor := m.timestamp
				for _, later := range list[i:] {
					floor = min(floor, later.timestamp)
				}
				p.BlockFloorMs = append(p.BlockFloorMs, floor)
			}
		}
		plan.Messages += p.Messages
		plan.Partitions = append(plan.Partitions, p)
	}
	slices.SortFunc(plan.Partitions, func(a, b replay.Partition) int {
		if a.Topic != b.Topic {
			return compareNatural(a.Topic, b.Topic) // no digits in the topics used
		}
		return int(a.Number - b.Number)
	})
	for s, n := range seconds {
		if n > plan.PeakCount || n == plan.PeakCount && s < plan.PeakSecond {
			plan.PeakSecond, plan.PeakCount = s, n
		}
	}
	return plan
}

// makeMessages makes partitions with disorder, gaps, missing timestamps.
func makeMessages(rng *rand.Rand, partitions, most int) map[partitionKey][]message {
	byPart := map[partitionKey][]message{}
	for i := range partitions {
		key := partitionKey{[]string{"orders", "quotes", "a"}[i%3], int32(i / 2 * 700)}
		n := 1 + rng.IntN(most)
		offset, ms := rng.Int64N(1000), 1767323045000+rng.Int64N(5000)
		for range n {
			offset += 1 + rng.Int64N(3)/2
			ms += rng.Int64N(40)
			m := message{key.topic, key.number, offset, ms - rng.Int64N(200), 0, rng.Uint64(), rng.Int32N(20), rng.Int32N(300) - 1}
			switch rng.IntN(20) {
			case 0:
				m.timestamp, m.typ = replay.NoTimestamp, replay.TimestampNone
			case 1, 2:
				m.typ = replay.TimestampLogAppend
			case 3:
				m.timestamp = -rng.Int64N(1e13) - 2
			case 4:
				m.hash, m.keyLen = 0, replay.NullLen
			}
			byPart[key] = append(byPart[key], m)
		}
	}
	return byPart
}

// interleave mixes partitions, each kept in order.
func interleave(rng *rand.Rand, byPart map[partitionKey][]message) []message {
	var keys []partitionKey
	left := map[partitionKey][]message{}
	for k, l := range byPart {
		keys = append(keys, k)
		left[k] = l
	}
	slices.SortFunc(keys, func(a, b partitionKey) int { return compareNatural(fmt.Sprint(a), fmt.Sprint(b)) })
	var all []message
	for len(keys) > 0 {
		i := rng.IntN(len(keys))
		k := keys[i]
		n := min(1+rng.IntN(5), len(left[k]))
		all = append(all, left[k][:n]...)
		if left[k] = left[k][n:]; len(left[k]) == 0 {
			keys = slices.Delete(keys, i, i+1)
		}
	}
	return all
}

// checkCapture reads what paths hold and compares.
func checkCapture(t rapid.TB, paths []string, want map[partitionKey][]message) *replay.Plan {
	t.Helper()
	c, err := Open(paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, got, err := readAll(c)
	if err != nil {
		t.Fatal(err)
	}
	withoutNotes := *plan
	withoutNotes.Notes = nil
	if d := cmp.Diff(oraclePlan(want), &withoutNotes); d != "" {
		t.Fatalf("plan (-want +got):\n%s", d)
	}
	if !maps.EqualFunc(want, got, slices.Equal[[]message]) {
		t.Fatalf("messages (-want +got):\n%s", cmp.Diff(want, got, cmp.AllowUnexported(message{}, partitionKey{})))
	}
	return plan
}

func TestCutAndInterleavedAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		most := 60
		if rapid.IntRange(0, 20).Draw(t, "large") == 0 {
			most = 3000
		}
		byPart := makeMessages(rng, 1+rng.IntN(5), most)
		dir, err := os.MkdirTemp("", "capture")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)

		one := filepath.Join(dir, "one.parquet")
		writeMessages(t, one, interleave(rng, byPart))
		first := checkCapture(t, []string{one}, byPart)

		// Seven files, of which the names say nothing about the order.
		all := interleave(rng, byPart)
		names := rng.Perm(7)
		for i, n := range names {
			part := all[i*len(all)/7 : (i+1)*len(all)/7]
			writeMessages(t, filepath.Join(dir, "seven", fmt.Sprintf("part-%d.parquet", n)), part)
		}
		seven := checkCapture(t, []string{filepath.Join(dir, "seven")}, byPart)
		if d := cmp.Diff(first, seven); d != "" {
			t.Fatalf("cut in seven (-one +seven):\n%s", d)
		}

		// Some of it twice.
		lo := rng.IntN(len(all))
		twice := all[lo : lo+rng.IntN(len(all)-lo)+1]
		writeMessages(t, filepath.Join(dir, "seven", "again.parquet"), twice)
		again := checkCapture(t, []string{filepath.Join(dir, "seven"), one}, byPart)
		if n := noteRows(again, "duplicates-dropped"); n != int64(len(twice)+len(all)) {
			t.Fatalf("%d duplicates dropped, want %d", n, len(twice)+len(all))
		}
	})
}

func noteRows(plan *replay.Plan, kind string) int64 {
	for _, n := range plan.Notes {
		if n.Kind == kind {
			return n.Rows
		}
	}
	return 0
}

// TestOptionalColumns has columns that only some captures have, and here only
// one of two files.
func TestOptionalColumns(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "b.parquet"), WriterOptions{ProcessedAt: true, MessageID: true, RawTimestamp: true})
	if err != nil {
		t.Fatal(err)
	}
	p := w.Partition("t", 0)
	if err := w.Write(&replay.Batch{
		Partition: []int32{p, p}, Offset: []int64{5, 6}, TimestampMs: []int64{1, 2}, TimestampType: []int8{0, 0},
		KeyHash: []uint64{1, 2}, KeyLen: []int32{1, 1}, ValueLen: []int32{1, 1},
		ProcessedAtMs: []int64{7, replay.NoTimestamp}, MessageID: []int64{replay.NoMessageID, 1 << 60}, RawTimestamp: []int64{1000, 2000},
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeMessages(t, filepath.Join(dir, "a.parquet"), []message{{"t", 0, 4, 1, 0, 3, 1, 1}})
	c, err := Open([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all replay.Batch
	if err := replay.Walk(context.Background(), c, plan, func(b *replay.Batch) error { all.AppendRows(b, 0, b.Len()); return nil }); err != nil {
		t.Fatal(err)
	}
	want := replay.Batch{
		Partition: []int32{0, 0, 0}, Offset: []int64{4, 5, 6}, TimestampMs: []int64{1, 1, 2}, TimestampType: []int8{0, 0, 0},
		KeyHash: []uint64{3, 1, 2}, KeyLen: []int32{1, 1, 1}, ValueLen: []int32{1, 1, 1},
		ProcessedAtMs: []int64{replay.NoTimestamp, 7, replay.NoTimestamp},
		MessageID:     []int64{replay.NoMessageID, replay.NoMessageID, 1 << 60},
		RawTimestamp:  []int64{replay.NoTimestamp, 1000, 2000},
	}
	if d := cmp.Diff(want, all); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestOwnFilesAreInOrder has a file that says that it is ours and whose offsets
// do not rise, which ours always do.
func TestOwnFilesAreInOrder(t *testing.T) {
	var b bytes.Buffer
	writeMessagesTo(t, &b, []message{{"t", 0, 1, at, 0, 0, -1, 0}, {"t", 0, 2, at, 0, 0, -1, 0}})
	type row struct {
		Topic         string `parquet:"topic"`
		Partition     int32  `parquet:"partition"`
		Offset        int64  `parquet:"offset"`
		Timestamp     int64  `parquet:"timestamp,timestamp(millisecond)"`
		TimestampType int32  `parquet:"timestamp_type"`
		KeyHash       int64  `parquet:"key_hash"`
		KeyLen        int32  `parquet:"key_len"`
		ValueLen      int32  `parquet:"value_len"`
	}
	metadata := func(messages int) string {
		return fmt.Sprintf(`{"version":"x","partitions":[{"topic":"t","partition":0,"start":1,"end":3,"messages":%d}]}`, messages)
	}
	for _, c := range []struct {
		name     string
		offsets  []int64
		metadata string
		says     string
	}{
		{"falling", []int64{2, 1}, metadata(2), `offsets of topic "t" partition 0 do not rise`},
		{"twice", []int64{1, 1}, metadata(2), `offsets of topic "t" partition 0 do not rise`},
		{"one too few", []int64{1, 2}, metadata(3), `it should have 3 messages of topic "t" partition 0 and has 2`},
		{"unknown partition", []int64{1, 2}, `{"version":"x","partitions":[]}`, `which its metadata does not know`},
		{"no JSON", []int64{1, 2}, `{`, "metadata twindrift.capture"},
	} {
		rows := []row{{Topic: "t", Offset: c.offsets[0]}, {Topic: "t", Offset: c.offsets[1]}}
		content := bytesOf(t, rows, pq.KeyValueMetadata(MetadataKey, c.metadata), pq.MaxRowsPerRowGroup(1))
		_, err := readBytes("x.parquet", content)
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestPlanIsCancelled(t *testing.T) {
	var b bytes.Buffer
	writeMessagesTo(t, &b, []message{{"t", 0, 1, at, 0, 0, -1, 0}})
	c, err := OpenReader("x.parquet", bytes.NewReader(b.Bytes()), int64(b.Len()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Plan(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := c.Open(context.Background()); err == nil {
		t.Error("opened without a plan")
	}
	if _, err := c.Plan(context.Background(), nil); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// TestUnread has columns left unread that nobody looks at: messages come as from
// files without them.
func TestUnread(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeMessages(t, path, []message{{"t", 0, 4, 1, 0, 3, 1, 7}})
	for _, test := range []struct {
		o    Options
		want message
	}{
		{Options{}, message{"t", 0, 4, 1, 0, 3, 1, 7}},
		{Options{NoKeys: true}, message{"t", 0, 4, 1, 0, 0, replay.NullLen, 7}},
		{Options{NoSizes: true}, message{"t", 0, 4, 1, 0, 3, 1, 0}},
		{Options{NoKeys: true, NoSizes: true}, message{"t", 0, 4, 1, 0, 0, replay.NullLen, 0}},
	} {
		c, err := Open([]string{path}, test.o)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, err := readAll(c); err != nil || !slices.Equal(got[partitionKey{"t", 0}], []message{test.want}) {
			t.Errorf("%+v: %v, want %v (%v)", test.o, got, test.want, err)
		}
	}
}
