package recording

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"twindrift/replay"
	"twindrift/replay/kafka"
	"twindrift/replay/parquet"
)

// snapshot has partitions of topic t with these ends.
func snapshot(ends ...int64) *kafka.Snapshot {
	s := &kafka.Snapshot{Cluster: "c"}
	for n, end := range ends {
		s.Partitions = append(s.Partitions, kafka.Partition{Topic: "t", Number: int32(n), HighWatermark: end, LastStable: end, End: end})
	}
	return s
}

// chunk has the messages from..to of a partition, and gaps.
func chunk(partition int, from, to int64, gaps ...kafka.Gap) *kafka.Chunk {
	c := &kafka.Chunk{Partition: partition, Next: to, Gaps: gaps}
	for o := from; o < to; o++ {
		if slices.ContainsFunc(gaps, func(g kafka.Gap) bool { return g.From <= o && o < g.To }) {
			continue
		}
		b := &c.Messages
		b.Partition, b.Offset = append(b.Partition, int32(partition)), append(b.Offset, o)
		b.TimestampMs, b.TimestampType = append(b.TimestampMs, 1000+o), append(b.TimestampType, replay.TimestampCreate)
		b.KeyHash, b.KeyLen, b.ValueLen = append(b.KeyHash, 1), append(b.KeyLen, 1), append(b.ValueLen, 1)
	}
	return c
}

func open(t *testing.T, dir string, s *kafka.Snapshot, rotate int64) *Recording {
	t.Helper()
	r, err := Open(dir, s, Options{RotateRows: rotate})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, r *Recording, chunks ...*kafka.Chunk) {
	t.Helper()
	for _, c := range chunks {
		if err := r.Write(c); err != nil {
			t.Fatal(err)
		}
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		if n.Name() != ".lock" {
			names = append(names, n.Name())
		}
	}
	return names
}

// A recording that ends without its last file goes on where the one before it ends, also
// in partitions that the last whole file had no message of.
func TestGoesOnBehindWholeFiles(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(100, 100, 100), 30)
	write(t, r, chunk(0, 0, 20), chunk(1, 0, 20)) // file 1
	write(t, r, chunk(1, 20, 60))                 // file 2
	write(t, r, chunk(0, 20, 40))                 // not whole
	if names := files(t, dir); !slices.Equal(names, []string{".000003.parquet.tmp", "000001.parquet", "000002.parquet"}) {
		t.Fatalf("%v", names)
	}
	r.lock.Unlock() // as the end of the process does

	r = open(t, dir, snapshot(100, 100, 100), 30)
	if got := r.Starts(); !slices.Equal(got, []int64{20, 60, 0}) || r.Offsets() != 220 {
		t.Fatalf("goes on at %v, %d offsets are left", got, r.Offsets())
	}
	write(t, r, chunk(2, 0, 5))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if names := files(t, dir); !slices.Equal(names, []string{"000001.parquet", "000002.parquet", "000003.parquet"}) {
		t.Fatalf("%v", names)
	}
	m, err := parquet.ReadMetadata(filepath.Join(dir, "000003.parquet"))
	if err != nil || m.Cluster != "c" || *m.Partitions[1].Next != 60 || *m.Partitions[2].HighWatermark != 100 || m.Partitions[2].Isolation != "read_uncommitted" {
		t.Fatalf("%+v, %v", m, err)
	}
}

// What moves on without a message is remembered with the next file; by itself it makes none.
func TestPositionsWithoutMessages(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(10), 30)
	write(t, r, chunk(0, 0, 10, kafka.Gap{From: 0, To: 10, Reason: kafka.Compaction}))
	if err := r.Close(); err != nil || len(files(t, dir)) != 0 || r.Files != 0 {
		t.Fatalf("%v, %v", files(t, dir), err)
	}
	r = open(t, dir, snapshot(20), 30)
	write(t, r, chunk(0, 0, 20, kafka.Gap{From: 0, To: 10, Reason: kafka.Compaction}, kafka.Gap{From: 15, To: 20, Reason: kafka.Compaction}))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = open(t, dir, snapshot(20), 30)
	if got := r.Starts(); got[0] != 20 {
		t.Fatalf("goes on at %v", got)
	}
	r.Abort()
}

