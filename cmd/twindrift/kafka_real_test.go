//go:build kafka

package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"twindrift/replay"
	"twindrift/replay/kafka"
)

// TestApacheKafka reads from a real broker what a fake one cannot show.
func TestApacheKafka(t *testing.T) {
	k := startKafka(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *apacheKafka)
	}{
		{"codecs", testCodecs}, {"transactions", testTransactions}, {"compacted", testCompacted}, {"append times", testAppendTimes},
		{"retention passes by", testRetention}, {"a broker restarts", testRestart}, {"partitions move", testMoves}, {"SASL_SSL", testSecure}, {"permission", testPermission}, {"OAUTHBEARER", testOAuth},
		{"kcat and Java", testInterop}, {"ends by itself", testEnds}, {"topic deleted", testDeleted}, {"ten million", testTenMillion},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

// kcatRow is a line of kcat -J.
type kcatRow struct {
	Topic     string  `json:"topic"`
	Partition int32   `json:"partition"`
	Offset    int64   `json:"offset"`
	Kind      string  `json:"tstype"`
	Ms        *int64  `json:"ts"`
	Key       *string `json:"key"`
	Payload   *string `json:"payload"`
}

// row is what kcat and a capture both know of a message.
type keptRow struct {
	partition        int32
	offset, ms       int64
	kind             int8
	keyLen, valueLen int32
}

// byKcat is what kcat reads of a topic, in order of partition and offset.
func byKcat(t *testing.T, k *apacheKafka, topic string, more ...string) (rows []keptRow) {
	t.Helper()
	args := append([]string{"-b", k.bootstrap, "-C", "-J", "-e", "-q", "-t", topic, "-o", "beginning"}, more...)
	out, err := exec.Command("kcat", args...).Output()
	if err != nil {
		t.Fatalf("kcat %v: %v", args, err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r kcatRow
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		row := keptRow{r.Partition, r.Offset, replay.NoTimestamp, replay.TimestampNone, replay.NullLen, replay.NullLen}
		if r.Ms != nil && *r.Ms >= 0 {
			row.ms, row.kind = *r.Ms, replay.TimestampCreate
			if r.Kind == "logappend" {
				row.kind = replay.TimestampLogAppend
			}
		}
		if r.Key != nil {
			row.keyLen = int32(len(*r.Key))
		}
		if r.Payload != nil {
			row.valueLen = int32(len(*r.Payload))
		}
		rows = append(rows, row)
	}
	sortRows(rows)
	return rows
}

func sortRows(rows []keptRow) {
	slices.SortFunc(rows, func(a, b keptRow) int {
		if a.partition != b.partition {
			return int(a.partition - b.partition)
		}
		return int(a.offset - b.offset)
	})
}

// byCapture is what capture reads of it.
func byCapture(t *testing.T, k *apacheKafka, topic string, more ...string) (rows []keptRow, plan *replay.Plan) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "capture")
	status, _, errs := command(t, append([]string{"capture", "-b", k.bootstrap, "-t", topic, "-o", folder}, more...)...)
	if status != 0 {
		t.Fatalf("capture of %s: status %d: %s", topic, status, errs)
	}
	plan, all := recordedIn(t, folder)
	for i := range all.Len() {
		rows = append(rows, keptRow{plan.Partitions[all.Partition[i]].Number, all.Offset[i], all.TimestampMs[i], all.TimestampType[i], all.KeyLen[i], all.ValueLen[i]})
	}
	sortRows(rows)
	return rows, plan
}

// same holds a capture of a topic against what kcat reads, and the walk over the records
// against the client library.
func same(t *testing.T, k *apacheKafka, topic string, messages int) {
	t.Helper()
	captured, _ := byCapture(t, k, topic)
	if len(captured) != messages {
		t.Fatalf("%s: %d messages, want %d", topic, len(captured), messages)
	}
	if diff := cmp.Diff(byKcat(t, k, topic, "-X", "isolation.level=read_uncommitted"), captured, cmp.AllowUnexported(keptRow{})); diff != "" {
		t.Fatalf("%s (-kcat +capture):\n%s", topic, diff)
	}
	if diff := cmp.Diff(byReading(t, k, topic, true), byReading(t, k, topic, false)); diff != "" {
		t.Fatalf("%s (-library +walk):\n%s", topic, diff)
	}
}

