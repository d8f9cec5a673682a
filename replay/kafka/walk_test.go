package kafka

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"twindrift/replay"
)

// batch is a record batch as the protocol guide lays it out, to be encoded.
type batch struct {
	base       int64
	lastDelta  int32 // 0: that of the last record
	attributes uint16
	firstTime  int64
	maxTime    int64
	producer   int64
	records    []record
	payload    []byte // instead of the records
	count      int32  // with a payload
}

type record struct {
	timeDelta, offsetDelta int64
	key, value             []byte
}

func (b batch) encode() []byte {
	body, count := b.payload, b.count
	if body == nil {
		count = int32(len(b.records))
		for _, r := range b.records {
			var f []byte
			f = append(f, 0)
			f = binary.AppendVarint(f, r.timeDelta)
			f = binary.AppendVarint(f, r.offsetDelta)
			for _, p := range [][]byte{r.key, r.value} {
				f = binary.AppendVarint(f, int64(length(p)))
				f = append(f, p...)
			}
			f = binary.AppendVarint(f, 0) // headers
			body = append(binary.AppendVarint(body, int64(len(f))), f...)
		}
	}
	if b.lastDelta == 0 && len(b.records) > 0 {
		b.lastDelta = int32(b.records[len(b.records)-1].offsetDelta)
	}
	var covered []byte // by the CRC
	covered = binary.BigEndian.AppendUint16(covered, b.attributes)
	covered = binary.BigEndian.AppendUint32(covered, uint32(b.lastDelta))
	covered = binary.BigEndian.AppendUint64(covered, uint64(b.firstTime))
	covered = binary.BigEndian.AppendUint64(covered, uint64(b.maxTime))
	covered = binary.BigEndian.AppendUint64(covered, uint64(b.producer))
	covered = append(covered, make([]byte, 2+4)...) // epoch, base sequence
	covered = binary.BigEndian.AppendUint32(covered, uint32(count))
	covered = append(covered, body...)

	out := binary.BigEndian.AppendUint64(nil, uint64(b.base))
	out = binary.BigEndian.AppendUint32(out, uint32(4+1+4+len(covered)))
	out = append(out, 0, 0, 0, 0, 2)
	out = binary.BigEndian.AppendUint32(out, crc32.Checksum(covered, castagnoli))
	return append(out, covered...)
}

// walkAll walks over batches from an offset to an end.
func walkAll(raw []byte, from, end int64) (*Chunk, error) {
	w := walker{decompressor: kgo.DefaultDecompressor()}
	c := new(Chunk)
	c.reset(0, from)
	return c, w.walk(raw, end, nil, c)
}

