package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"twindrift/replay/figure"
)

// Step is one step of a connection that is tried.
type Step struct {
	Name    string
	Text    string // what was found
	Err     error  // why it failed; no step follows that needs it
	Skipped bool   // it does not apply
}

// Try takes a connection step by step, as far as it works, and tells of each: names, TCP,
// TLS, login, metadata, permission to read, offsets.
func (c *Connection) Try(ctx context.Context, sel Selection, tell func(Step)) {
	if err := c.Check(); err != nil {
		tell(Step{Name: "settings", Err: err})
		return
	}
	reached := c.tryBrokers(ctx, tell)
	if !reached {
		return
	}
	cl, err := NewClient(c)
	if err != nil {
		tell(Step{Name: "settings", Err: err})
		return
	}
	defer cl.Close()
	login := Step{Name: "SASL", Text: c.Mechanism}
	if c.User != "" {
		login.Text += " as " + c.User
	}
	if c.Mechanism == "" {
		login.Text, login.Skipped = "no login is asked for", true
	}
	if err := cl.kgo.Ping(ctx); err != nil {
		if !login.Skipped {
			login.Err = refusal(err)
			tell(login)
			return
		}
		tell(login)
		tell(Step{Name: "metadata", Err: refusal(err)})
		return
	}
	tell(login)
	m, err := cl.adm.BrokerMetadata(ctx)
	if err != nil {
		tell(Step{Name: "metadata", Err: refusal(err)})
		return
	}
	var brokers []string
	for _, b := range m.Brokers {
		brokers = append(brokers, net.JoinHostPort(b.Host, fmt.Sprint(b.Port)))
	}
	tell(Step{Name: "metadata", Text: fmt.Sprintf("cluster %s, brokers %s", m.Cluster, strings.Join(brokers, ", "))})
	s, err := cl.Snapshot(ctx, sel)
	if err != nil {
		tell(Step{Name: "offsets", Err: err})
		return
	}
	var topics []string
	for i := range s.Partitions {
		if !slices.Contains(topics, s.Partitions[i].Topic) {
			topics = append(topics, s.Partitions[i].Topic)
		}
	}
	tell(Step{Name: "offsets", Text: fmt.Sprintf("%s: %s, %s to read", strings.Join(topics, ", "), figure.Counted(int64(len(s.Partitions)), "partition"), figure.Counted(s.Offsets(), "offset"))})
	tell(cl.tryFetch(ctx, s))
}

// tryBrokers looks up and dials the brokers that are named, and says whether one answers.
func (c *Connection) tryBrokers(ctx context.Context, tell func(Step)) (reached bool) {
	config, err := c.tlsConfig()
	if err != nil {
		tell(Step{Name: "TLS", Err: err})
		return false
	}
	for _, b := range c.Brokers {
		address := withPort(b)
		host, _, _ := net.SplitHostPort(address)
		ips, err := net.DefaultResolver.LookupHost(ctx, host)
		if err != nil {
			tell(Step{Name: "DNS", Text: host, Err: err})
			continue
		}
		tell(Step{Name: "DNS", Text: fmt.Sprintf("%s is %s", host, strings.Join(ips, ", "))})
		plain, err := (&net.Dialer{Timeout: requestTimeout}).DialContext(ctx, "tcp", address)
		if err != nil {
			tell(Step{Name: "TCP", Text: address, Err: err})
			continue
		}
		plain.Close()
		tell(Step{Name: "TCP", Text: address + " accepts connections"})
		if config == nil {
			tell(Step{Name: "TLS", Text: "plain text is asked for", Skipped: true})
			reached = true
			continue
		}
		secure, err := dialTLS(ctx, config, "tcp", address)
		if err != nil {
			tell(Step{Name: "TLS", Text: address, Err: tlsHint(err)})
			continue
		}
		state := secure.(*tls.Conn).ConnectionState()
		secure.Close()
		tell(Step{Name: "TLS", Text: fmt.Sprintf("%s, certificate of %s", tls.VersionName(state.Version), state.PeerCertificates[0].Subject)})
		reached = true
	}
	return reached
}

func tlsHint(err error) error {
	var record tls.RecordHeaderError
	if errors.As(err, &record) {
		return fmt.Errorf("this port does not speak TLS (%w)", err)
	}
	return err
}

// tryFetch reads what may be read of one partition.
func (c *Client) tryFetch(ctx context.Context, s *Snapshot) Step {
	step := Step{Name: "permission"}
	enough := errors.New("enough")
	one := *s
	one.Partitions = nil
	for _, p := range s.Partitions {
		if p.Start < p.End {
			p.End = p.Start + 1
			one.Partitions = append(one.Partitions, p)
			break
		}
	}
	if len(one.Partitions) == 0 {
		step.Text, step.Skipped = "there is nothing to read that it could be tried with", true
		return step
	}
	err := c.Read(ctx, &one, nil, ReadOptions{}, func(*Chunk) error { return enough })
	if err != nil && !errors.Is(err, enough) {
		step.Err = err
		return step
	}
	step.Text = fmt.Sprintf("%s may be read", one.Partitions[0].Topic)
	return step
}