// Messages that retention took between two recordings are a gap, told once.
func TestRetentionBetweenRecordings(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(10), 30)
	write(t, r, chunk(0, 0, 10))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	later := snapshot(50)
	later.Partitions[0].LogStart, later.Partitions[0].Start = 40, 40
	r = open(t, dir, later, 30)
	if len(r.Gaps) != 1 || r.Gaps[0].Gap != (kafka.Gap{From: 10, To: 40, Reason: kafka.Retention}) {
		t.Fatalf("%v", r.Gaps)
	}
	write(t, r, chunk(0, 40, 50))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := parquet.ReadMetadata(filepath.Join(dir, "000002.parquet"))
	if err != nil || !slices.Equal(m.Partitions[0].Gaps, []parquet.Gap{{From: 10, To: 40, Reason: "retention"}}) {
		t.Fatalf("%+v, %v", m, err)
	}
	r = open(t, dir, later, 30)
	if len(r.Gaps) != 0 {
		t.Fatalf("told again: %v", r.Gaps)
	}
	r.Abort()
}

// What was asked for by number and retention has deleted is a gap of the first recording.
func TestDeletedBeforeTheFirst(t *testing.T) {
	s := snapshot(50)
	s.Partitions[0].LogStart, s.Partitions[0].Start, s.Partitions[0].Deleted = 40, 40, 30
	r := open(t, t.TempDir(), s, 30)
	defer r.Abort()
	if len(r.Gaps) != 1 || r.Gaps[0].Gap != (kafka.Gap{From: 10, To: 40, Reason: kafka.Retention}) {
		t.Fatalf("%v", r.Gaps)
	}
}

// A recording goes on where it ended, also where the beginning that is asked for lies
// further on by then, as a time back from now does.
func TestGoesOnBeforeWhatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(100), 30)
	write(t, r, chunk(0, 0, 50))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	later := snapshot(100)
	later.Partitions[0].Start = 80
	r = open(t, dir, later, 30)
	defer r.Abort()
	if got := r.Starts(); got[0] != 50 || !r.Resumed {
		t.Fatalf("goes on at %v", got)
	}
}

// Where a file cannot be made whole, nothing is written that says so, and what was in it
// is recorded again.
func TestFailedFile(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(100), 1000)
	write(t, r, chunk(0, 0, 50, kafka.Gap{From: 10, To: 20, Reason: kafka.Retention}))
	r.open.Abort() // as a full disk does
	if err := r.Rotate(); err == nil {
		t.Fatal("a file that is gone is made whole")
	}
	if err := r.Write(chunk(0, 50, 60)); err == nil {
		t.Error("writes on")
	}
	if err := r.Close(); err == nil || r.Messages != 0 {
		t.Errorf("closes, with %d messages", r.Messages)
	}
	if names := files(t, dir); len(names) != 0 {
		t.Errorf("%v", names)
	}
	r = open(t, dir, snapshot(100), 30)
	defer r.Abort()
	if got := r.Starts(); got[0] != 0 {
		t.Errorf("goes on at %v", got)
	}
}

// A file that is missing among others is named by what it held.
func TestMissingFile(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(100, 100), 30)
	write(t, r, chunk(0, 0, 30), chunk(1, 0, 30), chunk(1, 30, 60))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "000002.parquet")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, snapshot(100, 100), Options{}); err == nil || !strings.Contains(err.Error(), "000003.parquet goes on at offset 30 of t/1, and the files before it end at 0: one of them is missing") {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "000002.parquet"), []byte("PAR1 no more"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, snapshot(100, 100), Options{}); err == nil || !strings.Contains(err.Error(), "what follows it is recorded too") {
		t.Fatal(err)
	}
}

// What markers leave is remembered over rotations that make no file, and what a file
// without messages knows is not lost on readers.
func TestReasonsAreKept(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(100), 1000)
	write(t, r, chunk(0, 0, 10))
	if err := r.Rotate(); err != nil {
		t.Fatal(err)
	}
	write(t, r, chunk(0, 10, 13, kafka.Gap{From: 10, To: 13, Reason: kafka.Compaction}))
	if err := r.Rotate(); err != nil || r.Files != 1 {
		t.Fatalf("%d files, %v", r.Files, err)
	}
	write(t, r, chunk(0, 13, 20))
	if err := r.Rotate(); err != nil {
		t.Fatal(err)
	}
	write(t, r, chunk(0, 20, 30, kafka.Gap{From: 20, To: 30, Reason: kafka.Retention}))
	if err := r.Rotate(); err != nil || r.Files != 3 {
		t.Fatalf("%d files, %v", r.Files, err)
	}
	write(t, r, chunk(0, 30, 40))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := parquet.Open([]string{dir}, parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), nil)
	if err != nil || len(plan.Notes) != 2 || plan.Notes[0].Rows != 3 || plan.Notes[1].Rows != 10 || !strings.Contains(plan.Notes[1].Text, "(retention)") {
		t.Fatalf("%+v, %v", plan.Notes, err)
	}
}

