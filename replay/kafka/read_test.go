package kafka

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

var codecs = map[string]kgo.CompressionCodec{
	"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
}

func whole(topics ...string) Selection { return Selection{Topics: topics, From: Start, To: End} }

func snapshot(t testing.TB, cl *Client, sel Selection) *Snapshot {
	t.Helper()
	s, err := cl.Snapshot(t.Context(), sel)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is read is what was produced, with all codecs, and the walk over the records
// finds what the client library decodes.
func TestReadIsWhatWasProduced(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(4, "none", "gzip", "snappy", "lz4", "zstd"))
	cl := connect(t, c)
	random := rand.New(rand.NewPCG(1, 2))
	for name, codec := range codecs {
		p := producer(t, c, kgo.ProducerBatchCompression(codec))
		records := randomRecords(random, name, 4, 3000)
		for part := range slices.Chunk(records, 500) {
			produce(t, p, part...)
		}
		s := snapshot(t, cl, whole(name))
		if s.Offsets() != 3000 {
			t.Fatalf("%s: %d offsets", name, s.Offsets())
		}
		for _, o := range []ReadOptions{{}, {Keys: true, Values: true}, {Headers: true}} {
			var wanted []read
			for _, r := range records {
				wanted = append(wanted, want(r, o))
			}
			slices.SortFunc(wanted, func(a, b read) int {
				if a.number != b.number {
					return int(a.number - b.number)
				}
				return int(a.offset - b.offset)
			})
			got, gaps := everything(t, cl, s, o)
			if diff := cmp.Diff(wanted, got, cmp.AllowUnexported(read{})); diff != "" {
				t.Fatalf("%s: (-produced +read)\n%s", name, diff)
			}
			for i, g := range gaps {
				if len(g) > 0 {
					t.Fatalf("%s/%d: gaps %v", name, i, g)
				}
			}
			o.Library = true
			byLibrary, _ := everything(t, cl, s, o)
			if diff := cmp.Diff(byLibrary, got, cmp.AllowUnexported(read{})); diff != "" {
				t.Fatalf("%s: (-library +walk)\n%s", name, diff)
			}
		}
	}
}

// A read ends by itself at the offset that was the end when it began, whatever comes
// behind; and at once where there is nothing.
func TestReadEndsWhereItWasToEnd(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(3, "busy", "empty"))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("busy", 0, 100)...)
	produce(t, p, some("busy", 2, 50)...)
	s := snapshot(t, cl, whole("busy", "empty"))
	produce(t, p, some("busy", 0, 100)...)
	produce(t, p, some("empty", 1, 100)...)
	if got, _ := everything(t, cl, s, ReadOptions{}); len(got) != 150 {
		t.Fatalf("%d messages, want 150", len(got))
	}
	if n := len(s.Partitions); n != 6 {
		t.Fatalf("%d partitions", n)
	}
}

