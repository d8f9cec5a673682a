package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// ReadOptions say how a snapshot is read.
type ReadOptions struct {
	Keys, Values, Headers bool // payloads wanted

	// Library has the client library decode all records, not only those of old
	// formats. It is slower by far, and there to hold the walk against.
	Library bool

	// Patience is how long a partition may make no way before it is an error that
	// says why. Default 2 minutes.
	Patience time.Duration
}

const defaultPatience = 2 * time.Minute

// How much is fetched at a time.
const (
	fetchWaitMs        = 500
	fetchBytes         = 16 << 20
	fetchBytesLeast    = 256 << 10
	partitionBytes     = 4 << 20
	partitionBytesMost = 1 << 30

	partitionBytesLeast = 64 << 10
	fetchesAhead        = 3
)

// Read goes over the offsets of a snapshot and hands chunks to sink, which must not
// keep them: those of a partition in order, ending at its Partition.End. starts, where
// not nil, holds by partition the offset to begin at instead of Partition.Start.
func (c *Client) Read(ctx context.Context, s *Snapshot, starts []int64, o ReadOptions, sink func(*Chunk) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &reader{client: c, snapshot: s, options: o, out: make(chan fetched, fetchesAhead), fail: cancel}
	r.options.Patience = cmp.Or(o.Patience, defaultPatience)
	r.bytes.Store(fetchBytes)
	position := make([]int64, len(s.Partitions))
	for i := range s.Partitions {
		position[i] = s.Partitions[i].Start
		if starts != nil {
			position[i] = starts[i]
		}
		p := &reading{Partition: &s.Partitions[i], index: i, next: position[i], leader: -1, most: partitionBytes, moved: time.Now()}
		if p.next < p.End {
			r.open = append(r.open, p)
		}
	}
	go func() {
		defer close(r.out)
		r.fetchAll(ctx)
	}()
	d := decoder{walker: walker{committed: s.Committed, keys: o.Keys, values: o.Values, headers: o.Headers, decompressor: kgo.DefaultDecompressor()}, library: o.Library}
	free, full := make(chan *Chunk, chunksAhead), make(chan *Chunk, chunksAhead)
	for range chunksAhead {
		free <- new(Chunk)
	}
	go func() {
		defer close(full)
		if err := r.decodeAll(ctx, &d, position, free, full); err != nil {
			cancel(err)
		}
		for range r.out { // until the fetchers have seen it
		}
	}()
	for c := range full {
		if ctx.Err() == nil {
			if err := sink(c); err != nil {
				cancel(err)
			}
		}
		free <- c
	}
	return context.Cause(ctx)
}

// chunksAhead is how many chunks are on their way.
const chunksAhead = 3

// decodeAll makes chunks of what is fetched, and sees that nothing was left out.
func (r *reader) decodeAll(ctx context.Context, d *decoder, position []int64, free <-chan *Chunk, full chan<- *Chunk) error {
	for f := range r.out {
		at, c := &position[f.part.index], <-free
		if err := d.decode(&f, c); err != nil {
			return fmt.Errorf("%s/%d: %w", f.part.Topic, f.part.Number, err)
		}
		if f.from != *at {
			return fmt.Errorf("%s/%d: offsets from %d to %d were not read: this is a fault of the tool, please report it", f.part.Topic, f.part.Number, *at, f.from)
		}
		*at = c.Next
		full <- c
	}
	for i := range r.snapshot.Partitions {
		if p := &r.snapshot.Partitions[i]; position[i] < p.End && ctx.Err() == nil {
			return fmt.Errorf("%s/%d: offsets from %d to %d were not read: this is a fault of the tool, please report it", p.Topic, p.Number, position[i], p.End)
		}
	}
	return nil
}

// reading is a partition being read. It belongs to the fetcher of its leader, and to
// the reader while that looks for leaders.
type reading struct {
	*Partition
	index  int
	next   int64 // offset to fetch from
	leader int32
	most   int32         // bytes to ask for
	epoch  int32         // of the leader
	empty  time.Time     // since when fetches bring nothing though nothing is in the way; zero when they do
	moved  time.Time     // when next moved last, or something else was read instead
	why    error         // what was in the way since
	gone   time.Time     // since when the topic is not known
	waited time.Duration // for whoever takes what was fetched, in the response at hand
}

// fetched is what a fetch brought for one partition, or a gap instead.
type fetched struct {
	part    *reading
	from    int64
	raw     []byte
	aborted []aborted
	old     bool // in a format before 2
	gap     Gap
}

