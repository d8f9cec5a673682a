package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"twindrift/replay"
	"twindrift/replay/parquet"
	"twindrift/sim/result"
)

// brokers starts brokers with a topic of some partitions.
func brokers(t *testing.T, topic string, partitions int32, opts ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(2), kfake.SeedTopics(partitions, topic)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// produceTo produces n messages to each partition, times a second apart.
func produceTo(t *testing.T, c *kfake.Cluster, topic string, partitions int32, n int, opts ...kgo.Opt) {
	t.Helper()
	p, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(c.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var failed error
	for i := range n {
		for number := range partitions {
			p.Produce(t.Context(), &kgo.Record{
				Topic: topic, Partition: number, Key: fmt.Appendf(nil, "k%d", i%5), Value: fmt.Appendf(nil, "value %d", i), Timestamp: time.UnixMilli(1_772_540_000_000 + 1000*int64(i)),
			}, func(_ *kgo.Record, err error) {
				if err != nil {
					failed = err
				}
			})
		}
	}
	if err := p.Flush(t.Context()); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
}

// command runs a command line here.
func command(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Main(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// recordedIn is what a capture folder holds.
func recordedIn(t *testing.T, folder string) (plan *replay.Plan, all replay.Batch) {
	t.Helper()
	c, err := parquet.Open([]string{folder}, parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if plan, err = c.Plan(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	err = replay.Walk(t.Context(), c, plan, func(b *replay.Batch) error {
		for i := range b.Len() {
			all.Append(b, i)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan, all
}

// What is recorded is what is there; run again, nothing is twice and what is new is
// added; a run of the topic is a run of the recording.
func TestCaptureGoesOn(t *testing.T) {
	c := brokers(t, "orders", 3)
	broker, folder := strings.Join(c.ListenAddrs(), ","), filepath.Join(t.TempDir(), "orders")
	capture := func(want string, more ...string) {
		t.Helper()
		status, _, errs := command(t, append([]string{"capture", "-b", broker, "-t", "orders", "-o", folder, "--rotate", "200"}, more...)...)
		if status != 0 || !strings.Contains(errs, want) {
			t.Fatalf("status %d, %s; want %s", status, errs, want)
		}
	}
	produceTo(t, c, "orders", 3, 300)
	capture("900 messages recorded in ")
	plan, all := recordedIn(t, folder)
	if plan.Messages != 900 || len(plan.Notes) > 0 || len(plan.Partitions) != 3 || plan.Partitions[2].LastOffset != 299 || all.TimestampMs[0] != 1_772_540_000_000 {
		t.Fatalf("%+v", plan)
	}
	capture("0 messages recorded in 0 files")
	produceTo(t, c, "orders", 3, 10)
	capture("30 messages recorded in 1 file")
	if plan, _ := recordedIn(t, folder); plan.Messages != 930 || len(plan.Notes) > 0 {
		t.Fatalf("%+v", plan)
	}

	results := map[string]*result.Result{}
	for name, args := range map[string][]string{"folder": {folder}, "topic": {"-b", broker, "--topic", "orders"}} {
		out := filepath.Join(t.TempDir(), "result.json")
		status, _, errs := command(t, append([]string{"run", "-q", "-o", "json=" + out}, args...)...)
		if status != 0 {
			t.Fatal(name, errs)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		results[name] = new(result.Result)
		if err := json.Unmarshal(text, results[name]); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := results["folder"], results["topic"]; a.Input.Messages != 930 || fmt.Sprint(a.Sites["west"].Order.Discordant) != fmt.Sprint(b.Sites["west"].Order.Discordant) || a.Between["east-west"].SameID != b.Between["east-west"].SameID {
		t.Fatal("a run of the topic is not a run of its recording")
	}
}

// Payloads are recorded where that is asked for.
func TestCapturePayloads(t *testing.T) {
	c := brokers(t, "orders", 1)
	produceTo(t, c, "orders", 1, 20)
	for _, flags := range [][]string{{}, {"--with-keys"}, {"--with-values"}, {"--with-keys", "--with-values"}} {
		folder := filepath.Join(t.TempDir(), "orders")
		if status, _, errs := command(t, append([]string{"capture", "-b", c.ListenAddrs()[0], "-t", "orders", "-o", folder, "-q"}, flags...)...); status != 0 {
			t.Fatal(flags, errs)
		}
		text, err := os.ReadFile(filepath.Join(folder, "000001.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if keys := slices.Contains(flags, "--with-keys"); keys != bytes.Contains(text, []byte("k4")) {
			t.Errorf("%v: keys are there: %v", flags, !keys)
		}
		if values := slices.Contains(flags, "--with-values"); values != bytes.Contains(text, []byte("value 19")) {
			t.Errorf("%v: values are there: %v", flags, !values)
		}
		if _, all := recordedIn(t, folder); all.Len() != 20 || all.KeyLen[7] != 2 || all.ValueLen[19] != 8 {
			t.Errorf("%v: %+v", flags, all)
		}
	}
}

// Killed at whatever moment, thirty times and more, a recording that is begun again
// holds every message once.
func TestCaptureIsKilled(t *testing.T) {
	const partitions, each, kills = 6, 30_000, 30
	c := brokers(t, "orders", partitions)
	produceTo(t, c, "orders", partitions, each)
	random := rand.New(rand.NewPCG(5, 6))
	killed, whole := 0, 0
	for round := 0; killed < kills; round++ {
		folder := filepath.Join(t.TempDir(), fmt.Sprint("orders", round))
		for {
			ctx, stop := context.WithTimeout(t.Context(), time.Duration(15+random.IntN(60))*time.Millisecond)
			if killed >= kills {
				stop()
				ctx, stop = context.WithCancel(t.Context())
			}
			cmd := exec.CommandContext(ctx, "twindrift", "capture", "-q", "-b", c.ListenAddrs()[0], "-t", "orders", "-o", folder, "--rotate", "2000")
			out, err := cmd.CombinedOutput()
			interrupted := ctx.Err() != nil
			stop()
			if err == nil {
				break
			}
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() != -1 || !interrupted {
				t.Fatalf("%v: %s", err, out)
			} else if errors.As(err, &exit) { // else it was not even started
				killed++
			}
		}
		whole++
		plan, all := recordedIn(t, folder)
		if plan.Messages != partitions*each || all.Len() != partitions*each || len(plan.Notes) > 0 {
			t.Fatalf("round %d: %d messages of %d, %+v", round, plan.Messages, partitions*each, plan.Notes)
		}
	}
	t.Logf("killed %d times in %d recordings", killed, whole)
}

// Messages lost to retention are told, and are status 4 with --strict.
func TestCaptureTellsGaps(t *testing.T) {
	c := brokers(t, "orders", 2)
	folder := filepath.Join(t.TempDir(), "orders")
	args := []string{"capture", "-b", c.ListenAddrs()[0], "-t", "orders", "-o", folder}
	produceTo(t, c, "orders", 2, 50)
	if status, _, errs := command(t, args...); status != 0 {
		t.Fatal(errs)
	}
	produceTo(t, c, "orders", 2, 50)
	if err := c.DeleteRecords("orders", 1, 70); err != nil {
		t.Fatal(err)
	}
	status, _, errs := command(t, append(args, "--strict")...)
	if status != exitGaps || !strings.Contains(errs, "orders/1: offsets 50 to 69 were deleted by retention before they were read") {
		t.Fatalf("status %d: %s", status, errs)
	}
	plan, _ := recordedIn(t, folder)
	if plan.Messages != 180 || len(plan.Notes) != 1 || plan.Notes[0].Kind != "gaps" || plan.Notes[0].Rows != 20 || !strings.Contains(plan.Notes[0].Text, "retention") {
		t.Fatalf("%d messages, %+v", plan.Messages, plan.Notes)
	}
	if status, _, errs := command(t, append(args, "--strict")...); status != 0 {
		t.Fatalf("once more: status %d: %s", status, errs)
	}
}

// What transactions leave is no gap; what an open one holds back is told.
func TestCaptureOfTransactions(t *testing.T) {
	c := brokers(t, "orders", 1)
	p, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionalID("x"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	in := func(end kgo.TransactionEndTry, ends bool) {
		t.Helper()
		if err := p.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if err := p.ProduceSync(t.Context(), &kgo.Record{Topic: "orders", Value: []byte("v"), Timestamp: time.UnixMilli(1_772_540_000_000)}).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
		if ends {
			if err := p.EndTransaction(t.Context(), end); err != nil {
				t.Fatal(err)
			}
		}
	}
	in(kgo.TryCommit, true)
	in(kgo.TryAbort, true)
	in(kgo.TryCommit, true)
	in(kgo.TryCommit, false)
	folder := filepath.Join(t.TempDir(), "orders")
	args := []string{"capture", "-b", c.ListenAddrs()[0], "-t", "orders", "--read-committed", "-o", folder}
	status, _, errs := command(t, append(args, "--strict")...)
	if status != exitGaps || !strings.Contains(errs, "orders/0: 5 offsets from 18 on are held back by an open transaction") {
		t.Fatalf("status %d: %s", status, errs)
	}
	plan, _ := recordedIn(t, folder)
	if plan.Messages != 10 || len(plan.Notes) != 1 || plan.Notes[0].Kind != "compacted" || plan.Notes[0].Rows != 7 {
		t.Fatalf("%d messages, %+v", plan.Messages, plan.Notes)
	}
	if status, _, errs := command(t, "run", "-q", "--strict", folder); status != 0 {
		t.Fatalf("markers are taken for gaps: %s", errs)
	}
	if err := p.EndTransaction(t.Context(), kgo.TryCommit); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, append(args, "--strict")...); status != 0 || !strings.Contains(errs, "5 messages recorded in 1 file") {
		t.Fatalf("status %d: %s", status, errs)
	}
	if status, _, errs := command(t, "capture", "-b", c.ListenAddrs()[0], "-t", "orders", "-o", folder); status != 1 || !strings.Contains(errs, "as read_committed, and this is read_uncommitted: choose another folder") {
		t.Fatalf("status %d: %s", status, errs)
	}
}

// Wrong usage and what brokers refuse are named.
func TestCaptureRefusals(t *testing.T) {
	c := brokers(t, "orders", 1, kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", "sesame"))
	broker := c.ListenAddrs()[0]
	t.Setenv("TWINDRIFT_SASL_PASSWORD", "sesame")
	login := []string{"--sasl-mechanism", "plain", "--sasl-user", "ann"}
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-t", "orders", "-o", "x"}, exitUsage, "no brokers: name one with --brokers"},
		{append([]string{"-b", broker, "-o", "x"}, login...), exitUsage, "no topic: name one with --topic"},
		{append([]string{"-b", broker, "-t", "orders"}, login...), exitUsage, "-o FOLDER is missing"},
		{append([]string{"-b", broker, "-t", "orders", "-o", "x", "--from", "@1772540000123456"}, login...), exitUsage, "it looks like microseconds"},
		{append([]string{"-b", broker, "-t", "order", "-o", "x"}, login...), exitFailed, `has no topic "order" that this user may see; did you mean orders?`},
		{append([]string{"-b", broker, "-t", "o.*x", "-r", "-o", "x"}, login...), exitFailed, "none of the 1 topics of"},
		{append([]string{"-b", broker, "-t", "orders", "-p", "3", "-o", "x"}, login...), exitFailed, "topic orders has no partition 3; it has 1"},
		{append([]string{"-b", broker, "-t", "orders", "-o", "x", "--wait-open-txn", "1s"}, login...), exitUsage, "goes with --read-committed"},
		{append([]string{"-b", broker, "-t", "orders", "-o", "x", "--patience", "-1s"}, login...), exitUsage, "--patience -1s: want more than 0s"},
		{append([]string{"-b", broker, "-t", "orders", "-o", "x", "-X", "sasl.mechanism"}, login...), exitUsage, "-X sasl.mechanism: want NAME=VALUE"},
	} {
		status, _, errs := command(t, append([]string{"capture"}, test.args...)...)
		if status != test.status || !strings.Contains(errs, test.want) {
			t.Errorf("%v: status %d, %s; want %d, %s", test.args, status, errs, test.status, test.want)
		}
		if strings.Contains(errs, "sesame") {
			t.Errorf("%v: the password is shown", test.args)
		}
	}
	status, out, _ := command(t, append([]string{"capture", "-b", broker, "-t", "orders", "--check"}, login...)...)
	if status != 0 || !strings.Contains(out, "ok      SASL         PLAIN as ann") || !strings.Contains(out, "ok      offsets      orders: 1 partition, 0 offsets to read") {
		t.Errorf("status %d:\n%s", status, out)
	}
	t.Setenv("TWINDRIFT_SASL_PASSWORD", "wrong")
	status, out, _ = command(t, append([]string{"capture", "-b", broker, "-t", "orders", "--check"}, login...)...)
	if status != exitFailed || !strings.Contains(out, "FAILED  SASL         PLAIN as ann") || strings.Contains(out, "metadata") {
		t.Errorf("status %d:\n%s", status, out)
	}
	t.Setenv("TWINDRIFT_SASL_PASSWORD", "")
	status, out, _ = command(t, "capture", "-b", "localhost:1", "-t", "orders", "--check")
	if status != exitFailed || !strings.Contains(out, "FAILED  TCP          localhost:1") {
		t.Errorf("status %d:\n%s", status, out)
	}
}

// --follow goes on with what comes, until interrupted, and keeps all of it.
func TestCaptureFollows(t *testing.T) {
	c := brokers(t, "orders", 2)
	folder := filepath.Join(t.TempDir(), "orders")
	produceTo(t, c, "orders", 2, 10)
	cmd := exec.Command("twindrift", "capture", "-b", c.ListenAddrs()[0], "-t", "orders", "-o", folder, "--follow", "--rotate", "20")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	there := func(name string) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); ; {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				return
			} else if time.Now().After(deadline) {
				cmd.Process.Kill()
				t.Fatal(name, " does not come: ", errs.String())
			}
		}
	}
	there("000001.parquet")
	produceTo(t, c, "orders", 2, 10)
	there("000002.parquet")
	produceTo(t, c, "orders", 2, 5)
	there(".000003.parquet.tmp")
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err, errs.String())
	}
	if plan, _ := recordedIn(t, folder); plan.Messages < 41 || plan.Messages > 50 || len(plan.Notes) > 0 {
		t.Fatalf("%d messages, %+v; %s", plan.Messages, plan.Notes, errs.String())
	}
}

func TestDemoKafka(t *testing.T) {
	status, out, errs := command(t, "demo", "kafka")
	if status != 0 || errs != "" {
		t.Fatal(status, errs)
	}
	for _, want := range []string{"$ twindrift capture -b 127.0.0.1:", "ok      permission   orders may be read", "orders: 107,695 messages recorded in 1 file, from 8 partitions", "$ twindrift inspect orders/", "107,695 messages of orders through 2 sites"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%.3000s", want, out)
		}
	}
}
