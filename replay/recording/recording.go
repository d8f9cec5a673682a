// Package recording keeps what is read of Kafka topics in a folder of capture files
// (package parquet), one after the other, so that a recording may be interrupted at any
// moment and goes on where its last whole file ends.
package recording

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"twindrift/replay/kafka"
	"twindrift/replay/parquet"
)

// RotateRows is how many messages a file holds, more or less, unless told otherwise.
const RotateRows = 4 << 20

// Options say how a recording is kept.
type Options struct {
	parquet.WriterOptions
	RotateRows int64 // messages after which a new file is begun; default RotateRows
}

// Recording is a folder being recorded into. Files take their names, 000001.parquet
// and so on, only when they are whole. It is not safe for concurrent use.
type Recording struct {
	dir      string
	opts     Options
	snapshot *kafka.Snapshot
	lock     *flock.Flock
	before   map[partition]recorded // what was there
	number   int                    // of the last whole file
	open     *parquet.FileWriter
	rows     int64 // in the open file
	lost     bool  // the open file knows of a gap
	at       []int64
	from     []int64 // where the open file begins
	failed   error   // what went wrong first; nothing is written after it

	Messages int64 // in whole files since Open
	Files    int   // made whole since Open
	Resumed  bool  // something was recorded before
	Gaps     []Gap // that are more than compaction, since Open
}

// Gap is a range of a partition's offsets that could not be recorded.
type Gap struct {
	Topic     string
	Partition int32
	kafka.Gap
}

type partition struct {
	topic  string
	number int32
}

// recorded is how far a partition was recorded.
type recorded struct {
	next      int64
	isolation string
	topicID   string
}

// Open opens a folder, or makes it, to record a snapshot into. It goes on behind
// what is recorded there.
func Open(dir string, s *kafka.Snapshot, opts Options) (*Recording, error) {
	opts.RotateRows = cmp.Or(opts.RotateRows, RotateRows)
	opts.Cluster = s.Cluster
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	r := &Recording{dir: dir, opts: opts, snapshot: s, lock: flock.New(filepath.Join(dir, ".lock")), before: map[partition]recorded{}}
	if got, err := r.lock.TryLock(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	} else if !got {
		return nil, fmt.Errorf("%s: another process records into it", dir)
	}
	if err := r.look(); err != nil {
		r.lock.Unlock()
		return nil, err
	}
	if err := r.goOn(); err != nil {
		r.lock.Unlock()
		return nil, err
	}
	return r, nil
}

// look reads what is recorded, in the order of the files, and removes what was left
// unfinished.
func (r *Recording) look() error {
	names, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	numbers := map[int]string{}
	for _, n := range names {
		path := filepath.Join(r.dir, n.Name())
		switch name, is := strings.CutSuffix(n.Name(), ".parquet"); {
		case strings.HasPrefix(n.Name(), ".") && strings.HasSuffix(n.Name(), ".parquet.tmp"):
			if err := os.Remove(path); err != nil {
				return err
			}
		case is && !strings.HasPrefix(name, "."):
			number, err := strconv.Atoi(name)
			if err != nil {
				return fmt.Errorf("%s is not of a recording: choose another folder", path)
			}
			numbers[number] = path
		}
	}
	order := slices.Sorted(maps.Keys(numbers))
	for i, number := range order {
		if err := r.lookAt(numbers[number], i == len(order)-1); err != nil {
			return err
		}
		r.number = number
	}
	return nil
}

