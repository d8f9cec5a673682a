package kafka

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// authority signs certificates for a test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  string
}

func newAuthority(t *testing.T) *authority {
	a := &authority{}
	var text string
	a.cert, a.key, text, _ = certificate(t, nil, "test authority", nil)
	a.pem = text
	return a
}

// certificate makes a certificate and its key, signed by an authority or by itself.
func certificate(t *testing.T, by *authority, name string, hosts []string) (cert *x509.Certificate, key *ecdsa.PrivateKey, certPEM, keyPEM string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62))
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0), NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA: by == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	if cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}))
}

// TLS, mutual TLS and every SASL mechanism that brokers in memory know.
func TestConnections(t *testing.T) {
	ca := newAuthority(t)
	_, _, serverCert, serverKey := certificate(t, ca, "broker", []string{"127.0.0.1", "localhost"})
	_, _, otherCert, otherKey := certificate(t, ca, "broker", []string{"elsewhere.example"})
	_, _, clientCert, clientKey := certificate(t, ca, "client", nil)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	caFile, certFile, keyFile := file("ca.pem", ca.pem), file("client.pem", clientCert), file("client.key", clientKey)
	server := func(cert, key string, clients bool) kfake.Opt {
		pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
		if err != nil {
			t.Fatal(err)
		}
		config := &tls.Config{Certificates: []tls.Certificate{pair}}
		if clients {
			config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
			config.ClientCAs.AddCert(ca.cert)
		}
		return kfake.TLS(config)
	}
	sasl := []kfake.Opt{kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", "secret"), kfake.Superuser("SCRAM-SHA-256", "ann", "secret"), kfake.Superuser("SCRAM-SHA-512", "ann", "secret")}
	jaas := func(module string) string {
		return fmt.Sprintf(`org.apache.kafka.common.security.%s required username="ann" password="secret";`, module)
	}
	for name, test := range map[string]struct {
		brokers []kfake.Opt
		set     map[string]string
		refused string // part of the error
	}{
		"plain text":            {},
		"TLS":                   {[]kfake.Opt{server(serverCert, serverKey, false)}, map[string]string{"security.protocol": "SSL", "ssl.ca.location": caFile}, ""},
		"TLS, inline":           {[]kfake.Opt{server(serverCert, serverKey, false)}, map[string]string{"security.protocol": "ssl", "ssl.truststore.type": "PEM", "ssl.truststore.certificates": ca.pem}, ""},
		"TLS not trusted":       {[]kfake.Opt{server(serverCert, serverKey, false)}, map[string]string{"security.protocol": "SSL"}, "certificate signed by unknown authority"},
		"TLS not looked at":     {[]kfake.Opt{server(serverCert, serverKey, false)}, map[string]string{"security.protocol": "SSL", "enable.ssl.certificate.verification": "false"}, ""},
		"TLS of another":        {[]kfake.Opt{server(otherCert, otherKey, false)}, map[string]string{"security.protocol": "SSL", "ssl.ca.location": caFile}, "certificate"},
		"TLS of any name":       {[]kfake.Opt{server(otherCert, otherKey, false)}, map[string]string{"security.protocol": "SSL", "ssl.ca.location": caFile, "ssl.endpoint.identification.algorithm": ""}, ""},
		"any name, not trusted": {[]kfake.Opt{server(otherCert, otherKey, false)}, map[string]string{"security.protocol": "SSL", "ssl.endpoint.identification.algorithm": ""}, "certificate signed by unknown authority"},
		"mutual TLS":            {[]kfake.Opt{server(serverCert, serverKey, true)}, map[string]string{"security.protocol": "SSL", "ssl.ca.location": caFile, "ssl.certificate.location": certFile, "ssl.key.location": keyFile}, ""},
		"mutual TLS, none":      {[]kfake.Opt{server(serverCert, serverKey, true)}, map[string]string{"security.protocol": "SSL", "ssl.ca.location": caFile}, "certificate required"},
		"PLAIN":                 {sasl, map[string]string{"sasl.mechanism": "PLAIN", "sasl.username": "ann", "sasl.password": "secret"}, ""},
		"PLAIN, wrong":          {sasl, map[string]string{"sasl.mechanism": "PLAIN", "sasl.username": "ann", "sasl.password": "wrong"}, "the broker closed the connection: is the login right"},
		"PLAIN by JAAS":         {sasl, map[string]string{"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.jaas.config": jaas("plain.PlainLoginModule")}, ""},
		"SCRAM-SHA-256":         {sasl, map[string]string{"sasl.mechanism": "SCRAM-SHA-256", "sasl.jaas.config": jaas("scram.ScramLoginModule")}, ""},
		"SCRAM-SHA-512":         {sasl, map[string]string{"sasl.mechanisms": "scram-sha-512", "sasl.username": "ann", "sasl.password": "secret"}, ""},
		"SCRAM over TLS":        {append([]kfake.Opt{server(serverCert, serverKey, false)}, sasl...), map[string]string{"security.protocol": "SASL_SSL", "ssl.ca.location": caFile, "sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "ann", "sasl.password": "secret"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cluster(t, append([]kfake.Opt{kfake.NumBrokers(1), kfake.SeedTopics(1, "t")}, test.brokers...)...)
			conn := &Connection{Brokers: c.ListenAddrs()}
			for k, v := range test.set {
				if err := conn.Set(k, v); err != nil {
					t.Fatal(err)
				}
			}
			cl, err := NewClient(conn)
			if err != nil {
				t.Fatal(err)
			}
			defer cl.Close()
			ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
			defer stop()
			_, err = cl.Snapshot(ctx, whole("t"))
			switch {
			case test.refused == "" && err != nil:
				t.Fatal(err)
			case test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused)):
				t.Fatalf("%v, want %s", err, test.refused)
			case err != nil && strings.Contains(err.Error(), "secret"):
				t.Fatal("the password is in the error:", err)
			}
		})
	}
}