// byReading is everything of a topic as text.
func byReading(t *testing.T, k *apacheKafka, topic string, library bool) (rows []string) {
	t.Helper()
	cl, s := k.snapshot(t, kafka.Selection{Topics: []string{topic}, From: kafka.Start, To: kafka.End})
	err := cl.Read(t.Context(), s, nil, kafka.ReadOptions{Keys: true, Values: true, Library: library}, func(c *kafka.Chunk) error {
		keys, values := c.Keys, c.Values
		for i := range c.Messages.Len() {
			b := &c.Messages
			n, m := max(0, b.KeyLen[i]), max(0, b.ValueLen[i])
			rows = append(rows, fmt.Sprintf("%d@%d %d %d %x %d %q %d %q", b.Partition[i], b.Offset[i], b.TimestampMs[i], b.TimestampType[i], b.KeyHash[i], b.KeyLen[i], keys[:n], b.ValueLen[i], values[:m]))
			keys, values = keys[n:], values[m:]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}

func (k *apacheKafka) snapshot(t *testing.T, sel kafka.Selection) (*kafka.Client, *kafka.Snapshot) {
	t.Helper()
	cl, err := kafka.NewClient(&kafka.Connection{Brokers: strings.Split(k.bootstrap, ",")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	s, err := cl.Snapshot(t.Context(), sel)
	if err != nil {
		t.Fatal(err)
	}
	return cl, s
}

func testCodecs(t *testing.T, k *apacheKafka) {
	random := rand.New(rand.NewPCG(1, 1))
	for name, codec := range map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
	} {
		topic := "codec-" + name
		k.create(t, topic, 3, nil)
		cl := k.client(t, kgo.ProducerBatchCompression(codec))
		for range 4 {
			var records []*kgo.Record
			for i := range 500 {
				r := &kgo.Record{Topic: topic, Partition: int32(random.IntN(3)), Timestamp: time.UnixMilli(1_772_540_000_000 + random.Int64N(1_000_000))}
				switch i % 5 {
				case 0:
					r.Key = []byte{}
				case 1:
					r.Key, r.Value = []byte("k"), []byte{}
				case 2:
					r.Value = bytes.Repeat([]byte("v"), random.IntN(2000))
				case 3:
					r.Headers = []kgo.RecordHeader{{Key: "h", Value: []byte("w")}, {Key: "h"}}
				}
				records = append(records, r)
			}
			k.produce(t, cl, records...)
		}
		same(t, k, topic, 2000)
	}
}

func testTransactions(t *testing.T, k *apacheKafka) {
	k.create(t, "transactions", 1, nil)
	in := func(id string, n int, end func(*kgo.Client)) {
		t.Helper()
		p := k.client(t, kgo.TransactionalID(id))
		if err := p.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		for range n {
			k.produce(t, p, &kgo.Record{Topic: "transactions", Value: []byte(id), Timestamp: time.UnixMilli(1_772_540_000_000)})
		}
		end(p)
	}
	ends := func(how kgo.TransactionEndTry) func(*kgo.Client) {
		return func(p *kgo.Client) {
			if err := p.EndTransaction(t.Context(), how); err != nil {
				t.Fatal(err)
			}
		}
	}
	in("a", 3, ends(kgo.TryCommit)) // 0 to 2, marker 3
	in("b", 4, ends(kgo.TryAbort))  // 4 to 7, marker 8
	in("a", 2, ends(kgo.TryCommit)) // 9 10, marker 11
	in("b", 2, ends(kgo.TryAbort))  // 12 13, marker 14, the last
	committed := func(rows []keptRow) (offsets []int64) {
		for _, r := range rows {
			offsets = append(offsets, r.offset)
		}
		return offsets
	}
	rows, plan := byCapture(t, k, "transactions", "--read-committed", "--strict")
	if want := []int64{0, 1, 2, 9, 10}; !slices.Equal(committed(rows), want) || plan.Notes[0].Kind != "compacted" {
		t.Errorf("committed: %v, want %v; %v", committed(rows), want, plan.Notes)
	}
	if diff := cmp.Diff(byKcat(t, k, "transactions", "-X", "isolation.level=read_committed"), rows, cmp.AllowUnexported(keptRow{})); diff != "" {
		t.Errorf("(-kcat +capture):\n%s", diff)
	}
	same(t, k, "transactions", 11)

	var open *kgo.Client
	in("c", 2, func(p *kgo.Client) { open = p }) // 15 16
	_, s := k.snapshot(t, kafka.Selection{Topics: []string{"transactions"}, From: kafka.Start, To: kafka.End, Committed: true})
	if p := s.Partitions[0]; p.HighWatermark != 17 || p.LastStable != 15 || p.Withheld != 2 {
		t.Errorf("with an open transaction: %+v", p)
	}
	status, _, errs := command(t, "capture", "-b", k.bootstrap, "-t", "transactions", "--read-committed", "--strict", "-o", filepath.Join(t.TempDir(), "c"))
	if status != exitGaps || !strings.Contains(errs, "2 offsets from 15 on are held back by an open transaction") {
		t.Errorf("status %d: %s", status, errs)
	}
	ends(kgo.TryCommit)(open)
	if rows, _ := byCapture(t, k, "transactions", "--read-committed", "--wait-open-txn", "30s", "--strict"); len(rows) != 7 {
		t.Errorf("%d messages after the last commit, want 7", len(rows))
	}
}

func testCompacted(t *testing.T, k *apacheKafka) {
	k.create(t, "compacted", 1, map[string]string{"cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.01", "segment.bytes": "1048576", "delete.retention.ms": "100"})
	cl := k.client(t, kgo.ProducerLinger(0))
	for i := range 60 {
		r := &kgo.Record{Topic: "compacted", Key: fmt.Appendf(nil, "k%d", i%4), Value: fmt.Appendf(nil, "v%d", i)}
		if i%10 == 9 {
			r.Value = nil // a tombstone
		}
		k.produce(t, cl, r)
	}
	k.until(t, "the log is compacted", func() bool {
		k.produce(t, cl, &kgo.Record{Topic: "compacted", Key: []byte("last"), Value: []byte("v")}) // rolls the segment
		return len(byKcat(t, k, "compacted")) < 40
	})
	rows, plan := byCapture(t, k, "compacted", "--strict")
	if diff := cmp.Diff(byKcat(t, k, "compacted"), rows, cmp.AllowUnexported(keptRow{})); diff != "" {
		t.Errorf("(-kcat +capture):\n%s", diff)
	}
	p := plan.Partitions[0]
	if missing := p.LastOffset - p.FirstOffset + 1 - p.Messages; missing > 0 && (len(plan.Notes) != 1 || plan.Notes[0].Kind != "compacted" || plan.Notes[0].Rows != missing) {
		t.Errorf("%d offsets are missing, notes %v", missing, plan.Notes)
	}
}

func testAppendTimes(t *testing.T, k *apacheKafka) {
	k.create(t, "append", 2, map[string]string{"message.timestamp.type": "LogAppendTime"})
	cl := k.client(t)
	for i := range 100 {
		k.produce(t, cl, &kgo.Record{Topic: "append", Partition: int32(i % 2), Value: []byte("v"), Timestamp: time.UnixMilli(5)})
	}
	same(t, k, "append", 100)
	rows, plan := byCapture(t, k, "append")
	if plan.Partitions[0].LogAppend != 50 || rows[0].kind != replay.TimestampLogAppend || rows[0].ms < 1_700_000_000_000 {
		t.Errorf("%+v, %+v", plan.Partitions[0], rows[0])
	}
}

// many fills a topic with n records of 100 bytes to each partition.
func (k *apacheKafka) many(t testing.TB, topic string, partitions int32, n int) {
	t.Helper()
	k.create(t, topic, partitions, nil)
	cl := k.client(t, kgo.ProducerBatchMaxBytes(1<<20), kgo.MaxBufferedRecords(1<<18), kgo.ProducerBatchCompression(kgo.NoCompression()))
	value := bytes.Repeat([]byte("x"), 100)
	failed := make(chan error, 1)
	for i := range n {
		for p := range partitions {
			cl.Produce(t.Context(), &kgo.Record{Topic: topic, Partition: p, Value: value, Timestamp: time.UnixMilli(1_772_540_000_000 + int64(i))}, func(_ *kgo.Record, err error) {
				if err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			})
		}
	}
	if err := cl.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-failed:
		t.Fatal(err)
	default:
	}
}

// disturbed reads a topic while something happens to it, once the first chunk has come.
// It gives the offsets by partition.
func (k *apacheKafka) disturbed(t *testing.T, topic string, happens func()) (offsets map[int32][]int64, gaps []kafka.Gap) {
	t.Helper()
	cl, s := k.snapshot(t, kafka.Selection{Topics: []string{topic}, From: kafka.Start, To: kafka.End})
	offsets = map[int32][]int64{}
	once := false
	err := cl.Read(t.Context(), s, nil, kafka.ReadOptions{Patience: time.Minute}, func(c *kafka.Chunk) error {
		n := s.Partitions[c.Partition].Number
		offsets[n] = append(offsets[n], c.Messages.Offset...)
		gaps = append(gaps, c.Gaps...)
		if !once {
			once = true
			happens()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return offsets, gaps
}

// each is an error unless every partition holds each offset up to n once.
func each(t *testing.T, offsets map[int32][]int64, partitions int32, n int) {
	t.Helper()
	for p := range partitions {
		if len(offsets[p]) != n {
			t.Fatalf("partition %d: %d messages, want %d", p, len(offsets[p]), n)
		}
		for i, o := range offsets[p] {
			if o != int64(i) {
				t.Fatalf("partition %d: offset %d at %d", p, o, i)
			}
		}
	}
}

func testRetention(t *testing.T, k *apacheKafka) {
	k.many(t, "retention", 1, 600_000)
	offsets, gaps := k.disturbed(t, "retention", func() {
		del := kadm.Offsets{}
		del.AddOffset("retention", 0, 500_000, -1)
		if _, err := kadm.NewClient(k.client(t)).DeleteRecords(t.Context(), del); err != nil {
			t.Error(err)
		}
	})
	if len(gaps) != 1 || gaps[0].Reason != kafka.Retention || gaps[0].To != 500_000 || int64(len(offsets[0]))+gaps[0].To-gaps[0].From != 600_000 {
		t.Fatalf("%d messages, gaps %v", len(offsets[0]), gaps)
	}
}

func testRestart(t *testing.T, k *apacheKafka) {
	k.many(t, "restart", 6, 200_000)
	offsets, gaps := k.disturbed(t, "restart", func() {
		k.kill(1)
		k.start(t, 1)
	})
	if len(gaps) > 0 {
		t.Errorf("gaps %v", gaps)
	}
	each(t, offsets, 6, 200_000)
}

func testMoves(t *testing.T, k *apacheKafka) {
	k.many(t, "moves", 6, 200_000)
	adm := kadm.NewClient(k.client(t))
	offsets, _ := k.disturbed(t, "moves", func() {
		d, err := adm.ListTopics(t.Context(), "moves")
		if err != nil {
			t.Error(err)
			return
		}
		var req kadm.AlterPartitionAssignmentsReq
		for n := range int32(3) {
			req.Assign("moves", n, []int32{3 - d["moves"].Partitions[n].Leader})
		}
		if _, err := adm.AlterPartitionAssignments(t.Context(), req); err != nil {
			t.Error(err)
		}
	})
	each(t, offsets, 6, 200_000)
	k.until(t, "the partitions have moved", func() bool {
		left, err := adm.ListPartitionReassignments(t.Context(), nil)
		return err == nil && len(left) == 0
	})
	cl, s := k.snapshot(t, kafka.Selection{Topics: []string{"moves"}, From: kafka.Start, To: kafka.End})
	n := 0
	if err := cl.Read(t.Context(), s, nil, kafka.ReadOptions{}, func(c *kafka.Chunk) error { n += c.Messages.Len(); return nil }); err != nil || n != 1_200_000 {
		t.Fatalf("after the move: %d messages, %v", n, err)
	}
}

func testSecure(t *testing.T, k *apacheKafka) {
	k.create(t, "secure", 1, nil)
	k.allow(t, "secure", kadm.OpRead, kadm.OpDescribe)
	k.produce(t, k.client(t), &kgo.Record{Topic: "secure", Value: []byte("v"), Timestamp: time.UnixMilli(1_772_540_000_000)})
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-512"} {
		module := "plain.PlainLoginModule"
		if mechanism != "PLAIN" {
			module = "scram.ScramLoginModule"
		}
		config := filepath.Join(t.TempDir(), "client.properties")
		k.write(t, config, fmt.Sprintf("bootstrap.servers=%s\nsecurity.protocol=SASL_SSL\nssl.truststore.type=PEM\nssl.truststore.location=%s\nsasl.mechanism=%s\nsasl.jaas.config=org.apache.kafka.common.security.%s required username=\"%s\" password=\"%s\";\n",
			k.secure, k.ca, mechanism, module, kafkaUser, kafkaPassword))
		status, out, errs := command(t, "capture", "--command-config", config, "-t", "secure", "--check")
		if status != 0 || !strings.Contains(out, "ok      TLS          TLS 1.3, certificate of CN=broker") || !strings.Contains(out, "ok      permission   secure may be read") {
			t.Fatalf("%s: status %d: %s\n%s", mechanism, status, errs, out)
		}
		folder := filepath.Join(t.TempDir(), "capture")
		if status, _, errs := command(t, "capture", "--command-config", config, "-t", "secure", "-o", folder); status != 0 || !strings.Contains(errs, "1 message recorded") {
			t.Fatalf("%s: status %d: %s", mechanism, status, errs)
		}
		status, _, errs = command(t, "capture", "--command-config", config, "-t", "secure", "-o", folder, "--sasl-password", "wrong")
		if status != exitFailed || !strings.Contains(errs, "the login was refused") || strings.Contains(errs, kafkaPassword) {
			t.Fatalf("%s: status %d: %s", mechanism, status, errs)
		}
	}
}

// testPermission asks for topics that the user may not see, or see and not read.
func testPermission(t *testing.T, k *apacheKafka) {
	for _, topic := range []string{"hidden", "seen"} {
		k.create(t, topic, 1, nil)
		k.produce(t, k.client(t), &kgo.Record{Topic: topic, Value: []byte("v")})
	}
	k.allow(t, "seen", kadm.OpDescribe)
	login := []string{"-b", k.secure, "--tls-ca", k.ca, "--sasl-mechanism", "PLAIN", "--sasl-user", kafkaUser, "--sasl-password", kafkaPassword}
	for topic, want := range map[string]string{"hidden": "this user may not read it: give it the ACL operations Describe and Read", "seen": "seen/0: reading at offset 0: this user may not read it"} {
		status, _, errs := command(t, append([]string{"capture", "-t", topic, "-o", filepath.Join(t.TempDir(), "c")}, login...)...)
		if status != exitFailed || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d: %s; want %s", topic, status, errs, want)
		}
	}
	status, out, _ := command(t, append([]string{"capture", "-t", "seen", "--check"}, login...)...)
	if status != exitFailed || !strings.Contains(out, "ok      offsets") || !strings.Contains(out, "FAILED  permission") {
		t.Errorf("status %d\n%s", status, out)
	}
}

// testOAuth logs in with a token, an unsigned one, which is what brokers take that have
// not been told of an authority.
func testOAuth(t *testing.T, k *apacheKafka) {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	now := time.Now().Unix()
	token := part(`{"alg":"none"}`) + "." + part(fmt.Sprintf(`{"sub":"ann","iat":%d,"exp":%d}`, now, now+3600)) + "."
	t.Setenv("TWINDRIFT_SASL_TOKEN", token)
	args := []string{"capture", "-b", k.secure, "--tls-ca", k.ca, "--sasl-mechanism", "OAUTHBEARER", "-t", "secure", "--check"}
	if status, out, errs := command(t, args...); status != 0 || !strings.Contains(out, "ok      SASL         OAUTHBEARER") {
		t.Fatalf("status %d: %s\n%s", status, errs, out)
	}
	t.Setenv("TWINDRIFT_SASL_TOKEN", strings.Replace(token, ".", ".x", 1))
	if status, out, _ := command(t, args...); status != exitFailed || !strings.Contains(out, "FAILED  SASL") || strings.Contains(out, token[:20]) {
		t.Fatalf("status %d\n%s", status, out)
	}
}

// testInterop reads what kcat and Kafka's own producer have written.
func testInterop(t *testing.T, k *apacheKafka) {
	var lines strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, "key-%d:value %d\n", i%9, i)
	}
	for _, codec := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		topic := "kcat-" + codec
		k.create(t, topic, 2, nil)
		c := exec.Command("kcat", "-P", "-b", k.bootstrap, "-t", topic, "-K:", "-z", codec)
		c.Stdin = strings.NewReader(lines.String())
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("kcat -P: %v\n%s", err, out)
		}
		same(t, k, topic, 500)

		topic = "java-" + codec
		k.create(t, topic, 2, nil)
		c = k.java("org.apache.kafka.tools.ConsoleProducer", "--bootstrap-server", k.bootstrap, "--topic", topic, "--compression-codec", codec,
			"--property", "parse.key=true", "--property", "key.separator=:")
		c.Stdin = strings.NewReader(lines.String())
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("ConsoleProducer: %v\n%s", err, out)
		}
		same(t, k, topic, 500)
	}
}