// reader fetches the open partitions of a snapshot.
type reader struct {
	client   *Client
	snapshot *Snapshot
	options  ReadOptions
	out      chan fetched
	fail     context.CancelCauseFunc

	open  []*reading
	bytes atomic.Int32 // to ask a broker for at a time
}

// isTimeout says whether an answer did not come in time.
func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// askForLess has brokers asked for less at a time: the network is too slow for so much.
func (r *reader) askForLess() {
	if n := r.bytes.Load(); n > fetchBytesLeast {
		r.bytes.CompareAndSwap(n, n/2)
	}
}

// fetchAll goes on until every partition is read. In each round the partitions are
// dealt to their leaders, which are fetched from side by side until one of them is no
// leader any more or cannot be reached.
func (r *reader) fetchAll(ctx context.Context) {
	pause := time.Duration(0)
	for len(r.open) > 0 && ctx.Err() == nil {
		wait(ctx, pause)
		byLeader := r.findLeaders(ctx)
		var fetchers sync.WaitGroup
		led, most := 0, time.Hour
		for _, parts := range byLeader {
			led += len(parts)
		}
		if led < len(r.open) { // look for the other leaders soon
			most = time.Second
		}
		round, over := context.WithTimeout(ctx, most)
		way := make(chan bool, len(byLeader))
		for leader, parts := range byLeader {
			fetchers.Go(func() {
				way <- r.fetchFrom(round, ctx, leader, parts)
				over()
			})
		}
		fetchers.Wait()
		over()
		close(way)
		pause = min(max(2*pause, 50*time.Millisecond), 2*time.Second)
		for made := range way {
			if made {
				pause = 0
			}
		}
		open := r.open[:0]
		for _, p := range r.open {
			if p.next < p.End {
				open = append(open, p)
			}
		}
		r.open = open
		if err := r.stuck(r.open); err != nil {
			r.fail(err)
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// stuck is an error when one of some partitions has made no way for too long.
func (r *reader) stuck(parts []*reading) error {
	for _, p := range parts {
		if at := time.Since(p.moved); at > r.options.Patience {
			why := p.why
			if why == nil {
				why = errors.New("the broker sends nothing, though its log goes on")
			}
			return fmt.Errorf("%s/%d: at offset %d of %d there is no way on since %s: %w", p.Topic, p.Number, p.next, p.End, at.Round(time.Second), refusal(why))
		}
	}
	return nil
}

// findLeaders asks who leads the open partitions. Those that have no leader now are
// left out.
func (r *reader) findLeaders(ctx context.Context) map[int32][]*reading {
	var topics []string
	for i, p := range r.open {
		if i == 0 || topics[len(topics)-1] != p.Topic {
			topics = append(topics, p.Topic)
		}
	}
	byLeader := map[int32][]*reading{}
	m, err := r.client.adm.Metadata(ctx, topics...)
	for _, p := range r.open {
		if err != nil {
			p.why = err
			continue
		}
		t, known := m.Topics[p.Topic]
		d, there := t.Partitions[p.Number]
		switch {
		case !known || errors.Is(t.Err, kerr.UnknownTopicOrPartition):
			p.why = fmt.Errorf("the topic is not there any more: %w", kerr.UnknownTopicOrPartition)
			if p.gone.IsZero() {
				p.gone = time.Now()
			}
			if time.Since(p.gone) > goneAfter {
				r.fail(fmt.Errorf("%s/%d: the topic was deleted while it was read; offsets up to %d of %d were", p.Topic, p.Number, p.next, p.End))
			}
		case p.id != [16]byte{} && [16]byte(t.ID) != p.id && t.Err == nil:
			r.fail(fmt.Errorf("%s/%d: the topic was deleted and made anew while it was read; offsets up to %d of %d were", p.Topic, p.Number, p.next, p.End))
		case t.Err != nil:
			p.why = t.Err
		case !there:
			p.why = errors.New("there is no such partition any more")
		case d.Leader < 0:
			p.why = errors.New("the partition has no leader")
		default:
			p.leader, p.epoch, p.gone = d.Leader, d.LeaderEpoch, time.Time{}
			byLeader[p.leader] = append(byLeader[p.leader], p)
		}
	}
	return byLeader
}

// goneAfter is how long a topic may be unknown before it counts as deleted: brokers
// that have just started do not know all at once.
const goneAfter = 5 * time.Second

// fetchFrom fetches partitions from their leader until all are read or one of them has
// to look for another, and says whether any has made way. round ends when another
// fetcher of the round has.
func (r *reader) fetchFrom(round, ctx context.Context, leader int32, parts []*reading) (way bool) {
	for len(parts) > 0 && round.Err() == nil {
		resp, err := r.fetch(ctx, leader, parts) // which the end of a round does not cut off
		if err != nil {
			if isTimeout(err) {
				r.askForLess()
			}
			for _, p := range parts {
				p.why = fmt.Errorf("broker %d: %w", leader, err)
			}
			return way
		}
		again := false
		byKey := make(map[key]*reading, len(parts))
		for _, p := range parts {
			byKey[r.key(resp.Version, p.Topic, p.id, p.Number)] = p
		}
		total := 0
		for i := range resp.Topics {
			for j := range resp.Topics[i].Partitions {
				total += len(resp.Topics[i].Partitions[j].RecordBatches)
			}
		}
		first, served := parts[0], 0
		for i := range resp.Topics {
			t := &resp.Topics[i]
			for j := range t.Partitions {
				rp := &t.Partitions[j]
				p := byKey[r.key(resp.Version, t.Topic, t.TopicID, rp.Partition)]
				if p == nil {
					continue
				}
				moved, ok := r.take(ctx, p, rp, p == first || total == 0)
				way, again = way || moved, again || !ok
				if moved {
					served++
				}
			}
		}
		excuse(parts)
		turn := min(max(served, 1), len(parts)) // those that were not served are the first now
		parts = append(parts[turn:len(parts):len(parts)], parts[:turn]...)
		left := parts[:0]
		for _, p := range parts {
			if p.next < p.End {
				left = append(left, p)
			}
		}
		parts = left
		if again || ctx.Err() != nil || r.stuck(parts) != nil {
			return way
		}
	}
	return way
}

// excuse takes off the patience with partitions what they have waited for whoever takes
// the messages: that no broker sends anything meanwhile is no fault of theirs.
func excuse(parts []*reading) {
	var waited time.Duration
	for _, p := range parts {
		waited += p.waited
		p.waited = 0
	}
	now := time.Now()
	for _, p := range parts {
		for _, since := range []*time.Time{&p.moved, &p.empty} {
			if since.IsZero() {
				continue
			}
			if *since = since.Add(waited); since.After(now) {
				*since = now
			}
		}
	}
}

// key is how a response names a partition: by the topic's id from version 13 on.
type key struct {
	topic  string
	id     [16]byte
	number int32
}

func (r *reader) key(version int16, topic string, id [16]byte, number int32) key {
	if version >= 13 {
		return key{id: id, number: number}
	}
	return key{topic: topic, number: number}
}

// fetch asks a leader for what follows in each partition.
func (r *reader) fetch(ctx context.Context, leader int32, parts []*reading) (*kmsg.FetchResponse, error) {
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = fetchWaitMs, 1, r.bytes.Load()
	if r.snapshot.Committed {
		req.IsolationLevel = 1
	}
	for _, p := range parts {
		if n := len(req.Topics); n == 0 || req.Topics[n-1].Topic != p.Topic {
			t := kmsg.NewFetchRequestTopic()
			t.Topic, t.TopicID = p.Topic, p.id
			req.Topics = append(req.Topics, t)
		}
		t := &req.Topics[len(req.Topics)-1]
		rp := kmsg.NewFetchRequestTopicPartition()
		rp.Partition, rp.FetchOffset, rp.PartitionMaxBytes, rp.CurrentLeaderEpoch = p.Number, p.next, min(p.most, max(r.bytes.Load(), partitionBytesLeast)), p.epoch
		t.Partitions = append(t.Partitions, rp)
	}
	cl := r.client.kgo
	if parts[0].id == [16]byte{} {
		var err error
		if cl, err = r.client.byName(); err != nil {
			return nil, err
		}
	}
	resp, err := cl.Broker(int(leader)).Request(ctx, req)
	if err != nil {
		return nil, err
	}
	f := resp.(*kmsg.FetchResponse)
	return f, kerr.ErrorForCode(f.ErrorCode)
}

// take hands on what a fetch brought for a partition. ok is false when the leaders are
// to be looked for; fair says that nothing else in the response was in its way.
func (r *reader) take(ctx context.Context, p *reading, rp *kmsg.FetchResponseTopicPartition, fair bool) (moved, ok bool) {
	if err := kerr.ErrorForCode(rp.ErrorCode); err != nil {
		return r.refused(ctx, p, rp, err)
	}
	next, err := nextOffset(rp.RecordBatches, p.next)
	f := fetched{part: p, from: p.next, raw: rp.RecordBatches}
	if err == errOldFormat {
		f.old = true
		next, err = libraryNext(p, rp, r.snapshot.Committed)
	}
	switch {
	case err != nil:
		r.fail(fmt.Errorf("%s/%d: %w", p.Topic, p.Number, err))
		return false, false
	case next > p.next:
		for _, a := range rp.AbortedTransactions {
			f.aborted = append(f.aborted, aborted{a.ProducerID, a.FirstOffset})
		}
		if next >= p.End {
			next = p.End
		}
		return r.send(ctx, p, f, next), true
	case len(rp.RecordBatches) > 0: // less than one batch
		if p.most < partitionBytesMost {
			p.most *= 2
		}
		p.why = fmt.Errorf("the next record batch is larger than %d bytes", p.most)
	case rp.PreferredReadReplica >= 0:
		p.why = fmt.Errorf("its leader wants it to be read from broker %d", rp.PreferredReadReplica)
	case !fair: // others were served first: it waits for its turn
		p.moved = time.Now()
	case p.empty.IsZero():
		p.empty = time.Now()
	case time.Since(p.empty) > min(r.options.Patience/2, emptyAtMost):
		return r.nothing(ctx, p, rp)
	}
	return false, true
}

// emptyAtMost is how long fetches may bring nothing before the end of a log counts as
// gone. Brokers that have to get messages from a remote store first say nothing for a while too.
const emptyAtMost = 30 * time.Second

// send hands on what moves a partition to next.
func (r *reader) send(ctx context.Context, p *reading, f fetched, next int64) bool {
	began := time.Now()
	defer func() { p.waited += time.Since(began) }()
	select {
	case r.out <- f:
		p.next, p.moved, p.why, p.empty = next, time.Now(), nil, time.Time{}
		return true
	case <-ctx.Done():
		return false
	}
}

// nothing finds out why there is nothing at the position of a partition: the log begins
// further on, or what was there has been compacted away.
func (r *reader) nothing(ctx context.Context, p *reading, rp *kmsg.FetchResponseTopicPartition) (moved, ok bool) {
	p.empty = time.Time{}
	if rp.HighWatermark < p.End {
		p.why = fmt.Errorf("its log ends at offset %d now: leaders have changed and messages were lost", rp.HighWatermark)
		return false, false
	}
	if r.snapshot.Committed && rp.LastStableOffset < p.End {
		p.why = fmt.Errorf("its last stable offset is %d now", rp.LastStableOffset)
		return false, false
	}
	latest, err := r.client.adm.ListMaxTimestampOffsets(ctx, p.Topic)
	if o, known := latest.Lookup(p.Topic, p.Number); known && o.Err == nil && o.Offset >= p.next {
		p.why = fmt.Errorf("the broker sends nothing, though there is a message at offset %d", o.Offset)
		return false, false
	} else if errors.Is(err, context.Canceled) {
		return false, false
	}
	return r.skip(ctx, p, NothingSent)
}

// skip goes on at the log's start where that lies ahead, and else to the end.
func (r *reader) skip(ctx context.Context, p *reading, otherwise Reason) (moved, ok bool) {
	list, err := r.client.adm.ListStartOffsets(ctx, p.Topic)
	o, known := list.Lookup(p.Topic, p.Number)
	switch {
	case !known:
		p.why = fmt.Errorf("asking for the log's start: %w", cmp.Or(err, errors.New("no answer")))
		return false, false
	case o.Err != nil:
		p.why = o.Err
		return false, false
	}
	gap := Gap{p.next, p.End, otherwise}
	if o.Offset > p.next {
		gap = Gap{p.next, min(o.Offset, p.End), Retention}
	} else if otherwise == "" {
		return false, false
	}
	return r.send(ctx, p, fetched{part: p, from: p.next, gap: gap}, gap.To), true
}

// refused deals with an error that a broker gave for a partition.
func (r *reader) refused(ctx context.Context, p *reading, rp *kmsg.FetchResponseTopicPartition, err error) (moved, ok bool) {
	p.why = err
	switch {
	case errors.Is(err, kerr.OffsetOutOfRange):
		if moved, ok = r.skip(ctx, p, ""); !moved && p.why == err {
			p.why = fmt.Errorf("offset %d is out of its range: its log ends at %d now, and was to be read up to %d (messages were lost, or the topic was made anew)", p.next, rp.HighWatermark, p.End)
		}
		return moved, ok
	case errors.Is(err, kerr.TopicAuthorizationFailed), !kerr.IsRetriable(err) && !errors.Is(err, kerr.UnknownTopicID):
		r.fail(fmt.Errorf("%s/%d: reading at offset %d: %w", p.Topic, p.Number, p.next, refusal(err)))
	}
	return false, false
}
