package kafka

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// Client speaks to a cluster.
type Client struct {
	kgo  *kgo.Client
	adm  *kadm.Client
	to   string // the connection, for messages
	opts []kgo.Opt

	names   sync.Mutex
	byNames *kgo.Client
}

// byName is a client that names topics when it fetches, for brokers that give them no ids.
func (c *Client) byName() (*kgo.Client, error) {
	c.names.Lock()
	defer c.names.Unlock()
	if c.byNames == nil {
		v := kversion.Stable()
		v.SetMaxKeyVersion(kmsg.Fetch.Int16(), 12)
		cl, err := kgo.NewClient(append(slices.Clone(c.opts), kgo.MaxVersions(v))...)
		if err != nil {
			return nil, err
		}
		c.byNames = cl
	}
	return c.byNames, nil
}

// NewClient makes a client; nothing is connected yet.
func NewClient(c *Connection) (*Client, error) {
	opts, err := c.options()
	if err != nil {
		return nil, err
	}
	cl, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, err
	}
	return &Client{kgo: cl, adm: kadm.NewClient(cl), to: c.String(), opts: opts}, nil
}

// Close ends all connections.
func (c *Client) Close() {
	c.kgo.Close()
	if c.byNames != nil {
		c.byNames.Close()
	}
}

// Selection says what is to be read.
type Selection struct {
	Topics     []string // by name, or patterns where Regex is set
	Regex      bool     // topics whose whole name one of the patterns matches; internal ones only by name
	Partitions []int32  // of every topic; all where empty
	From, To   Bound
	Slack      time.Duration // by how much earlier and later bounds that are times are taken
	Committed  bool          // no messages of aborted transactions, nor of open ones
	WaitOpen   time.Duration // how long open transactions are waited for, with Committed
}

// Snapshot is the cluster at one moment, and which offsets are to be read.
type Snapshot struct {
	Cluster    string // id
	Committed  bool
	Partitions []Partition // by topic, then number
}

// Partition is one partition of a snapshot.
type Partition struct {
	Topic         string
	Number        int32
	LogStart      int64
	HighWatermark int64
	LastStable    int64
	Start, End    int64 // to be read, End excluded; equal where there is nothing
	Withheld      int64 // offsets asked for that lie behind an open transaction
	Deleted       int64 // offsets asked for by number that retention has deleted

	id [16]byte // of the topic
}

// TopicID is the id of the partition's topic in hexadecimal, which another topic of the
// same name does not have; "" where the brokers give none.
func (p *Partition) TopicID() string {
	if p.id == [16]byte{} {
		return ""
	}
	return hex.EncodeToString(p.id[:])
}

// Offsets is how many offsets there are to read.
func (s *Snapshot) Offsets() (n int64) {
	for i := range s.Partitions {
		n += s.Partitions[i].End - s.Partitions[i].Start
	}
	return n
}

// Snapshot fixes what is to be read. Partitions of which nothing is to be read are in
// it too.
func (c *Client) Snapshot(ctx context.Context, sel Selection) (*Snapshot, error) {
	topics, err := c.topics(ctx, &sel)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Committed: sel.Committed}
	var names []string
	for _, t := range topics {
		names = append(names, t.Topic)
		for _, p := range t.Partitions.Sorted() {
			if len(sel.Partitions) == 0 || slices.Contains(sel.Partitions, p.Partition) {
				s.Partitions = append(s.Partitions, Partition{Topic: t.Topic, Number: p.Partition, id: t.ID})
			}
		}
		for _, n := range sel.Partitions {
			if _, ok := t.Partitions[n]; !ok {
				return nil, fmt.Errorf("topic %s has no partition %d; it has %d", t.Topic, n, len(t.Partitions))
			}
		}
	}
	slices.SortFunc(s.Partitions, func(a, b Partition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Number, b.Number))
	})
	if m, err := c.adm.BrokerMetadata(ctx); err == nil {
		s.Cluster = m.Cluster
	}
	return s, c.bounds(ctx, s, &sel, names)
}