// Gaps that are only counted never explain away what retention took.
func TestCountedGapsAreNotRetention(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(20_000), 1<<20)
	var gaps []kafka.Gap
	for o := int64(1); o < 2*(gapsMost+50); o += 2 {
		gaps = append(gaps, kafka.Gap{From: o, To: o + 1, Reason: kafka.Compaction})
	}
	write(t, r, chunk(0, 0, 3000, append(gaps, kafka.Gap{From: 2500, To: 2900, Reason: kafka.Retention})...))
	tail := []kafka.Gap{{From: 3000, To: 20_000, Reason: kafka.Compaction}}
	write(t, r, chunk(0, 3000, 20_000, tail...))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := parquet.Open([]string{dir}, parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), nil)
	if err != nil || len(plan.Notes) != 2 || plan.Notes[0].Rows != int64(len(gaps)) || plan.Notes[1].Rows != 400 {
		t.Fatalf("%+v, %v", plan.Notes, err)
	}
}

// The gaps that compaction leaves are listed up to a number, and then counted.
func TestManyGaps(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, snapshot(10_000), 1<<20)
	var gaps []kafka.Gap
	for o := int64(0); o < 10_000; o += 2 {
		gaps = append(gaps, kafka.Gap{From: o, To: o + 1, Reason: kafka.Compaction})
	}
	write(t, r, chunk(0, 0, 10_000, gaps...))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := parquet.ReadMetadata(filepath.Join(dir, "000001.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	p := m.Partitions[0]
	if int64(len(p.Gaps))+p.MoreGaps != 5000 || len(p.Gaps) > gapsMost+1 {
		t.Fatalf("%d gaps and %d more", len(p.Gaps), p.MoreGaps)
	}
	c, err := parquet.Open([]string{dir}, parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), nil)
	if err != nil || len(plan.Notes) != 1 || plan.Notes[0].Kind != "compacted" || plan.Notes[0].Rows != 4999 {
		t.Fatalf("%+v, %v", plan.Notes, err)
	}
}

// A folder that is not of this recording is refused, and says so.
func TestRefusals(t *testing.T) {
	for want, prepare := range map[string]func(dir string){
		"another process records into it": func(dir string) {
			open(t, dir, snapshot(10), 30)
		},
		"was recorded from cluster c, and this is cluster d": func(dir string) {
			r := open(t, dir, snapshot(10), 30)
			write(t, r, chunk(0, 0, 5))
			r.Close()
		},
		"is not of a recording: choose another folder": func(dir string) {
			w, err := parquet.Create(filepath.Join(dir, "orders.parquet"), parquet.WriterOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"move it away, and its messages are recorded anew": func(dir string) {
			if err := os.WriteFile(filepath.Join(dir, "000001.parquet"), []byte("PAR1 and no more"), 0o666); err != nil {
				t.Fatal(err)
			}
		},
		"holds t/0 up to offset 8, and its log ends at 5: the topic was made anew": func(dir string) {
			s := snapshot(10)
			s.Cluster = ""
			r := open(t, dir, s, 30)
			write(t, r, chunk(0, 0, 8))
			r.Close()
		},
	} {
		dir := t.TempDir()
		prepare(dir)
		s := snapshot(5)
		s.Cluster = "d"
		if _, err := Open(dir, s, Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A later snapshot must be of the same partitions.
func TestFollow(t *testing.T) {
	r := open(t, t.TempDir(), snapshot(10, 10), 30)
	defer r.Abort()
	write(t, r, chunk(0, 0, 10), chunk(1, 0, 10))
	if err := r.Follow(snapshot(15, 20)); err != nil || r.Offsets() != 15 {
		t.Fatalf("%d offsets, %v", r.Offsets(), err)
	}
	if err := r.Follow(snapshot(15, 5)); err == nil || !strings.Contains(err.Error(), "t/1 is recorded up to offset 10, and its log ends at 5 now") {
		t.Fatal(err)
	}
	if err := r.Follow(snapshot(15, 20, 5)); err == nil || !strings.Contains(err.Error(), "other partitions") {
		t.Fatal(err)
	}
}