// Bounds are offsets of each partition, kept within its log.
func TestBoundsOfPartitions(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(2, "t"))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 100)...)
	produce(t, p, some("t", 1, 10)...)
	if err := c.DeleteRecords("t", 0, 20); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ from, to, want string }{
		{"start", "end", "20-100 0-10"},
		{"30", "end", "30-100 10-10"},
		{"5", "25", "20-25 5-10"},
		{"+5", "end", "25-100 5-10"},
		{"-5", "end", "95-100 5-10"},
		{"start", "+3", "20-23 0-3"},
		{"-5", "+3", "95-98 5-8"},
		{"start", "-3", "20-97 0-7"},
		{"40", "30", "40-40 10-10"},
		{"@1772540050000", "end", "50-100 10-10"},
		{"@1772540003", "@1772540006000", "20-20 3-6"},
		{"@1772540020000", "@1772540030000", "20-30 10-10"},
	} {
		from, err := ParseBound(test.from, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		to, err := ParseBound(test.to, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		s := snapshot(t, cl, Selection{Topics: []string{"t"}, From: from, To: to})
		var got []string
		for _, p := range s.Partitions {
			got = append(got, fmt.Sprintf("%d-%d", p.Start, p.End))
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s..%s: %s, want %s", test.from, test.to, text, test.want)
		}
	}
	late, _ := ParseBound("@1772540050000", time.Now())
	s := snapshot(t, cl, Selection{Topics: []string{"t"}, Partitions: []int32{0}, From: late, To: late, Slack: 5 * time.Second})
	if p := s.Partitions[0]; len(s.Partitions) != 1 || p.Start != 45 || p.End != 55 {
		t.Errorf("with slack: %+v", s.Partitions)
	}
}

// transaction produces in one transaction, which is then committed, aborted or left open.
func transaction(t testing.TB, p *kgo.Client, records []*kgo.Record, end func(*kgo.Client) error) {
	t.Helper()
	if err := p.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	produce(t, p, records...)
	if err := end(p); err != nil {
		t.Fatal(err)
	}
}

func commit(p *kgo.Client) error { return p.EndTransaction(context.Background(), kgo.TryCommit) }
func abort(p *kgo.Client) error  { return p.EndTransaction(context.Background(), kgo.TryAbort) }
func leave(*kgo.Client) error    { return nil }

// Markers and aborted messages are passed over; what an open transaction holds back
// is told, and read where that is not asked about.
func TestTransactions(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl := connect(t, c)
	one, two := producer(t, c, kgo.TransactionalID("one")), producer(t, c, kgo.TransactionalID("two"))
	transaction(t, one, some("t", 0, 2), commit)   // 0 1, marker 2
	transaction(t, two, some("t", 0, 2), abort)    // 3 4, marker 5
	produce(t, producer(t, c), some("t", 0, 1)...) // 6
	transaction(t, two, some("t", 0, 1), commit)   // 7, marker 8
	transaction(t, one, some("t", 0, 3), abort)    // 9 10 11, marker 12

	offsets := func(list []read) (all []int64) {
		for _, r := range list {
			all = append(all, r.offset)
		}
		return all
	}
	for _, library := range []bool{false, true} {
		sel := whole("t")
		s := snapshot(t, cl, sel)
		got, gaps := everything(t, cl, s, ReadOptions{Library: library})
		if want := []int64{0, 1, 3, 4, 6, 7, 9, 10, 11}; !slices.Equal(offsets(got), want) {
			t.Errorf("uncommitted: %v, want %v", offsets(got), want)
		}
		if want := []Gap{{2, 3, Compaction}, {5, 6, Compaction}, {8, 9, Compaction}, {12, 13, Compaction}}; !slices.Equal(merged(gaps[0]), want) {
			t.Errorf("uncommitted: gaps %v, want %v", merged(gaps[0]), want)
		}
		sel.Committed = true
		s = snapshot(t, cl, sel)
		got, gaps = everything(t, cl, s, ReadOptions{Library: library})
		if want := []int64{0, 1, 6, 7}; !slices.Equal(offsets(got), want) {
			t.Errorf("committed: %v, want %v", offsets(got), want)
		}
		if want := []Gap{{2, 6, Compaction}, {8, 13, Compaction}}; !slices.Equal(merged(gaps[0]), want) {
			t.Errorf("committed: gaps %v, want %v", merged(gaps[0]), want)
		}
	}

	transaction(t, one, some("t", 0, 4), leave) // 13 to 16
	produce(t, producer(t, c), some("t", 0, 2)...)
	sel := whole("t")
	sel.Committed = true
	s := snapshot(t, cl, sel)
	if p := s.Partitions[0]; p.HighWatermark != 19 || p.LastStable != 13 || p.End != 13 || p.Withheld != 6 {
		t.Errorf("with an open transaction: %+v", p)
	}
	if got, _ := everything(t, cl, s, ReadOptions{}); len(got) != 4 {
		t.Errorf("%d messages before an open transaction, want 4", len(got))
	}
	sel.Committed = false
	if got, _ := everything(t, cl, snapshot(t, cl, sel), ReadOptions{}); len(got) != 15 {
		t.Errorf("%d messages with those of an open transaction, want 15", len(got))
	}
	sel.Committed, sel.WaitOpen = true, time.Minute
	asked := 0
	c.ControlKey(int16(kmsg.ListOffsets), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if asked++; asked == 5 { // start, end, and stable offsets a few times
			go commit(one)
		}
		return nil, nil, false
	})
	s = snapshot(t, cl, sel)
	if p := s.Partitions[0]; p.Withheld != 0 || p.End < 19 {
		t.Errorf("after waiting for it: %+v", p)
	}
	if got, _ := everything(t, cl, s, ReadOptions{}); len(got) != 10 {
		t.Errorf("%d messages after it was committed, want 10", len(got))
	}
}