// testEnds captures topics that have hung other tools.
func testEnds(t *testing.T, k *apacheKafka) {
	k.create(t, "idle", 1, nil)
	k.produce(t, k.client(t), &kgo.Record{Topic: "idle", Value: []byte("v")}, &kgo.Record{Topic: "idle", Value: []byte("v")}, &kgo.Record{Topic: "idle", Value: []byte("v")})
	same(t, k, "idle", 3)
	k.create(t, "empty", 3, nil)
	status, _, errs := command(t, "capture", "-b", k.bootstrap, "-t", "empty", "-o", filepath.Join(t.TempDir(), "c"))
	if status != 0 || !strings.Contains(errs, "0 messages recorded in 0 files, from 3 partitions") {
		t.Errorf("empty: status %d: %s", status, errs)
	}
	k.create(t, "wide", 500, nil)
	cl := k.client(t)
	for n := int32(0); n < 500; n += 5 {
		k.produce(t, cl, &kgo.Record{Topic: "wide", Partition: n, Value: []byte("v"), Timestamp: time.UnixMilli(1_772_540_000_000)})
	}
	if rows, _ := byCapture(t, k, "wide"); len(rows) != 100 {
		t.Errorf("500 partitions: %d messages, want 100", len(rows))
	}
	// Emptied after the snapshot was taken.
	k.create(t, "emptied", 1, nil)
	k.produce(t, cl, &kgo.Record{Topic: "emptied", Value: []byte("v")}, &kgo.Record{Topic: "emptied", Value: []byte("v")})
	reader, s := k.snapshot(t, kafka.Selection{Topics: []string{"emptied"}, From: kafka.Start, To: kafka.End})
	del := kadm.Offsets{}
	del.AddOffset("emptied", 0, 2, -1)
	if _, err := kadm.NewClient(cl).DeleteRecords(t.Context(), del); err != nil {
		t.Fatal(err)
	}
	var gaps []kafka.Gap
	if err := reader.Read(t.Context(), s, nil, kafka.ReadOptions{}, func(c *kafka.Chunk) error { gaps = append(gaps, c.Gaps...); return nil }); err != nil || !slices.Equal(gaps, []kafka.Gap{{From: 0, To: 2, Reason: kafka.Retention}}) {
		t.Errorf("emptied: %v, %v", gaps, err)
	}
}

