package kafka

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"twindrift/replay"
)

// oldMessage is a message of the formats 0 and 1, as brokers before 0.11 wrote them.
type oldMessage struct {
	offset, ms int64
	magic      byte
	attributes byte
	key, value []byte
}

func (m oldMessage) encode() []byte {
	body := []byte{m.magic, m.attributes}
	if m.magic == 1 {
		body = binary.BigEndian.AppendUint64(body, uint64(m.ms))
	}
	for _, p := range [][]byte{m.key, m.value} {
		body = binary.BigEndian.AppendUint32(body, uint32(length(p)))
		body = append(body, p...)
	}
	out := binary.BigEndian.AppendUint64(nil, uint64(m.offset))
	out = binary.BigEndian.AppendUint32(out, uint32(4+len(body)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
	return append(out, body...)
}

// answerFetches answers fetches of a topic's only partition with the same bytes.
func answerFetches(c *kfake.Cluster, raw []byte, highWatermark int64) {
	c.ControlKey(int16(kmsg.Fetch), func(k kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		req := k.(*kmsg.FetchRequest)
		resp := req.ResponseKind().(*kmsg.FetchResponse)
		t := kmsg.NewFetchResponseTopic()
		t.Topic, t.TopicID = req.Topics[0].Topic, req.Topics[0].TopicID
		rp := kmsg.NewFetchResponseTopicPartition()
		rp.HighWatermark, rp.LastStableOffset, rp.LogStartOffset, rp.RecordBatches = highWatermark, highWatermark, 0, raw
		t.Partitions = append(t.Partitions, rp)
		resp.Topics = append(resp.Topics, t)
		return resp, nil, true
	})
}

// Message sets of the formats 0 and 1, compressed ones too, and record batches behind
// them, are read by way of the library. Those of format 0 have no time.
func TestOldFormats(t *testing.T) {
	var inner bytes.Buffer
	z := gzip.NewWriter(&inner)
	for i := range int64(3) { // offsets within a compressed message count from 0
		z.Write(oldMessage{offset: i, ms: 1_500_000_000_100 + i, magic: 1, key: []byte("k"), value: []byte("zipped")}.encode())
	}
	z.Close()
	var raw []byte
	for _, m := range []oldMessage{
		{offset: 0, magic: 0, key: []byte("a"), value: []byte("no time")},
		{offset: 1, magic: 1, ms: 1_500_000_000_001, value: []byte("v")},
		{offset: 2, magic: 1, ms: -1, key: []byte("b")},
		{offset: 5, magic: 1, ms: 1_500_000_000_102, attributes: 1, value: inner.Bytes()}, // 3, 4 and 5
	} {
		raw = append(raw, m.encode()...)
	}
	raw = append(raw, batch{base: 6, firstTime: 1_600_000_000_000, maxTime: 1_600_000_000_000, producer: -1, records: []record{{0, 0, nil, []byte("new")}}}.encode()...)

	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("t", 0, 7)...)
	s := snapshot(t, cl, whole("t"))
	answerFetches(c, raw, 7)
	got, gaps := everything(t, cl, s, ReadOptions{Values: true})
	message := func(offset, ms int64, kind int8, key, value []byte) read {
		return read{topic: "t", offset: offset, ms: ms, kind: kind, hash: keyHash(key, length(key)), keyLen: length(key), valLen: length(value), value: string(value)}
	}
	want := []read{
		message(0, replay.NoTimestamp, replay.TimestampNone, []byte("a"), []byte("no time")),
		message(1, 1_500_000_000_001, 0, nil, []byte("v")),
		message(2, replay.NoTimestamp, replay.TimestampNone, []byte("b"), nil),
		message(3, 1_500_000_000_100, 0, []byte("k"), []byte("zipped")),
		message(4, 1_500_000_000_101, 0, []byte("k"), []byte("zipped")),
		message(5, 1_500_000_000_102, 0, []byte("k"), []byte("zipped")),
		message(6, 1_600_000_000_000, 0, nil, []byte("new")),
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(read{})); diff != "" || len(gaps[0]) > 0 {
		t.Fatalf("gaps %v (-want +got):\n%s", gaps[0], diff)
	}
	raw[20] ^= 1 // in the first message
	if _, _, err := tryAll(t.Context(), cl, s, ReadOptions{}); err == nil {
		t.Fatal("a flipped bit passes")
	}
}

// Brokers that give topics no ids are asked by name.
func TestBrokersWithoutTopicIDs(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(2, "t"), kfake.MaxVersions(kversion.V2_7_0()))
	cl, p := connect(t, c), producer(t, c)
	produce(t, p, some("t", 1, 20)...)
	s := snapshot(t, cl, whole("t"))
	if id := s.Partitions[0].TopicID(); id != "" {
		t.Fatalf("id %s", id)
	}
	if got, gaps := everything(t, cl, s, ReadOptions{}); len(got) != 20 || len(gaps[1]) > 0 {
		t.Fatalf("%d messages, gaps %v", len(got), gaps)
	}
}