// merged joins gaps that follow each other.
func merged(gaps []Gap) (all []Gap) {
	for _, g := range gaps {
		if n := len(all); n > 0 && all[n-1].To == g.From && all[n-1].Reason == g.Reason {
			all[n-1].To = g.To
			continue
		}
		all = append(all, g)
	}
	return all
}

// onFetch does something as the nth fetch comes.
func onFetch(c *kfake.Cluster, nth int, do func()) {
	seen := 0
	c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if seen++; seen == nth {
			go do()
		}
		return nil, nil, false
	})
}

// Retention that passes the read by leaves a gap with that reason.
func TestRetentionPassesBy(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p := connect(t, c), producer(t, c, kgo.ProducerBatchMaxBytes(1<<20), kgo.MaxBufferedRecords(100))
	for range 10 {
		produce(t, p, some("t", 0, 100)...)
	}
	s := snapshot(t, cl, whole("t"))
	if err := c.DeleteRecords("t", 0, 350); err != nil {
		t.Fatal(err)
	}
	got, gaps := everything(t, cl, s, ReadOptions{})
	if len(got) != 650 || got[0].offset != 350 || !slices.Equal(gaps[0], []Gap{{0, 350, Retention}}) {
		t.Fatalf("%d messages from %d, gaps %v", len(got), got[0].offset, gaps[0])
	}
	if err := c.DeleteRecords("t", 0, 1000); err != nil { // all of it
		t.Fatal(err)
	}
	got, gaps = everything(t, cl, s, ReadOptions{})
	if len(got) != 0 || !slices.Equal(gaps[0], []Gap{{0, 1000, Retention}}) {
		t.Fatalf("%d messages, gaps %v", len(got), gaps[0])
	}
}

// Compaction leaves gaps within, and at the start.
func TestCompacted(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1))
	if err := c.CreateTopic("t", 1, map[string]string{"cleanup.policy": "compact"}); err != nil {
		t.Fatal(err)
	}
	cl, p := connect(t, c), producer(t, c)
	for i := range 20 {
		produce(t, p, &kgo.Record{Topic: "t", Key: fmt.Appendf(nil, "%d", i%3), Value: []byte("v")})
	}
	before := snapshot(t, cl, whole("t"))
	c.Compact()
	for _, s := range []*Snapshot{before, snapshot(t, cl, whole("t"))} {
		got, gaps := everything(t, cl, s, ReadOptions{})
		if len(got) == 0 || len(got) >= 20 || got[len(got)-1].offset != 19 {
			t.Fatalf("%d messages are left, gaps %v", len(got), gaps[0])
		}
		latest := map[uint64]int64{}
		for _, r := range got {
			latest[r.hash] = r.offset
		}
		if len(latest) != 3 {
			t.Fatalf("%d keys are left", len(latest))
		}
	}
}

// emptyFetches answers fetches of a partition with nothing, as brokers do where the end
// of a log was compacted away.
// It does so as often as what it gives says.
func emptyFetches(c *kfake.Cluster, highWatermark int64) (left *atomic.Int64) {
	left = new(atomic.Int64)
	left.Store(1 << 40)
	c.ControlKey(int16(kmsg.Fetch), func(k kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if left.Add(-1) < 0 {
			return nil, nil, false
		}
		req := k.(*kmsg.FetchRequest)
		resp := req.ResponseKind().(*kmsg.FetchResponse)
		t := kmsg.NewFetchResponseTopic()
		t.Topic, t.TopicID = req.Topics[0].Topic, req.Topics[0].TopicID
		rp := kmsg.NewFetchResponseTopicPartition()
		rp.HighWatermark, rp.LastStableOffset, rp.LogStartOffset = highWatermark, highWatermark, 0
		t.Partitions = append(t.Partitions, rp)
		resp.Topics = append(resp.Topics, t)
		return resp, nil, true
	})
	return left
}

