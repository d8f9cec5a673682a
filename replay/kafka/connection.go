package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// Connection says where brokers are and how they are spoken to. Set takes the
// properties that Kafka's own tools and librdkafka know; the zero value lacks brokers.
type Connection struct {
	Brokers  []string // host:port; port 9092 where there is none
	ClientID string   // default twindrift

	Protocol   string // as security.protocol says it, where it does
	TLS        bool
	CA         PEM    // certificates of authorities to trust; the system's where empty
	Cert, Key  PEM    // of this client, where brokers ask for it
	ServerName string // that the certificates are to bear; default the broker's host
	AnyName    bool   // certificates may bear any name
	AnyCert    bool   // certificates are not looked at

	Mechanism      string // PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER; "" for no login
	User, Password string
	Token          string // of OAUTHBEARER
}

// PEM is PEM text, or the file that holds it.
type PEM struct{ File, Text string }

func (p PEM) isZero() bool { return p == PEM{} }

// read gives the text.
func (p PEM) read(what string) ([]byte, error) {
	if p.File == "" {
		return []byte(p.Text), nil
	}
	if strings.Contains(p.File, "-----BEGIN") {
		return nil, fmt.Errorf("%s: want the name of a file, not what is in it", what)
	}
	b, err := os.ReadFile(p.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return b, nil
}

// mechanisms are the ways to log in.
var mechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"}

// Check says what is missing or does not go together.
func (c *Connection) Check() error {
	if len(c.Brokers) == 0 {
		return errors.New("no brokers: name one with --brokers HOST:PORT, or bootstrap.servers in a file for --command-config")
	}
	for _, b := range c.Brokers {
		host, port, err := net.SplitHostPort(withPort(b))
		if err != nil || host == "" {
			return fmt.Errorf("broker %q is no HOST:PORT", b)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fmt.Errorf("broker %q is no HOST:PORT: a port is a number from 1 to 65535", b)
		}
	}
	if c.Mechanism != "" && !slices.Contains(mechanisms, c.Mechanism) {
		return fmt.Errorf("SASL mechanism %q is not known; there are %s", c.Mechanism, strings.Join(mechanisms, ", "))
	}
	switch {
	case c.Mechanism == "" && (c.User != "" || c.Password != "" || c.Token != ""):
		return fmt.Errorf("there is a user, password or token, and no SASL mechanism: say one of %s (--sasl-mechanism, sasl.mechanism)", strings.Join(mechanisms, ", "))
	case c.Mechanism == "OAUTHBEARER" && c.Token == "":
		return errors.New("OAUTHBEARER takes a token (--sasl-token, TWINDRIFT_SASL_TOKEN or sasl.oauthbearer.token)")
	case c.Mechanism != "" && c.Mechanism != "OAUTHBEARER" && (c.User == "" || c.Password == ""):
		return fmt.Errorf("%s takes a user and a password (--sasl-user and TWINDRIFT_SASL_PASSWORD, or sasl.username and sasl.password)", c.Mechanism)
	case c.Mechanism != "" && c.Protocol != "" && !strings.HasPrefix(c.Protocol, "SASL_"):
		return fmt.Errorf("security.protocol is %s, which has no login, and there is the SASL mechanism %s: say SASL_PLAINTEXT or SASL_SSL", c.Protocol, c.Mechanism)
	case c.Mechanism == "" && strings.HasPrefix(c.Protocol, "SASL_"):
		return fmt.Errorf("security.protocol is %s, and there is no SASL mechanism: say one of %s", c.Protocol, strings.Join(mechanisms, ", "))
	case !c.TLS && (!c.CA.isZero() || !c.Cert.isZero() || c.ServerName != "" || c.AnyCert):
		return errors.New("there are settings of TLS, and TLS is off: say --tls, or security.protocol SSL or SASL_SSL")
	case c.Cert.isZero() != c.Key.isZero():
		return errors.New("a client certificate and its key come together (--tls-cert and --tls-key)")
	}
	return nil
}

func withPort(broker string) string {
	if _, _, err := net.SplitHostPort(broker); err != nil && strings.Contains(err.Error(), "missing port") {
		return net.JoinHostPort(strings.Trim(broker, "[]"), "9092")
	}
	return broker
}

// tlsConfig is nil without TLS.
func (c *Connection) tlsConfig() (*tls.Config, error) {
	if !c.TLS {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.ServerName, InsecureSkipVerify: c.AnyCert}
	if !c.CA.isZero() {
		pem, err := c.CA.read("CA certificates")
		if err != nil {
			return nil, err
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("CA certificates %s: there is no PEM certificate in it", c.CA.File)
		}
	}
	if !c.Cert.isZero() {
		cert, err := c.Cert.read("client certificate")
		if err != nil {
			return nil, err
		}
		key, err := c.Key.read("client key")
		if err != nil {
			return nil, err
		}
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("client certificate %s and key %s: %w", c.Cert.File, c.Key.File, err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	if c.AnyName && !c.AnyCert {
		t.InsecureSkipVerify = true // by the library; the chain is verified here
		t.VerifyConnection = func(s tls.ConnectionState) error {
			o := x509.VerifyOptions{Roots: t.RootCAs, Intermediates: x509.NewCertPool()}
			for _, cert := range s.PeerCertificates[1:] {
				o.Intermediates.AddCert(cert)
			}
			_, err := s.PeerCertificates[0].Verify(o)
			return err
		}
	}
	return t, nil
}

// login is nil without SASL.
func (c *Connection) login() sasl.Mechanism {
	switch c.Mechanism {
	case "PLAIN":
		return plain.Auth{User: c.User, Pass: c.Password}.AsMechanism()
	case "SCRAM-SHA-256":
		return scram.Auth{User: c.User, Pass: c.Password}.AsSha256Mechanism()
	case "SCRAM-SHA-512":
		return scram.Auth{User: c.User, Pass: c.Password}.AsSha512Mechanism()
	case "OAUTHBEARER":
		return oauth.Auth{Token: c.Token}.AsMechanism()
	}
	return nil
}

// String is the connection without its secrets.
func (c Connection) String() string {
	s := strings.Join(c.Brokers, ",")
	if c.TLS {
		s += ", TLS"
		if !c.Cert.isZero() {
			s += " with a client certificate"
		}
	}
	switch {
	case c.Mechanism == "OAUTHBEARER":
		s += ", SASL OAUTHBEARER"
	case c.Mechanism != "":
		s += fmt.Sprintf(", SASL %s as %s", c.Mechanism, c.User)
	}
	return s
}

// GoString hides the secrets from %#v too.
func (c Connection) GoString() string { return "kafka.Connection{" + c.String() + "}" }

// requestTimeout is how long a broker has for a connection, and transferTimeout for an
// answer, which may be many megabytes, besides what the request itself gives it.
const (
	requestTimeout  = 10 * time.Second
	transferTimeout = time.Minute
)

// options are the library's.
func (c *Connection) options() ([]kgo.Opt, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	id := c.ClientID
	if id == "" {
		id = "twindrift"
	}
	seeds := make([]string, len(c.Brokers))
	for i, b := range c.Brokers {
		seeds[i] = withPort(b)
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(seeds...), kgo.ClientID(id), kgo.SoftwareNameAndVersion("twindrift", "1"),
		kgo.DialTimeout(requestTimeout), kgo.RequestTimeoutOverhead(transferTimeout),
		kgo.RetryTimeout(requestTimeout), kgo.MetadataMinAge(250 * time.Millisecond),
	}
	t, err := c.tlsConfig()
	if err != nil {
		return nil, err
	}
	if t != nil {
		opts = append(opts, kgo.Dialer(func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialTLS(ctx, t, network, address)
		}))
	}
	if m := c.login(); m != nil {
		opts = append(opts, kgo.SASL(m))
	}
	return opts, nil
}

// dialTLS connects, to a certificate of the host's name unless another is given.
func dialTLS(ctx context.Context, config *tls.Config, network, address string) (net.Conn, error) {
	t := config.Clone()
	if t.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		t.ServerName = host
	}
	return (&tls.Dialer{NetDialer: &net.Dialer{Timeout: requestTimeout}, Config: t}).DialContext(ctx, network, address)
}
