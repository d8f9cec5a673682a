package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// How much is fetched at a time.
const (
	fetchesAhead        = 3
	fetchWaitMs         = 500
	fetchBytes          = 16 << 20
	fetchBytesLeast     = 256 << 10
	partitionBytes      = 4 << 20
	partitionBytesLeast = 64 << 10
	partitionBytesMost  = 1 << 30
)

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
				k := r.key(resp.Version, t.Topic, t.TopicID, rp.Partition)
				p := byKey[k]
				if p == nil {
					continue
				}
				delete(byKey, k)
				moved, ok := r.take(ctx, p, rp, p == first || total == 0)
				way, again = way || moved, again || !ok
				if moved {
					served++
				}
			}
		}
		if total > 0 {
			for _, p := range byKey { // left out of a full response: they wait for their turn
				if p != first {
					p.moved = time.Now()
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