// Where a log's end was compacted away, the read ends with a gap; where the log ends
// before what was there at the start, it is an error that says so.
func TestNothingComes(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 20)...)
	s := snapshot(t, cl, Selection{Topics: []string{"t"}, From: Bound{atOffset, 10}, To: End})
	emptyFetches(c, 20)
	if _, _, err := tryAll(t.Context(), cl, s, ReadOptions{Patience: time.Second}); err == nil || !strings.Contains(err.Error(), "the broker sends nothing, though there is a message at offset 19") {
		t.Fatal(err)
	}
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Err: kerr.UnknownServerError, Count: -1, When: func(k kmsg.Request) bool {
		return k.(*kmsg.ListOffsetsRequest).Topics[0].Partitions[0].Timestamp == -3 // it does not know of a later message
	}})
	got, gaps := everything(t, cl, s, ReadOptions{Patience: time.Second})
	if len(got) != 0 || !slices.Equal(gaps[0], []Gap{{10, 20, NothingSent}}) {
		t.Fatalf("%d messages, gaps %v", len(got), gaps[0])
	}

	// Some that bring nothing are no reason to give up.
	c = cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p = connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 20)...)
	s = snapshot(t, cl, whole("t"))
	answers := emptyFetches(c, 20)
	answers.Store(5)
	if got, gaps := everything(t, cl, s, ReadOptions{}); len(got) != 20 || len(gaps[0]) > 0 {
		t.Fatalf("%d messages, gaps %v", len(got), gaps[0])
	}

	c = cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p = connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 20)...)
	s = snapshot(t, cl, whole("t"))
	emptyFetches(c, 15)
	_, _, err := tryAll(t.Context(), cl, s, ReadOptions{Patience: time.Second})
	if err == nil || !strings.Contains(err.Error(), "t/0: at offset 0 of 20 there is no way on") || !strings.Contains(err.Error(), "its log ends at offset 15 now") {
		t.Fatal(err)
	}
}

// Leaders that move, brokers that come and go, connections that break and errors that
// pass cost time and no message.
func TestTrouble(t *testing.T) {
	for name, trouble := range map[string]func(c *kfake.Cluster){
		"leaders move": func(c *kfake.Cluster) {
			for n := range int32(6) {
				onFetch(c, 1+int(n), func() { c.MoveTopicPartition("t", n, n%3) })
			}
		},
		"errors that pass": func(c *kfake.Cluster) {
			for _, err := range []*kerr.Error{kerr.NotLeaderForPartition, kerr.FencedLeaderEpoch, kerr.KafkaStorageError, kerr.UnknownTopicOrPartition, kerr.LeaderNotAvailable} {
				c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: err, Count: 3})
			}
		},
		"connections break": func(c *kfake.Cluster) {
			broken := 0
			c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				if broken++; broken%2 == 0 && broken < 12 {
					return nil, errors.New("broken"), true
				}
				return nil, nil, false
			})
		},
		"a broker goes": func(c *kfake.Cluster) {
			onFetch(c, 2, func() { c.RemoveNode(1) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(6, "t"))
			cl, p := connect(t, c), producer(t, c)
			for range 5 {
				for n := range int32(6) {
					produce(t, p, some("t", n, 100)...)
				}
			}
			s := snapshot(t, cl, whole("t"))
			trouble(c)
			got, gaps := everything(t, cl, s, ReadOptions{Patience: 20 * time.Second})
			if len(got) != 3000 {
				t.Fatalf("%d messages, want 3000; gaps %v", len(got), gaps)
			}
			for i, r := range got {
				if r.offset != int64(i%500) {
					t.Fatalf("message %d is %s/%d@%d", i, r.topic, r.number, r.offset)
				}
			}
		})
	}
}

// What cannot be read is named, and ends the read.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		trouble func(c *kfake.Cluster)
		want    string
	}{
		"not allowed": {func(c *kfake.Cluster) {
			c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.TopicAuthorizationFailed, Count: -1})
		}, "t/0: reading at offset 0: this user may not read it"},
		"deleted": {func(c *kfake.Cluster) { c.DeleteTopic("t") }, "t/0: the topic was deleted while it was read; offsets up to 0 of 10 were"},
		"made anew": {func(c *kfake.Cluster) {
			c.DeleteTopic("t")
			c.CreateTopic("t", 1, nil)
		}, "t/0: the topic was deleted and made anew while it was read"},
		"an error that stays": {func(c *kfake.Cluster) {
			c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.KafkaStorageError, Count: -1})
		}, "t/0: at offset 0 of 10 there is no way on since"},
		"no brokers any more": {func(c *kfake.Cluster) { c.Close() }, "t/0: at offset 0 of 10 there is no way on since"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
			cl, p := connect(t, c), producer(t, c)
			produce(t, p, some("t", 0, 10)...)
			s := snapshot(t, cl, whole("t"))
			test.trouble(c)
			patience := 2 * time.Second
			if name == "deleted" {
				patience = 20 * time.Second
			}
			_, _, err := tryAll(t.Context(), cl, s, ReadOptions{Patience: patience})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("%v, want %s", err, test.want)
			}
		})
	}
}

