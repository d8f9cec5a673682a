package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// defaultPatience is how long a partition may make no way. This file is about those that
// make none: for how long that goes, why it is so, and where reading can go on.
const defaultPatience = 2 * time.Minute

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

// emptyAtMost is how long fetches may bring nothing before the end of a log counts as
// gone. Brokers that have to get messages from a remote store first say nothing for a while too.
const emptyAtMost = 30 * time.Second

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