// Times keep their 64 bits whatever their unit, also decades from the first of their
// batch; append times are the batch's.
func TestTimesAreRaw(t *testing.T) {
	us := int64(1_767_323_045_000_000)
	b := batch{base: 5, firstTime: us, records: []record{{0, 0, nil, nil}, {-us, 1, nil, nil}, {-us - 1, 2, nil, nil}, {math.MaxInt64 - us, 3, nil, nil}}}
	c, err := walkAll(b.encode(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{us, 0, -1, math.MaxInt64}; !slices.Equal(c.Messages.TimestampMs, want) {
		t.Errorf("%v, want %v", c.Messages.TimestampMs, want)
	}
	if want := []int8{0, 0, replay.TimestampNone, 0}; !slices.Equal(c.Messages.TimestampType, want) {
		t.Errorf("types %v, want %v", c.Messages.TimestampType, want)
	}
	b.attributes, b.maxTime = appendTimeBit, 77
	if c, err = walkAll(b.encode(), 0, 100); err != nil || !slices.Equal(c.Messages.TimestampMs, []int64{77, 77, 77, 77}) || c.Messages.TimestampType[0] != replay.TimestampLogAppend {
		t.Errorf("append times: %v, %v, %v", c.Messages.TimestampMs, c.Messages.TimestampType, err)
	}
}

// The same through brokers.
func TestTimesThroughBrokers(t *testing.T) {
	c := cluster(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	cl := connect(t, c)
	us := int64(1_767_323_045_000_000)
	raw := batch{firstTime: us, maxTime: us + 7, producer: -1, records: []record{{0, 0, nil, []byte("a")}, {7, 1, nil, []byte("b")}}}.encode()
	req := kmsg.NewPtrProduceRequest()
	req.Acks, req.TimeoutMillis = -1, 1000
	rt, rp := kmsg.NewProduceRequestTopic(), kmsg.NewProduceRequestTopicPartition()
	rt.Topic, rt.TopicID, rp.Records = "t", c.TopicInfo("t").TopicID, raw
	rt.Partitions = append(rt.Partitions, rp)
	req.Topics = append(req.Topics, rt)
	resp, err := cl.kgo.Request(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if code := resp.(*kmsg.ProduceResponse).Topics[0].Partitions[0].ErrorCode; code != 0 {
		t.Fatal("error", code)
	}
	got, _ := everything(t, cl, snapshot(t, cl, whole("t")), ReadOptions{})
	if len(got) != 2 || got[0].ms != us || got[1].ms != us+7 {
		t.Fatalf("%v", got)
	}
}

// Only what was asked for is a message; batches that compaction has emptied, and what
// it has taken from others, move the position on; the end of the last batch may be cut.
func TestWalkMovesOn(t *testing.T) {
	var raw []byte
	for _, b := range []batch{
		{base: 10, records: []record{{0, 0, nil, nil}, {0, 1, nil, nil}, {0, 2, nil, nil}}},
		{base: 13, lastDelta: 6, payload: []byte{}}, // empty
		{base: 20, lastDelta: 9, records: []record{{0, 2, nil, nil}, {0, 5, nil, nil}}},
		{base: 30, attributes: controlBit, records: []record{{0, 0, []byte{0, 0, 0, 1}, []byte{0, 0, 0, 0, 0, 0}}}},
		{base: 31, records: []record{{0, 0, nil, nil}, {0, 1, nil, nil}}},
	} {
		raw = append(raw, b.encode()...)
	}
	for _, test := range []struct {
		from, end int64
		offsets   []int64
		gaps      []Gap
	}{
		{10, 33, []int64{10, 11, 12, 22, 25, 31, 32}, []Gap{{13, 22, Compaction}, {23, 25, Compaction}, {26, 31, Compaction}}},
		{11, 32, []int64{11, 12, 22, 25, 31}, []Gap{{13, 22, Compaction}, {23, 25, Compaction}, {26, 31, Compaction}}},
		{12, 24, []int64{12, 22}, []Gap{{13, 22, Compaction}, {23, 24, Compaction}}},
		{26, 30, nil, []Gap{{26, 30, Compaction}}},
		{15, 18, nil, []Gap{{15, 18, Compaction}}},
		{33, 40, nil, nil},
	} {
		c, err := walkAll(raw, test.from, test.end)
		next := min(test.end, 33)
		if err != nil || !slices.Equal(c.Messages.Offset, test.offsets) || !slices.Equal(c.Gaps, test.gaps) || c.Next != max(next, test.from) {
			t.Errorf("%d..%d: %v, gaps %v, next %d, %v; want %v, %v", test.from, test.end, c.Messages.Offset, c.Gaps, c.Next, err, test.offsets, test.gaps)
		}
	}
	for cut := range raw {
		c, err := walkAll(raw[:cut], 10, 33)
		next, err2 := nextOffset(raw[:cut], 10)
		if err != nil || err2 != nil || next != c.Next {
			t.Fatalf("cut at %d: next %d and %d, %v, %v", cut, c.Next, next, err, err2)
		}
	}
}

// A flipped bit never passes for a message, but in what the CRC does not cover: the base
// offset and the leader's epoch.
func TestFlippedBits(t *testing.T) {
	raw := batch{base: 10, firstTime: 1_772_540_000_000, records: []record{{0, 0, []byte("k"), []byte("value")}, {5, 1, nil, []byte("w")}}}.encode()
	for bit := range len(raw) * 8 {
		at := bit / 8
		if at < atLength || at >= lengthFrom && at < atMagic {
			continue
		}
		bad := slices.Clone(raw)
		bad[at] ^= 1 << (bit % 8)
		if c, err := walkAll(bad, 10, 100); err == nil && c.Messages.Len() > 0 {
			t.Errorf("bit %d: %v, want an error", bit, c.Messages)
		}
	}
}

// Whatever bytes come, there is no panic, and no more messages than bytes.
func FuzzWalk(f *testing.F) {
	f.Add(batch{base: 3, records: []record{{0, 0, nil, nil}, {1, 1, []byte("k"), []byte("v")}}}.encode())
	f.Add(batch{base: 3, attributes: 1, count: 3, lastDelta: 2, payload: []byte("no gzip")}.encode())
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > atCRC+4 { // so that some get past it
			if h, err := readHeader(raw); err == nil {
				binary.BigEndian.PutUint32(raw[atCRC:], crc32.Checksum(raw[atAttributes:h.bytes], castagnoli))
			}
		}
		c, err := walkAll(raw, 0, math.MaxInt64)
		if n := c.Messages.Len(); n > len(raw) && err == nil {
			t.Fatalf("%d messages of %d bytes", n, len(raw))
		}
	})
}

// Records that contradict their batch are errors.
func TestCorruptRecords(t *testing.T) {
	for name, b := range map[string]batch{
		"fewer records than counted": {payload: []byte{2, 0}, count: 2},
		"more bytes than records":    {payload: []byte{2, 0}, count: 0},
		"more records than bytes":    {payload: []byte{2}, count: 1 << 30},
		"offset that does not rise":  {records: []record{{0, 1, nil, nil}, {0, 1, nil, nil}}, lastDelta: 5},
		"offset behind the batch":    {records: []record{{0, 9, nil, nil}}, lastDelta: 5},
		"offset before the batch":    {records: []record{{0, -1, nil, nil}}, lastDelta: 5},
		"a length that is not so":    {payload: []byte{100, 0, 0, 0}, count: 1},
		"key longer than the record": {payload: []byte{10, 0, 0, 0, 100, 0}, count: 1},
		"negative length":            {payload: []byte{1, 0, 0, 0, 0, 0}, count: 1},
		"a length of -2":             {payload: []byte{12, 0, 0, 0, 3, 1, 0}, count: 1},
	} {
		if _, err := walkAll(b.encode(), 0, 100); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	gz := batch{attributes: 1, payload: []byte("no gzip"), count: 1}
	if _, err := walkAll(gz.encode(), 0, 100); err == nil {
		t.Error("no gzip passes for gzip")
	}
}

func BenchmarkWalk(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	var raw []byte
	const batches, perBatch = 50, 200
	for i := range int64(batches) {
		bt := batch{base: i * perBatch, firstTime: time.Now().UnixMilli()}
		for k := range int64(perBatch) {
			bt.records = append(bt.records, record{k, k, []byte("key-1234"), make([]byte, 60+random.IntN(60))})
		}
		raw = append(raw, bt.encode()...)
	}
	w := walker{decompressor: kgo.DefaultDecompressor()}
	c := new(Chunk)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		c.reset(0, 0)
		if err := w.walk(raw, math.MaxInt64, nil, c); err != nil || c.Messages.Len() != batches*perBatch {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*batches*perBatch/b.Elapsed().Seconds()/1e6, "Mmsg/s")
}