func (r *Recording) lookAt(path string, last bool) error {
	m, err := parquet.ReadMetadata(path)
	if err != nil {
		if last {
			return fmt.Errorf("%w; move it away, and its messages are recorded anew", err)
		}
		return fmt.Errorf("%w; what follows it is recorded too, so record into another folder", err)
	}
	if m == nil {
		return fmt.Errorf("%s is not of a recording: choose another folder", path)
	}
	if m.Cluster != r.opts.Cluster && m.Cluster != "" && r.opts.Cluster != "" {
		return fmt.Errorf("%s was recorded from cluster %s, and this is cluster %s: choose another folder", path, m.Cluster, r.opts.Cluster)
	}
	for _, p := range m.Partitions {
		key := partition{p.Topic, p.Number}
		at, known := r.before[key]
		if known && p.From != nil && *p.From != at.next {
			return fmt.Errorf("%s goes on at offset %d of %s/%d, and the files before it end at %d: one of them is missing; put it back, or record into another folder", path, *p.From, p.Topic, p.Number, at.next)
		}
		if p.Next != nil {
			at.next = *p.Next
		} else if p.Messages > 0 {
			at.next = max(at.next, p.End)
		}
		at.isolation = cmp.Or(p.Isolation, at.isolation)
		at.topicID = cmp.Or(p.TopicID, at.topicID)
		r.before[key] = at
	}
	return nil
}

// goOn sets where each partition goes on: where it is recorded already, at its end,
// whatever the snapshot was to begin with.
func (r *Recording) goOn() error {
	for i := range r.snapshot.Partitions {
		p := &r.snapshot.Partitions[i]
		was, known := r.before[partition{p.Topic, p.Number}]
		if !known {
			r.at, r.from = append(r.at, p.Start), append(r.from, p.Start)
			if p.Deleted > 0 {
				r.from[i] = p.LogStart - p.Deleted
				r.gap(i, kafka.Gap{From: r.from[i], To: p.LogStart, Reason: kafka.Retention})
			}
			continue
		}
		switch anew := was.topicID != "" && p.TopicID() != "" && was.topicID != p.TopicID(); {
		case was.isolation != "" && was.isolation != r.isolation():
			return fmt.Errorf("%s holds %s/%d as %s, and this is %s: choose another folder", r.dir, p.Topic, p.Number, was.isolation, r.isolation())
		case anew:
			return fmt.Errorf("%s holds %s/%d of a topic that was deleted since, and made anew: choose another folder", r.dir, p.Topic, p.Number)
		case was.next > p.HighWatermark:
			return fmt.Errorf("%s holds %s/%d up to offset %d, and its log ends at %d: the topic was made anew or lost messages; choose another folder", r.dir, p.Topic, p.Number, was.next, p.HighWatermark)
		}
		r.at, r.from = append(r.at, max(was.next, p.LogStart)), append(r.from, was.next)
		if was.next < p.LogStart {
			r.gap(i, kafka.Gap{From: was.next, To: p.LogStart, Reason: kafka.Retention})
		}
		r.Resumed = true
	}
	return nil
}

func (r *Recording) isolation() string {
	if r.snapshot.Committed {
		return "read_committed"
	}
	return "read_uncommitted"
}

// Starts are the offsets at which the partitions of the snapshot go on, for
// kafka.Client.Read.
func (r *Recording) Starts() []int64 { return slices.Clone(r.at) }

// Offsets is how many offsets there are left to record.
func (r *Recording) Offsets() (n int64) {
	for i := range r.snapshot.Partitions {
		n += max(0, r.snapshot.Partitions[i].End-r.at[i])
	}
	return n
}

// gap notes offsets that could not be recorded.
func (r *Recording) gap(i int, g kafka.Gap) {
	p := &r.snapshot.Partitions[i]
	r.Gaps = append(r.Gaps, Gap{p.Topic, p.Number, g})
	r.lost = true
}

// begin begins a file, in which the partitions have the numbers of the snapshot.
func (r *Recording) begin() (err error) {
	r.open, err = parquet.Create(r.path(r.number+1), r.opts.WriterOptions)
	if err != nil {
		return err
	}
	for i := range r.snapshot.Partitions {
		p, from := &r.snapshot.Partitions[i], r.from[i]
		m := r.open.Describe(r.open.Partition(p.Topic, p.Number))
		m.Isolation, m.TopicID, m.From = r.isolation(), p.TopicID(), &from
	}
	for _, g := range r.Gaps {
		if g.Reason == kafka.Retention && r.Files == 0 { // found as the recording was opened
			m := r.open.Describe(r.open.Partition(g.Topic, g.Partition))
			m.Gaps = append(m.Gaps, parquet.Gap{From: g.From, To: g.To, Reason: string(g.Reason)})
		}
	}
	return nil
}

