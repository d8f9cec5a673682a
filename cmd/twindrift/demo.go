package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"twindrift/datasets"
	"twindrift/replay"
	"twindrift/replay/figure"
)

func newDemo(t *terminal) *cobra.Command {
	c := &cobra.Command{Use: "demo", Short: "Show how topics are recorded, with nothing installed"}
	c.AddCommand(newDemoKafka(t))
	return c
}

func newDemoKafka(t *terminal) *cobra.Command {
	var sample string
	c := &cobra.Command{
		Use:   "kafka",
		Short: "Record a topic from brokers in memory, and replay it",
		Long: `Starts Kafka brokers within this process, fills a topic from a sample, and does
with them what would be done with real ones: tries the connection, records the
topic, looks at the recording and replays it. Each step is shown as the command
that does it.`,
		Example: `  twindrift demo kafka
  twindrift demo kafka --sample market-open`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error { return t.demoKafka(c, sample) },
	}
	c.Flags().StringVar(&sample, "sample", datasets.Default, "sample to fill the topic from")
	return c
}

// demoKafka shows each command and runs it.
func (t *terminal) demoKafka(c *cobra.Command, sample string) error {
	source, err := datasets.Open(sample)
	if err != nil {
		return usageError{err}
	}
	plan, err := source.Plan(c.Context(), nil)
	if err != nil {
		return err
	}
	cluster, err := kfake.NewCluster(kfake.NumBrokers(3), kfake.ClusterID("twindrift-demo"))
	if err != nil {
		return err
	}
	defer cluster.Close()
	topic := plan.Partitions[0].Topic
	if err := cluster.CreateTopic(topic, int32(len(plan.Partitions)), nil); err != nil {
		return err
	}
	if err := fill(c, cluster, source, plan); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "twindrift-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	folder := filepath.Join(dir, topic)
	broker := cluster.ListenAddrs()[0]
	fmt.Fprintf(t.out, "3 brokers in this process, the first at %s;\ntopic %s holds %s\n", broker, topic, figure.Counted(plan.Messages, "message"))
	for _, step := range [][]string{
		{"capture", "-b", broker, "-t", topic, "--check"},
		{"capture", "-b", broker, "-t", topic, "-o", folder},
		{"inspect", folder},
		{"run", folder},
	} {
		shown := "$ twindrift"
		for _, word := range step {
			if word == folder {
				word = topic + "/"
			}
			shown += " " + word
		}
		fmt.Fprintf(t.out, "\n%s\n", shown)
		root := t.fresh(&terminal{in: t.in, out: hiding{t.out, dir + "/"}, err: hiding{t.notes(), dir + "/"}, quiet: t.quiet})
		root.SetArgs(step)
		if err := root.ExecuteContext(c.Context()); err != nil {
			return err
		}
	}
	return nil
}

// hiding leaves a text out of what is written.
type hiding struct {
	w    io.Writer
	text string
}

func (h hiding) Write(p []byte) (int, error) {
	_, err := h.w.Write(bytes.ReplaceAll(p, []byte(h.text), nil))
	return len(p), err
}

// notes is where steps of a demo say what they have done: among what they print, but
// for a terminal, where that is one place.
func (t *terminal) notes() io.Writer {
	if t.onTerminal {
		return t.err
	}
	return t.out
}

// fill produces the messages of a capture, whose partitions are those of one topic.
func fill(c *cobra.Command, cluster *kfake.Cluster, source replay.Source, plan *replay.Plan) error {
	p, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		return err
	}
	defer p.Close()
	var failed error
	err = replay.Walk(c.Context(), source, plan, func(b *replay.Batch) error {
		for i := range b.Len() {
			part := &plan.Partitions[b.Partition[i]]
			p.Produce(c.Context(), &kgo.Record{
				Topic: part.Topic, Partition: part.Number, Timestamp: time.UnixMilli(b.TimestampMs[i]),
				Key: fmt.Appendf(nil, "%x", b.KeyHash[i]), Value: make([]byte, max(0, b.ValueLen[i])),
			}, func(_ *kgo.Record, err error) {
				if err != nil {
					failed = err
				}
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := p.Flush(c.Context()); err != nil {
		return err
	}
	return failed
}