func testDeleted(t *testing.T, k *apacheKafka) {
	k.many(t, "deleted", 2, 200_000)
	cl, s := k.snapshot(t, kafka.Selection{Topics: []string{"deleted"}, From: kafka.Start, To: kafka.End})
	once := false
	err := cl.Read(t.Context(), s, nil, kafka.ReadOptions{Patience: time.Minute}, func(*kafka.Chunk) error {
		if !once {
			once = true
			if _, err := kadm.NewClient(k.client(t)).DeleteTopics(t.Context(), "deleted"); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "was deleted while it was read") {
		t.Errorf("%v, want that the topic was deleted", err)
	}
}

func testTenMillion(t *testing.T, k *apacheKafka) {
	k.many(t, "big", 8, 1_250_000)
	folder := filepath.Join(t.TempDir(), "capture")
	c := exec.Command("twindrift", "capture", "-q", "-b", k.bootstrap, "-t", "big", "-o", folder)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; peak > 512 {
		t.Errorf("capture took %d MiB", peak)
	} else {
		t.Logf("capture took %d MiB at most", peak)
	}
	plan, _ := recordedIn(t, folder)
	if plan.Messages != 10_000_000 || len(plan.Notes) > 0 {
		t.Fatalf("%d messages, %v", plan.Messages, plan.Notes)
	}
}

// BenchmarkApacheKafka has ten million records of 100 bytes read in turn by capture, by
// kcat and by Kafka's own consumer performance test, each a process of its own, and
// gives their rates and how many times as fast capture is.
func BenchmarkApacheKafka(b *testing.B) {
	k := startKafka(b)
	const messages = 10_000_000
	k.many(b, "big", 8, messages/8)
	timed := func(c *exec.Cmd) float64 {
		begin := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%.2000s", c.Args, err, out)
		}
		return time.Since(begin).Seconds()
	}
	var capture, kcat, perf float64
	peak := int64(0)
	for b.Loop() {
		c := exec.Command("twindrift", "capture", "-q", "-b", k.bootstrap, "-t", "big", "-o", filepath.Join(b.TempDir(), "capture"))
		capture += timed(c)
		peak = max(peak, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
		kcat += timed(exec.Command("sh", "-c", "kcat -C -e -q -o beginning -t big -b "+k.bootstrap+" >/dev/null"))
		perf += timed(k.java("org.apache.kafka.tools.ConsumerPerformance", "--bootstrap-server", k.bootstrap, "--topic", "big", "--messages", fmt.Sprint(messages)))
	}
	rate := func(seconds float64) float64 { return float64(b.N) * messages / seconds / 1e6 }
	b.ReportMetric(rate(capture), "capture-Mmsg/s")
	b.ReportMetric(rate(kcat), "kcat-Mmsg/s")
	b.ReportMetric(rate(perf), "consumer-perf-Mmsg/s")
	b.ReportMetric(kcat/capture, "x-kcat")
	b.ReportMetric(perf/capture, "x-consumer-perf")
	b.ReportMetric(float64(peak)/(1<<10), "peak-MiB")
}
