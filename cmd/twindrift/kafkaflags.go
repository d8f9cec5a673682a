package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"twindrift/replay/kafka"
)

// kafkaFlags are the flags of the commands that read topics.
type kafkaFlags struct {
	topics     []string
	regex      bool
	partitions []int32
	from, to   string
	slack      time.Duration
	committed  bool
	waitOpen   time.Duration
	patience   time.Duration

	brokers       []string
	config        string
	properties    []string
	tls           bool
	ca, cert, key string
	insecure      bool
	mechanism     string
	user          string
	password      string
	token         string
}

func (k *kafkaFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.StringSliceVarP(&k.topics, "topic", "t", nil, "topic to read; repeatable or with commas")
	f.BoolVarP(&k.regex, "regex", "r", false, "topics are patterns (regular expressions) of whole names")
	f.Int32SliceVarP(&k.partitions, "partitions", "p", nil, "`NUMBERS` of the partitions to read, as 0,3 (default all)")
	f.Lookup("partitions").DefValue = ""
	f.StringVar(&k.from, "from", "start", "where to begin in each partition: start, end, an offset, +N or -N from these, or @TIME (ms, s, 2026-03-02, 2026-03-02T20:00:00+08:00, @-2h)")
	f.StringVar(&k.to, "to", "end", "where to end, likewise; the end is that at the start of the command")
	f.DurationVar(&k.slack, "slack", 0, "how much earlier and later to take bounds that are times: a time stands for the offset where it is first reached, and messages are not in order")
	f.BoolVar(&k.committed, "read-committed", false, "leave out messages of aborted and of open transactions")
	f.DurationVar(&k.waitOpen, "wait-open-txn", 0, "with --read-committed, how long to wait for open transactions")
	f.DurationVar(&k.patience, "patience", 2*time.Minute, "how long a partition may make no way before it is an error")

	f.StringSliceVarP(&k.brokers, "brokers", "b", nil, "brokers to ask first, as HOST:PORT; repeatable or with commas")
	f.StringVar(&k.config, "command-config", "", "properties `FILE` as Kafka's own tools take it (bootstrap.servers, security.protocol, sasl.jaas.config, ssl.ca.location and so on)")
	f.StringArrayVarP(&k.properties, "property", "X", nil, "one such property, `NAME=VALUE`, as sasl.mechanism=PLAIN; repeatable")
	f.BoolVar(&k.tls, "tls", false, "speak TLS")
	f.StringVar(&k.ca, "tls-ca", "", "PEM `FILE` with the certificates to trust (default the system's)")
	f.StringVar(&k.cert, "tls-cert", "", "PEM `FILE` with the certificate of this client")
	f.StringVar(&k.key, "tls-key", "", "PEM `FILE` with its key")
	f.BoolVar(&k.insecure, "tls-insecure", false, "trust any certificate")
	f.StringVar(&k.mechanism, "sasl-mechanism", "", "PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER")
	f.StringVar(&k.user, "sasl-user", "", "user to log in as")
	f.StringVar(&k.password, "sasl-password", "", "password; better in TWINDRIFT_SASL_PASSWORD, which ps does not show")
	f.StringVar(&k.token, "sasl-token", "", "token for OAUTHBEARER; better in TWINDRIFT_SASL_TOKEN")
}

// connection puts together what the properties file says, then -X, then the flags.
func (k *kafkaFlags) connection(set *pflag.FlagSet) (*kafka.Connection, error) {
	c := &kafka.Connection{}
	if k.config != "" {
		if err := c.ReadProperties(k.config); err != nil {
			return nil, err
		}
	}
	for _, p := range k.properties {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			name, _, _ = strings.Cut(name, ":") // what follows may be a secret
			return nil, usagef("-X %s: want NAME=VALUE, as sasl.mechanism=PLAIN", name)
		}
		if err := c.Set(name, value); err != nil {
			return nil, usagef("-X: %w", err)
		}
	}
	for _, f := range []struct {
		name string
		take func()
	}{
		{"brokers", func() { c.Brokers = k.brokers }},
		{"tls-ca", func() { c.TLS, c.CA = true, kafka.PEM{File: k.ca} }},
		{"tls-cert", func() { c.TLS, c.Cert = true, kafka.PEM{File: k.cert} }},
		{"tls-key", func() { c.TLS, c.Key = true, kafka.PEM{File: k.key} }},
		{"tls-insecure", func() { c.TLS, c.AnyCert = c.TLS || k.insecure, k.insecure }},
		{"tls", func() { c.TLS = k.tls }},
		{"sasl-mechanism", func() { c.Mechanism = strings.ToUpper(k.mechanism) }},
		{"sasl-user", func() { c.User = k.user }},
		{"sasl-password", func() { c.Password = k.password }},
		{"sasl-token", func() { c.Token = k.token }},
	} {
		if set.Changed(f.name) {
			f.take()
		}
	}
	if err := c.Check(); err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// selection is what is to be read.
func (k *kafkaFlags) selection(now time.Time) (kafka.Selection, error) {
	sel := kafka.Selection{
		Topics: k.topics, Regex: k.regex, Partitions: k.partitions, Slack: k.slack,
		Committed: k.committed, WaitOpen: k.waitOpen,
	}
	if len(k.topics) == 0 {
		return sel, usagef("no topic: name one with --topic")
	}
	var err error
	if sel.From, err = kafka.ParseBound(k.from, now); err != nil {
		return sel, usagef("--from: %w", err)
	}
	if sel.To, err = kafka.ParseBound(k.to, now); err != nil {
		return sel, usagef("--to: %w", err)
	}
	if k.slack < 0 {
		return sel, usagef("--slack %v: want 0 or more", k.slack)
	}
	if k.patience <= 0 {
		return sel, usagef("--patience %v: want more than 0s", k.patience)
	}
	if k.waitOpen > 0 && !k.committed {
		return sel, usagef("--wait-open-txn goes with --read-committed")
	}
	return sel, nil
}
