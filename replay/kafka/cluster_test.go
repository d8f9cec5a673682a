package kafka

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"twindrift/replay"
)

// cluster starts brokers that live as long as the test.
func cluster(t testing.TB, opts ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	c, err := kfake.NewCluster(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// connect makes a client of a cluster.
func connect(t testing.TB, c *kfake.Cluster) *Client {
	t.Helper()
	cl, err := NewClient(&Connection{Brokers: c.ListenAddrs()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

// producer makes a client that produces to the partition that a record names.
func producer(t testing.TB, c *kfake.Cluster, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	opts = append([]kgo.Opt{kgo.SeedBrokers(c.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0)}, opts...)
	cl, err := kgo.NewClient(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

func produce(t testing.TB, cl *kgo.Client, records ...*kgo.Record) {
	t.Helper()
	if err := cl.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// some are n records of a partition, a second apart.
func some(topic string, partition int32, n int) (records []*kgo.Record) {
	for i := range n {
		records = append(records, &kgo.Record{Topic: topic, Partition: partition, Key: fmt.Appendf(nil, "key-%d", i%7),
			Value: fmt.Appendf(nil, "value %d of %s/%d", i, topic, partition), Timestamp: time.UnixMilli(1_772_540_000_000 + 1000*int64(i))})
	}
	return records
}

// read is one message with where it came from.
type read struct {
	topic          string
	number         int32
	offset, ms     int64
	kind           int8
	hash           uint64
	keyLen, valLen int32
	key, value     string
	headers        string
}

// everything is what a snapshot holds: its messages by topic, partition and offset,
// and its gaps by partition. Every offset to be read is a message or in a gap.
func everything(t testing.TB, cl *Client, s *Snapshot, o ReadOptions) (all []read, gaps map[int][]Gap) {
	t.Helper()
	all, gaps, err := tryAll(t.Context(), cl, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return all, gaps
}

func tryAll(ctx context.Context, cl *Client, s *Snapshot, o ReadOptions) (all []read, gaps map[int][]Gap, err error) {
	gaps = map[int][]Gap{}
	at := make([]int64, len(s.Partitions))
	for i := range at {
		at[i] = s.Partitions[i].Start
	}
	var lost error
	err = cl.Read(ctx, s, nil, o, func(c *Chunk) error {
		p := &s.Partitions[c.Partition]
		covered := int64(c.Messages.Len())
		for _, g := range c.Gaps {
			covered += g.To - g.From
		}
		if covered != c.Next-at[c.Partition] {
			lost = fmt.Errorf("%s/%d: %d of the offsets from %d to %d are accounted for", p.Topic, p.Number, covered, at[c.Partition], c.Next)
		}
		at[c.Partition] = c.Next
		gaps[c.Partition] = append(gaps[c.Partition], c.Gaps...)
		keys, values, headers := c.Keys, c.Values, c.Headers
		for i := range c.Messages.Len() {
			b := &c.Messages
			r := read{p.Topic, p.Number, b.Offset[i], b.TimestampMs[i], b.TimestampType[i], b.KeyHash[i], b.KeyLen[i], b.ValueLen[i], "", "", ""}
			if o.Keys {
				n := max(0, b.KeyLen[i])
				r.key, keys = string(keys[:n]), keys[n:]
			}
			if o.Values {
				n := max(0, b.ValueLen[i])
				r.value, values = string(values[:n]), values[n:]
			}
			if o.Headers {
				n := c.HeaderCounts[i]
				for _, h := range headers[:n] {
					r.headers += headerText(string(h.Key), h.Value)
				}
				headers = headers[n:]
			}
			all = append(all, r)
		}
		return nil
	})
	if err == nil {
		err = lost
	}
	for i := range at {
		if err == nil && at[i] != max(s.Partitions[i].End, s.Partitions[i].Start) {
			err = fmt.Errorf("partition %d: read up to %d of %d", i, at[i], s.Partitions[i].End)
		}
	}
	slices.SortStableFunc(all, func(a, b read) int {
		if a.topic != b.topic {
			if a.topic < b.topic {
				return -1
			}
			return 1
		}
		return int(a.number) - int(b.number)
	})
	return all, gaps, err
}

// want is what a record must be read as.
func want(r *kgo.Record, o ReadOptions) read {
	w := read{topic: r.Topic, number: r.Partition, offset: r.Offset, ms: r.Timestamp.UnixMilli(), keyLen: length(r.Key), valLen: length(r.Value)}
	w.hash = keyHash(r.Key, w.keyLen)
	if w.ms == replay.NoTimestamp {
		w.kind = replay.TimestampNone
	}
	if o.Keys {
		w.key = string(r.Key)
	}
	if o.Values {
		w.value = string(r.Value)
	}
	if o.Headers {
		for _, h := range r.Headers {
			w.headers += headerText(h.Key, h.Value)
		}
	}
	return w
}

func headerText(key string, value []byte) string {
	return fmt.Sprintf("%s=%q(%v);", key, value, value == nil)
}

// randomRecords are records of all kinds: keys and values null, empty and long, with and
// without headers, times in s and ms in any order, and none. (The client
// library cannot produce times that do not fit into nanoseconds.)
func randomRecords(random *rand.Rand, topic string, partitions, n int) (records []*kgo.Record) {
	payload := func() []byte {
		switch random.IntN(6) {
		case 0:
			return nil
		case 1:
			return []byte{}
		case 2:
			return make([]byte, random.IntN(3000))
		}
		return fmt.Appendf(nil, "%x", random.Uint64())
	}
	times := []func() int64{
		func() int64 { return 1_772_540_000_000 + random.Int64N(100_000) },
		func() int64 { return 1_772_540_000 },
		func() int64 { return 0 },
		func() int64 { return -1 },
	}
	for range n {
		r := &kgo.Record{Topic: topic, Partition: int32(random.IntN(partitions)), Key: payload(), Value: payload()}
		r.Timestamp = time.UnixMilli(times[min(random.IntN(12), len(times)-1)*random.IntN(2)]())
		for range random.IntN(3) {
			r.Headers = append(r.Headers, kgo.RecordHeader{Key: "trace", Value: payload()})
		}
		records = append(records, r)
	}
	return records
}
