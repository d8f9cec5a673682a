package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
)

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

func wait(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