// Cancelling ends a read with the context's error; an error of the sink is the read's.
func TestReadIsCancelled(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 10)...)
	s := snapshot(t, cl, whole("t"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := cl.Read(ctx, s, nil, ReadOptions{}, func(*Chunk) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	if err := cl.Read(t.Context(), s, nil, ReadOptions{}, func(*Chunk) error { return full }); !errors.Is(err, full) {
		t.Fatal(err)
	}
}

// Five hundred partitions, most of them empty.
func TestManyPartitions(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(500, "many"))
	cl, p := connect(t, c), producer(t, c)
	for n := int32(0); n < 500; n += 7 {
		produce(t, p, some("many", n, 3)...)
	}
	s := snapshot(t, cl, whole("many"))
	if got, _ := everything(t, cl, s, ReadOptions{}); len(s.Partitions) != 500 || len(got) != 72*3 {
		t.Fatalf("%d messages of %d partitions", len(got), len(s.Partitions))
	}
}

// A partition that cannot be read costs the others no more than a look for its leader.
func TestOneBadPartition(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "t"))
	cl, p := connect(t, c), producer(t, c)
	for n := range int32(2) {
		if err := c.MoveTopicPartition("t", n, n); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			produce(t, p, some("t", n, 50)...)
		}
	}
	s := snapshot(t, cl, whole("t"))
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: "t", Partitions: []int32{0}, Err: kerr.KafkaStorageError, Count: -1})
	healthy := 0
	err := cl.Read(t.Context(), s, nil, ReadOptions{Patience: 3 * time.Second}, func(c *Chunk) error {
		if c.Partition == 1 {
			healthy += c.Messages.Len()
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "t/0: at offset 0 of 150 there is no way on") || healthy != 150 {
		t.Fatalf("%d messages of the other partition, %v", healthy, err)
	}
}

// An offset that is out of range for no reason that can be found is asked for again at
// leisure, and named in the end.
func TestOutOfRangeForNoReason(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 10)...)
	s := snapshot(t, cl, whole("t"))
	asked := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.OffsetOutOfRange, Count: -1})
	_, _, err := tryAll(t.Context(), cl, s, ReadOptions{Patience: 2 * time.Second})
	if err == nil || !strings.Contains(err.Error(), "offset 0 is out of its range") {
		t.Fatal(err)
	}
	if n := asked.Hits(); n > 50 {
		t.Errorf("asked %d times in two seconds", n)
	}
}

// Partitions that a broker leaves out of full responses, and so have to wait for their
// turn for long, have patience too.
func TestPartitionsWaitForTheirTurn(t *testing.T) {
	const partitions, each = 30, 5
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(partitions, "t"))
	cl, p := connect(t, c), producer(t, c, kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.ProducerBatchMaxBytes(1<<20))
	value := make([]byte, 900_000)
	for n := range int32(partitions) {
		for range each {
			produce(t, p, &kgo.Record{Topic: "t", Partition: n, Value: value})
		}
	}
	s := snapshot(t, cl, whole("t"))
	const slow = 400 * time.Millisecond
	c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		<-time.After(slow)
		return nil, nil, false
	})
	messages := 0
	err := cl.Read(t.Context(), s, nil, ReadOptions{Patience: 3 * slow}, func(c *Chunk) error {
		messages += c.Messages.Len()
		return nil
	})
	if err != nil || messages != each*partitions {
		t.Fatalf("%d messages, %v", messages, err)
	}
}

// Partitions that wait for their turn, or for whoever takes the messages, have patience.
func TestSlowReaders(t *testing.T) {
	const partitions = 30
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(partitions, "t"))
	cl, p := connect(t, c), producer(t, c, kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.ProducerBatchMaxBytes(1<<20))
	value := make([]byte, 900_000)
	for n := range int32(partitions) {
		for range 5 {
			produce(t, p, &kgo.Record{Topic: "t", Partition: n, Value: value})
		}
	}
	s := snapshot(t, cl, whole("t"))
	messages := 0
	err := cl.Read(t.Context(), s, nil, ReadOptions{Patience: 2 * time.Second}, func(c *Chunk) error {
		messages += c.Messages.Len()
		<-time.After(80 * time.Millisecond)
		return nil
	})
	if err != nil || messages != 5*partitions {
		t.Fatalf("%d messages, %v", messages, err)
	}
}