// topics are those that are selected.
func (c *Client) topics(ctx context.Context, sel *Selection) ([]kadm.TopicDetail, error) {
	if !sel.Regex {
		all, err := c.adm.ListTopicsWithInternal(ctx, sel.Topics...)
		if err != nil {
			return nil, c.explain("asking for topics", err)
		}
		var list []kadm.TopicDetail
		for _, name := range sel.Topics {
			t, ok := all[name]
			switch {
			case !ok || errors.Is(t.Err, kerr.UnknownTopicOrPartition):
				return nil, fmt.Errorf("%s has no topic %q that this user may see%s", c.to, name, c.similar(ctx, name))
			case t.Err != nil:
				return nil, fmt.Errorf("topic %q: %w", name, refusal(t.Err))
			}
			if !slices.ContainsFunc(list, func(o kadm.TopicDetail) bool { return o.Topic == name }) {
				list = append(list, t)
			}
		}
		return list, nil
	}
	var patterns []*regexp.Regexp
	for _, p := range sel.Topics {
		r, err := regexp.Compile("^(?:" + p + ")$")
		if err != nil {
			return nil, fmt.Errorf("pattern %q of topics: %w", p, err)
		}
		patterns = append(patterns, r)
	}
	all, err := c.adm.ListTopics(ctx)
	if err != nil {
		return nil, c.explain("asking for topics", err)
	}
	var list []kadm.TopicDetail
	for _, t := range all.Sorted() {
		if slices.ContainsFunc(patterns, func(r *regexp.Regexp) bool { return r.MatchString(t.Topic) }) {
			if t.Err != nil {
				return nil, fmt.Errorf("topic %q: %w", t.Topic, refusal(t.Err))
			}
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("none of the %d topics of %s matches %s", len(all), c.to, strings.Join(sel.Topics, " or "))
	}
	return list, nil
}

// similar names topics that there are instead of one.
func (c *Client) similar(ctx context.Context, name string) string {
	all, err := c.adm.ListTopics(ctx)
	if err != nil || len(all) == 0 {
		return ""
	}
	names := all.Names()
	slices.Sort(names)
	for _, n := range names {
		if strings.EqualFold(n, name) || strings.Contains(n, name) || strings.Contains(name, n) {
			return fmt.Sprintf("; did you mean %s?", n)
		}
	}
	const most = 8
	more := ""
	if len(names) > most {
		names, more = names[:most], ", ..."
	}
	return "; there are " + strings.Join(names, ", ") + more
}

// bounds asks for the ends of the logs and works out the offsets to be read.
func (c *Client) bounds(ctx context.Context, s *Snapshot, sel *Selection, names []string) error {
	starts, err := c.listed(ctx, s, "log start", func() (kadm.ListedOffsets, error) { return c.adm.ListStartOffsets(ctx, names...) })
	if err != nil {
		return err
	}
	ends, err := c.listed(ctx, s, "high watermark", func() (kadm.ListedOffsets, error) { return c.adm.ListEndOffsets(ctx, names...) })
	if err != nil {
		return err
	}
	stable, err := c.stable(ctx, s, sel, names, ends)
	if err != nil {
		return err
	}
	timed := func(b Bound, slack time.Duration) ([]int64, error) {
		if !b.IsTime() {
			return make([]int64, len(s.Partitions)), nil
		}
		return c.listed(ctx, s, "first offset at a time", func() (kadm.ListedOffsets, error) {
			return c.adm.ListOffsetsAfterMilli(ctx, max(0, b.n+slack.Milliseconds()), names...) // below are special values
		})
	}
	from, err := timed(sel.From, -sel.Slack)
	if err != nil {
		return err
	}
	to, err := timed(sel.To, sel.Slack)
	if err != nil {
		return err
	}
	for i := range s.Partitions {
		p := &s.Partitions[i]
		p.LogStart, p.HighWatermark, p.LastStable = starts[i], ends[i], stable[i]
		p.Start = sel.From.offset(p.LogStart, p.HighWatermark, p.LogStart, from[i])
		if sel.From.kind == atOffset {
			p.Deleted = max(0, p.LogStart-sel.From.n)
		}
		p.End = max(p.Start, sel.To.offset(p.LogStart, p.HighWatermark, p.Start, to[i]))
		if sel.Committed && p.End > p.LastStable {
			end := max(p.Start, p.LastStable)
			p.Withheld, p.End = p.End-end, end
		}
	}
	return nil
}

// openPoll is how often it is looked whether open transactions have ended.
const openPoll = 200 * time.Millisecond

// stable are the last stable offsets, once no transaction that was open at the
// snapshot is, or the wait is over.
func (c *Client) stable(ctx context.Context, s *Snapshot, sel *Selection, names []string, ends []int64) ([]int64, error) {
	wait, stop := context.WithTimeout(ctx, sel.WaitOpen)
	defer stop()
	for {
		stable, err := c.listed(ctx, s, "last stable offset", func() (kadm.ListedOffsets, error) { return c.adm.ListCommittedOffsets(ctx, names...) })
		if err != nil || !sel.Committed {
			return stable, err
		}
		open := false
		for i := range stable {
			open = open || stable[i] < ends[i]
		}
		if !open {
			return stable, nil
		}
		select {
		case <-time.After(openPoll):
		case <-wait.Done():
			return stable, ctx.Err()
		}
	}
}

// listed are the offsets of the snapshot's partitions that a question gives.
func (c *Client) listed(ctx context.Context, s *Snapshot, what string, ask func() (kadm.ListedOffsets, error)) ([]int64, error) {
	list, err := ask()
	var shards *kadm.ShardErrors
	if err != nil && !errors.As(err, &shards) {
		return nil, c.explain("asking for the "+what, err)
	}
	offsets := make([]int64, len(s.Partitions))
	for i := range s.Partitions {
		p := &s.Partitions[i]
		o, ok := list.Lookup(p.Topic, p.Number)
		switch {
		case ok && o.Err != nil:
			return nil, fmt.Errorf("%s/%d: asking for the %s: %w", p.Topic, p.Number, what, refusal(o.Err))
		case !ok && err != nil:
			return nil, c.explain(fmt.Sprintf("%s/%d: asking for the %s", p.Topic, p.Number, what), err)
		case !ok:
			return nil, fmt.Errorf("%s/%d: the brokers do not say its %s", p.Topic, p.Number, what)
		}
		offsets[i] = o.Offset
	}
	return offsets, ctx.Err()
}

// explain puts an error of the client into words that name the brokers.
func (c *Client) explain(doing string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s: %s: %w", c.to, doing, refusal(err))
}

// refusal puts what brokers refuse into words.
func refusal(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the broker closed the connection: is the login right, and does this port speak TLS if and only if that is asked for? (%w)", err)
	}
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return fmt.Errorf("no connection can be made: is a broker there, and are its name and port right? (%w)", network)
	}
	var k *kerr.Error
	if !errors.As(err, &k) {
		return err
	}
	switch k {
	case kerr.TopicAuthorizationFailed:
		return fmt.Errorf("this user may not read it: give it the ACL operations Describe and Read on the topic (%w)", k)
	case kerr.ClusterAuthorizationFailed:
		return fmt.Errorf("this user may not do that on the cluster (%w)", k)
	case kerr.SaslAuthenticationFailed:
		return fmt.Errorf("the login was refused: is the user, password and SASL mechanism right? (%w)", k)
	case kerr.UnsupportedSaslMechanism:
		return fmt.Errorf("the brokers do not know this SASL mechanism (%w)", k)
	case kerr.UnknownTopicOrPartition, kerr.UnknownTopicID:
		return fmt.Errorf("there is no such topic any more (%w)", k)
	}
	return fmt.Errorf("%s (%w)", k.Description, k)
}
