package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"twindrift/generator/reading"
	"twindrift/replay/figure"
	"twindrift/replay/kafka"
	"twindrift/replay/parquet"
	"twindrift/replay/recording"
)

// captureCommand is capture with its flags.
type captureCommand struct {
	t            *terminal
	kafka        kafkaFlags
	output       string
	compression  string
	keys, values bool
	headers      bool
	rotate       int64
	follow       bool
	check        bool
	strict       bool
	profile      profile
	title        string // instead of the folder, in messages
	messages     int64  // recorded
}

func newCapture(t *terminal) *cobra.Command {
	k := &captureCommand{t: t}
	c := &cobra.Command{
		Use:   "capture --topic TOPIC -o FOLDER",
		Short: "Record Kafka topics into a capture that replays for ever",
		Long: `Record Kafka topics into a folder of Parquet files, without their payloads (only
hashes of keys, and lengths). What is read is fixed at the start: messages that
come later are left for the next time. Interrupted at whatever moment, the same
command goes on where the last whole file ends; run again later, it adds what is
new.

Offsets that are no messages any more are told apart: what retention deleted
before it could be read is lost (with --strict the exit status is then 4), what
compaction took away, transaction markers and aborted messages are not.

A connection is described by flags, by -X, by the properties file that Kafka's
own tools take, or by environment variables (TWINDRIFT_BROKERS and so on), and
tried with --check.`,
		Example: `  twindrift capture -b localhost:9092 -t orders -o orders/
  twindrift capture -b localhost:9092 -t orders --from @-24h --slack 10m -o last-day/
  twindrift capture --command-config client.properties -t 'push-.*' -r -o push/
  twindrift capture -b localhost:9092 -t orders --check`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error { return k.run(c) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&k.output, "output", "o", "", "`FOLDER` to record into")
	k.kafka.bind(c)
	f.BoolVar(&k.keys, "with-keys", false, "record keys too, not their hashes alone")
	f.BoolVar(&k.values, "with-values", false, "record values too, not their lengths alone")
	f.BoolVar(&k.headers, "with-headers", false, "record headers too")
	f.StringVar(&k.compression, "compression", "snappy", "snappy, or zstd (smaller, slower)")
	f.Int64Var(&k.rotate, "rotate", recording.RotateRows, "messages in a file, about")
	f.BoolVar(&k.follow, "follow", false, "go on with what comes, until interrupted; files are whole after a minute")
	f.BoolVar(&k.check, "check", false, "try the connection step by step, and record nothing")
	f.BoolVar(&k.strict, "strict", false, "exit with status 4 when messages were lost to retention or held back by open transactions")
	k.profile.bind(c)
	return c
}

func (k *captureCommand) run(c *cobra.Command) error {
	ctx := c.Context()
	conn, err := k.kafka.connection(c.Flags())
	if err != nil {
		return err
	}
	sel, err := k.kafka.selection(time.Now())
	if err != nil {
		return err
	}
	if k.check {
		return k.tryOut(ctx, conn, sel)
	}
	switch {
	case k.output == "":
		return usagef("-o FOLDER is missing: say where to record")
	case k.compression != "snappy" && k.compression != "zstd":
		return usagef("--compression %s is not known; say snappy or zstd", k.compression)
	case k.rotate < 1:
		return usagef("--rotate %d: want a number of messages", k.rotate)
	case k.follow && sel.To != kafka.End:
		return usagef("--follow has no end: leave --to out")
	}
	client, err := kafka.NewClient(conn)
	if err != nil {
		return err
	}
	defer client.Close()
	snapshot, err := client.Snapshot(ctx, sel)
	if err != nil {
		return err
	}
	rec, err := recording.Open(k.output, snapshot, recording.Options{
		WriterOptions: parquet.WriterOptions{Compression: k.compression, Version: version(), Keys: k.keys, Values: k.values, Headers: k.headers},
		RotateRows:    k.rotate,
	})
	if err != nil {
		return err
	}
	stop, err := k.profile.start(k.t)
	if err != nil {
		rec.Abort()
		return err
	}
	last, err := k.record(ctx, client, sel, snapshot, rec)
	err = errors.Join(err, stop())
	if closing := rec.Close(); closing != nil {
		return fmt.Errorf("%s: %w; what is in whole files is kept, and the same command goes on from there", k.output, closing)
	}
	k.messages = rec.Messages
	k.t.kept = fmt.Sprintf("%s in %s; the same command goes on from there", figure.Counted(rec.Messages, "message"), k.output)
	if !k.t.quiet {
		k.tell(rec, last)
		if rec.Resumed && sel.From != kafka.Start {
			fmt.Fprintln(k.t.err, "  what was recorded before is gone on with, wherever --from lies")
		}
		if (sel.From.IsTime() || sel.To.IsTime()) && sel.Slack == 0 {
			fmt.Fprintln(k.t.err, "  a time stands for the offset where it is first reached: later messages may be\n  older, and earlier ones newer (--slack takes so much more on both sides)")
		}
	}
	if err != nil && k.follow && ctx.Err() != nil {
		return nil // which is how it ends
	}
	if err != nil {
		return err
	}
	return k.held(rec, last)
}

// followEvery is how often it is looked for what has come, and wholeEvery how old an open
// file becomes.
const (
	followEvery = 500 * time.Millisecond
	wholeEvery  = time.Minute
)

// record records a snapshot, and those that follow where that is asked for. It gives the
// last one.
func (k *captureCommand) record(ctx context.Context, client *kafka.Client, sel kafka.Selection, s *kafka.Snapshot, rec *recording.Recording) (*kafka.Snapshot, error) {
	update, finish := k.t.progress("recording", "offsets")
	defer finish()
	left := rec.Offsets()
	began, reached := time.Now(), time.Now()
	for {
		starts := rec.Starts()
		var done int64
		err := client.Read(ctx, s, starts, kafka.ReadOptions{Keys: k.keys, Values: k.values, Headers: k.headers, Patience: k.kafka.patience}, func(c *kafka.Chunk) error {
			done += c.Next - starts[c.Partition]
			starts[c.Partition] = c.Next
			update(done, left)
			return rec.Write(c)
		})
		if err != nil || !k.follow {
			return s, err
		}
		if time.Since(began) > wholeEvery {
			if err := rec.Rotate(); err != nil {
				return s, err
			}
			began = time.Now()
		}
		select {
		case <-time.After(followEvery):
		case <-ctx.Done():
			return s, ctx.Err()
		}
		sel.From = kafka.Start // what is recorded already is passed over
		next, err := client.Snapshot(ctx, sel)
		if err != nil && time.Since(reached) < k.kafka.patience && ctx.Err() == nil {
			continue // the brokers may be back before long
		} else if err != nil {
			return s, err
		}
		reached = time.Now()
		if err := rec.Follow(next); err != nil {
			return s, err
		}
		s, left = next, rec.Offsets()
	}
}

// tell says what was recorded, and what could not be.
func (k *captureCommand) tell(rec *recording.Recording, s *kafka.Snapshot) {
	fmt.Fprintf(k.t.err, "%s: %s recorded in %s, from %s\n", cmp.Or(k.title, k.output), figure.Counted(rec.Messages, "message"), figure.Counted(int64(rec.Files), "file"), figure.Counted(int64(len(s.Partitions)), "partition"))
	for _, g := range rec.Gaps {
		why := "were deleted by retention before they were read"
		if g.Reason == kafka.NothingSent {
			why = "were not sent by the brokers, though their log goes on: compacted away, it seems"
		}
		fmt.Fprintf(k.t.err, "  %s/%d: offsets %d to %d %s\n", g.Topic, g.Partition, g.From, g.To-1, why)
	}
	for i := range s.Partitions {
		if p := &s.Partitions[i]; p.Withheld > 0 {
			fmt.Fprintf(k.t.err, "  %s/%d: %s from %d on are held back by an open transaction (--wait-open-txn waits for it)\n", p.Topic, p.Number, figure.Counted(p.Withheld, "offset"), p.End)
		}
	}
}

// held is the error of --strict.
func (k *captureCommand) held(rec *recording.Recording, s *kafka.Snapshot) error {
	if !k.strict {
		return nil
	}
	if len(rec.Gaps) > 0 {
		return statusf(exitGaps, "--strict: there are %s of messages that could not be read", figure.Counted(int64(len(rec.Gaps)), "gap"))
	}
	for i := range s.Partitions {
		if s.Partitions[i].Withheld > 0 {
			return statusf(exitGaps, "--strict: open transactions hold messages back")
		}
	}
	return nil
}

// tryOut tries a connection step by step.
func (k *captureCommand) tryOut(ctx context.Context, conn *kafka.Connection, sel kafka.Selection) error {
	fmt.Fprintf(k.t.out, "connecting to %s\n", conn)
	failed := false
	conn.Try(ctx, sel, func(s kafka.Step) {
		mark := "ok    "
		switch {
		case s.Err != nil:
			mark, failed = "FAILED", true
		case s.Skipped:
			mark = "-     "
		}
		fmt.Fprint(k.t.out, reading.Wrap(fmt.Sprintf("  %s  %-12s ", mark, s.Name), s.Text))
		if s.Err != nil {
			fmt.Fprintf(k.t.out, "          %s\n", s.Err)
		}
	})
	if failed {
		return errors.New("the connection does not work; see above which step failed")
	}
	return nil
}