func (r *Recording) path(number int) string {
	return filepath.Join(r.dir, fmt.Sprintf("%06d.parquet", number))
}

// gapsMost is how many gaps that compaction leaves a file lists one by one, of each
// partition.
const gapsMost = 1000

// Write records a chunk, and begins a new file when the open one is long enough.
func (r *Recording) Write(c *kafka.Chunk) error {
	if r.failed == nil {
		r.failed = r.write(c)
	}
	return r.failed
}

func (r *Recording) write(c *kafka.Chunk) error {
	if r.open == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	if c.Messages.Len() > 0 {
		if err := r.open.WritePayload(&c.Messages, parquet.Payload{Keys: c.Keys, Values: c.Values, Headers: c.Headers, HeaderCounts: c.HeaderCounts}); err != nil {
			return err
		}
	}
	r.at[c.Partition] = c.Next
	m := r.open.Describe(int32(c.Partition))
	for _, g := range c.Gaps {
		switch last := len(m.Gaps) - 1; {
		case last >= 0 && m.Gaps[last].To == g.From && m.Gaps[last].Reason == string(g.Reason):
			m.Gaps[last].To = g.To
		case g.Reason == kafka.Compaction && last >= gapsMost:
			m.MoreGaps += g.To - g.From
		default:
			m.Gaps = append(m.Gaps, parquet.Gap{From: g.From, To: g.To, Reason: string(g.Reason)})
		}
		if g.Reason != kafka.Compaction {
			r.gap(c.Partition, g)
		}
	}
	if r.rows += int64(c.Messages.Len()); r.rows >= r.opts.RotateRows {
		return r.rotate()
	}
	return nil
}

// Follow goes on with a later snapshot of the same partitions.
func (r *Recording) Follow(s *kafka.Snapshot) error {
	if len(s.Partitions) != len(r.snapshot.Partitions) {
		return errors.New("the topics have other partitions than when the recording began: end it and begin again")
	}
	for i := range s.Partitions {
		a, b := &s.Partitions[i], &r.snapshot.Partitions[i]
		switch {
		case a.Topic != b.Topic || a.Number != b.Number:
			return errors.New("the topics have other partitions than when the recording began: end it and begin again")
		case a.TopicID() != b.TopicID():
			return fmt.Errorf("%s/%d: the topic was deleted and made anew while it was recorded, up to offset %d", a.Topic, a.Number, r.at[i])
		case a.HighWatermark < r.at[i]:
			return fmt.Errorf("%s/%d is recorded up to offset %d, and its log ends at %d now: the brokers lost messages", a.Topic, a.Number, r.at[i], a.HighWatermark)
		}
	}
	r.snapshot = s
	return nil
}

// Rotate makes the open file whole, unless it has no messages and knows of no gap yet:
// then it stays open.
func (r *Recording) Rotate() error {
	if r.failed == nil {
		r.failed = r.rotate()
	}
	return r.failed
}

func (r *Recording) rotate() error {
	if r.rows == 0 && !r.lost {
		return nil
	}
	if r.open == nil { // a gap was found as the recording was opened
		if err := r.begin(); err != nil {
			return err
		}
	}
	for i := range r.snapshot.Partitions {
		p, m, next := r.snapshot.Partitions[i], r.open.Describe(int32(i)), r.at[i]
		m.Next, m.HighWatermark, m.LastStableOffset = &next, &p.HighWatermark, &p.LastStable
	}
	w := r.open
	r.open = nil
	if err := w.Close(); err != nil {
		return err
	}
	copy(r.from, r.at)
	r.number++
	r.Files++
	r.Messages += r.rows
	r.rows, r.lost = 0, false
	return nil
}

// Close makes the open file whole and ends the recording.
func (r *Recording) Close() error {
	err := r.Rotate()
	r.Abort()
	return err
}

// Abort ends the recording without the open file.
func (r *Recording) Abort() {
	if r.open != nil {
		r.open.Abort()
		r.open = nil
	}
	r.lock.Unlock()
}