// A properties file as Kafka's tools take it.
func TestProperties(t *testing.T) {
	path := filepath.Join(t.TempDir(), "client.properties")
	text := `# comment
! another
bootstrap.servers = one:9092, two
security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \
  username="ann" \
  password="a\"b=c;";
group.id=some
ssl.ca.location: /etc/ca.pem
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Connection{}
	if err := c.ReadProperties(path); err != nil {
		t.Fatal(err)
	}
	if len(c.Brokers) != 2 || withPort(c.Brokers[1]) != "two:9092" || !c.TLS || c.User != "ann" || c.Password != `a"b=c;` || c.CA.File != "/etc/ca.pem" {
		t.Errorf("%v %v", c, c.CA)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if said := fmt.Sprintf(format, c); strings.Contains(said, c.Password) || !strings.Contains(said, "ann") {
			t.Errorf("%s: %s", format, said)
		}
	}
	for line, want := range map[string]string{
		"security.protocol=TLS":                `security.protocol: "TLS" is not known; there are PLAINTEXT`,
		"ssl.truststore.location=/a/trust.jks": "is a Java keystore, which is not read here",
		"ssl.keystore.location=/a/key.p12":     "a client's certificate and key go to ssl.certificate.location",
		"ssl.truststore.type=JKS":              "JKS stores are not read here",
		"sasl.jaas.config=what":                "want PlainLoginModule or ScramLoginModule",
		"sasl.mechanism=GSSAPI":                "GSSAPI (Kerberos) is not supported",
		"boostrap.servers=a":                   `property "boostrap.servers" is not known`,
		"just words":                           "want NAME=VALUE",
		"sasl.pasword:a=b":                     `property "sasl.pasword" is not known`,
	} {
		if err := os.WriteFile(path, []byte("\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := new(Connection).ReadProperties(path); err == nil || !strings.Contains(err.Error(), path+":2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// What does not go together is said before anything is connected.
func TestConnectionChecks(t *testing.T) {
	one := []string{"one:9092"}
	for want, c := range map[string]Connection{
		"no brokers: name one":                       {},
		`broker ":9092" is no HOST:PORT`:             {Brokers: []string{":9092"}},
		`broker "a:kafka" is no HOST:PORT: a port`:   {Brokers: []string{"a:kafka"}},
		`broker "a:92092" is no HOST:PORT: a port`:   {Brokers: []string{"a:92092"}},
		`SASL mechanism "NTLM" is not known`:         {Brokers: one, Mechanism: "NTLM"},
		"and no SASL mechanism":                      {Brokers: one, User: "ann", Password: "secret"},
		"OAUTHBEARER takes a token":                  {Brokers: one, Mechanism: "OAUTHBEARER"},
		"PLAIN takes a user and a password":          {Brokers: one, Mechanism: "PLAIN", User: "ann"},
		"a client certificate and its key come toge": {Brokers: one, TLS: true, Cert: PEM{File: "a"}},
		"no such file":                               {Brokers: one, TLS: true, CA: PEM{File: "/nowhere/ca.pem"}},
		"there is no PEM certificate in it":          {Brokers: one, TLS: true, CA: PEM{Text: "what"}},
		"there are settings of TLS, and TLS is off":  {Brokers: one, CA: PEM{Text: "what"}, Mechanism: "PLAIN", User: "ann", Password: "secret"},
		"PLAINTEXT, which has no login":              {Brokers: one, Protocol: "PLAINTEXT", Mechanism: "PLAIN", User: "ann", Password: "secret"},
		"SASL_SSL, and there is no SASL mechanism":   {Brokers: one, Protocol: "SASL_SSL", TLS: true},
		"want the name of a file, not what is in it": {Brokers: one, TLS: true, Cert: PEM{File: "-----BEGIN secret"}, Key: PEM{File: "-----BEGIN secret"}},
	} {
		if _, err := NewClient(&c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	oauth := Connection{Brokers: one, Mechanism: "OAUTHBEARER", Token: "sesame"}
	if err := oauth.Check(); err != nil || strings.Contains(oauth.String(), "sesame") {
		t.Errorf("%v, %v", err, oauth)
	}
}

func TestNoConnectionInWords(t *testing.T) {
	err := refusal(fmt.Errorf("unable to dial: %w", &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}))
	if want := "no connection can be made: is a broker there, and are its name and port right? (dial tcp: connection refused)"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
