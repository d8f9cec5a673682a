// Package recording keeps what is read of Kafka topics in a directory of capture files
// (package parquet), one after the other, so that a recording may be interrupted at any
// moment and goes on where its last whole file ends.
package recording

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// Recording is a directory being recorded into. Files take their names, 000001.parquet
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

	Messages int64 // recorded since Open
	Files    int   // made whole since Open
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
}

// Open opens a directory, or makes it, to record a snapshot into. It goes on behind
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

// look reads what is recorded, and removes what was left unfinished.
func (r *Recording) look() error {
	names, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		path := filepath.Join(r.dir, n.Name())
		switch {
		case strings.HasPrefix(n.Name(), ".") && strings.HasSuffix(n.Name(), ".parquet.tmp"):
			if err := os.Remove(path); err != nil {
				return err
			}
		case strings.HasSuffix(n.Name(), ".parquet"):
			if err := r.lookAt(path, strings.TrimSuffix(n.Name(), ".parquet")); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Recording) lookAt(path, name string) error {
	m, err := parquet.ReadMetadata(path)
	if err != nil {
		return fmt.Errorf("%w; move it away to record its messages anew", err)
	}
	var number int
	if _, err := fmt.Sscanf(name, "%d", &number); err != nil || m == nil {
		return fmt.Errorf("%s is not of a recording: choose another directory", path)
	}
	if m.Cluster != r.opts.Cluster && m.Cluster != "" && r.opts.Cluster != "" {
		return fmt.Errorf("%s was recorded from cluster %s, and this is cluster %s: choose another directory", path, m.Cluster, r.opts.Cluster)
	}
	r.number = max(r.number, number)
	for _, p := range m.Partitions {
		key := partition{p.Topic, p.Number}
		at := r.before[key]
		if p.Next != nil {
			at.next = max(at.next, *p.Next)
		} else if p.Messages > 0 {
			at.next = max(at.next, p.End)
		}
		at.isolation = cmp.Or(p.Isolation, at.isolation)
		r.before[key] = at
	}
	return nil
}

// goOn sets where each partition goes on.
func (r *Recording) goOn() error {
	for i := range r.snapshot.Partitions {
		p := &r.snapshot.Partitions[i]
		was, known := r.before[partition{p.Topic, p.Number}]
		if known && was.isolation != "" && was.isolation != r.isolation() {
			return fmt.Errorf("%s holds %s/%d as %s, and this is %s: choose another directory", r.dir, p.Topic, p.Number, was.isolation, r.isolation())
		}
		if known && was.next > p.HighWatermark {
			return fmt.Errorf("%s holds %s/%d up to offset %d, and its log ends at %d: the topic was made anew or lost messages; choose another directory", r.dir, p.Topic, p.Number, was.next, p.HighWatermark)
		}
		at := p.Start
		if known {
			at = max(at, was.next)
		}
		r.at = append(r.at, at)
		if known && was.next < p.LogStart && at == p.LogStart {
			r.gap(i, kafka.Gap{From: was.next, To: p.LogStart, Reason: kafka.Retention})
		}
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
		p := &r.snapshot.Partitions[i]
		r.open.Describe(r.open.Partition(p.Topic, p.Number)).Isolation = r.isolation()
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
	r.Messages += int64(c.Messages.Len())
	if r.rows += int64(c.Messages.Len()); r.rows >= r.opts.RotateRows {
		return r.Rotate()
	}
	return nil
}

// Follow goes on with a later snapshot of the same partitions.
func (r *Recording) Follow(s *kafka.Snapshot) error {
	if len(s.Partitions) != len(r.snapshot.Partitions) {
		return errors.New("the topics have other partitions than when the recording began: end it and begin again")
	}
	for i := range s.Partitions {
		if a, b := &s.Partitions[i], &r.snapshot.Partitions[i]; a.Topic != b.Topic || a.Number != b.Number {
			return errors.New("the topics have other partitions than when the recording began: end it and begin again")
		}
	}
	r.snapshot = s
	return nil
}

// Rotate makes the open file whole. One that has no messages, and knows of no gap, is
// not kept.
func (r *Recording) Rotate() error {
	if r.open == nil && r.lost {
		if err := r.begin(); err != nil {
			return err
		}
	}
	if r.open == nil {
		return nil
	}
	w := r.open
	r.open = nil
	if r.rows == 0 && !r.lost {
		w.Abort()
		return nil
	}
	for i := range r.snapshot.Partitions {
		p, m, next := r.snapshot.Partitions[i], w.Describe(int32(i)), r.at[i]
		m.Next, m.HighWatermark, m.LastStableOffset = &next, &p.HighWatermark, &p.LastStable
	}
	if err := w.Close(); err != nil {
		return err
	}
	r.number++
	r.Files++
	r.rows, r.lost = 0, false
	return nil
}

// Close makes the open file whole and ends the recording.
func (r *Recording) Close() error {
	err := r.Rotate()
	return errors.Join(err, r.lock.Unlock())
}

// Abort ends the recording without the open file.
func (r *Recording) Abort() {
	if r.open != nil {
		r.open.Abort()
		r.open = nil
	}
	r.lock.Unlock()
}
