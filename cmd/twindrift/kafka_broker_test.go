//go:build kafka

package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Apache Kafka in KRaft mode, for the tests behind the build tag kafka: two nodes on
// loopback, of which the first is the controller too. make test-kafka fetches it with
// Maven and says where in TWINDRIFT_KAFKA_LIBS.

// apacheKafka is a cluster at work.
type apacheKafka struct {
	dir       string
	libs      string
	bootstrap string // plain text
	secure    string // SASL_SSL
	ca        string // file with the certificate to trust
	nodes     [2]*exec.Cmd
}

// user and password are those that the secure port knows.
const kafkaUser, kafkaPassword = "ann", "sesame"

// startKafka starts the cluster, which ends with the test.
func startKafka(t testing.TB) *apacheKafka {
	t.Helper()
	k := &apacheKafka{dir: t.TempDir(), libs: os.Getenv("TWINDRIFT_KAFKA_LIBS")}
	if k.libs == "" {
		t.Fatal("TWINDRIFT_KAFKA_LIBS does not say where Kafka is: run make test-kafka")
	}
	ports := freePorts(t, 5)
	k.bootstrap = fmt.Sprintf("127.0.0.1:%d,127.0.0.1:%d", ports[0], ports[1])
	k.secure = fmt.Sprintf("127.0.0.1:%d", ports[2])
	k.writeCertificates(t)
	for n := range k.nodes {
		roles, secure := "broker", ports[3]
		if n == 0 {
			roles, secure = "broker,controller", ports[2]
		}
		listeners := fmt.Sprintf("PLAINTEXT://127.0.0.1:%d,SASL_SSL://127.0.0.1:%d", ports[n], secure)
		advertised := listeners
		if n == 0 {
			listeners += fmt.Sprintf(",CONTROLLER://127.0.0.1:%d", ports[4])
		}
		k.write(t, k.config(n), fmt.Sprintf(`process.roles=%s
node.id=%d
controller.quorum.bootstrap.servers=127.0.0.1:%d
listeners=%s
advertised.listeners=%s
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL
log.dirs=%s
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=3
log.initial.task.delay.ms=500
log.cleaner.backoff.ms=200
log.cleaner.min.cleanable.ratio=0.01
log.retention.ms=-1
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512,OAUTHBEARER
listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_%s="%s";
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_ssl.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";
ssl.keystore.type=PEM
ssl.keystore.location=%s
`, roles, n+1, ports[4], listeners, advertised, filepath.Join(k.dir, fmt.Sprint("data", n+1)), kafkaUser, kafkaPassword, filepath.Join(k.dir, "keystore.pem")))
		format := []string{"kafka.tools.StorageTool", "format", "-t", "QPiHEv9tRMyQiJ5yXyXyXw", "-c", k.config(n)}
		if n == 0 {
			format = append(format, "--standalone", "--add-scram", fmt.Sprintf("SCRAM-SHA-512=[name=%s,password=%s]", kafkaUser, kafkaPassword))
		}
		if out, err := k.java(format...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", format, err, out)
		}
		k.start(t, n)
	}
	t.Cleanup(func() {
		for n := range k.nodes {
			k.kill(n)
		}
	})
	k.until(t, "two brokers", func() bool {
		cl, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(k.bootstrap, ",")...)) // a new one each time: clients remember what they were told
		if err != nil {
			t.Fatal(err)
		}
		defer cl.Close()
		m, err := kadm.NewClient(cl).BrokerMetadata(t.Context())
		return err == nil && len(m.Brokers) == 2
	})
	return k
}

func (k *apacheKafka) config(n int) string {
	return filepath.Join(k.dir, fmt.Sprintf("node%d.properties", n+1))
}

func (k *apacheKafka) write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// java is a class of Kafka's with arguments.
func (k *apacheKafka) java(args ...string) *exec.Cmd {
	return exec.Command("java", append([]string{"-Xmx512m", "-cp", filepath.Join(k.libs, "*")}, args...)...)
}

func (k *apacheKafka) start(t testing.TB, n int) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(k.dir, fmt.Sprintf("node%d.log", n+1)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c := k.java("kafka.Kafka", k.config(n))
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	k.nodes[n] = c
}

// kill ends a node at once.
func (k *apacheKafka) kill(n int) {
	if c := k.nodes[n]; c != nil {
		c.Process.Kill()
		c.Wait()
		k.nodes[n] = nil
	}
}

// until waits for something to be so.
func (k *apacheKafka) until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); {
		if time.Now().After(deadline) {
			one, _ := os.ReadFile(filepath.Join(k.dir, "node1.log"))
			two, _ := os.ReadFile(filepath.Join(k.dir, "node2.log"))
			t.Fatalf("not so after a minute: %s\nnode 1: %.3000s\nnode 2: %.3000s", what, one, two)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

// client is a client of the plain text port.
func (k *apacheKafka) client(t testing.TB, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(strings.Split(k.bootstrap, ",")...), kgo.RecordPartitioner(kgo.ManualPartitioner())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

// create makes a topic.
func (k *apacheKafka) create(t testing.TB, topic string, partitions int32, configs map[string]string) {
	t.Helper()
	values := map[string]*string{}
	for name, v := range configs {
		values[name] = &v
	}
	cl := k.client(t)
	if _, err := kadm.NewClient(cl).CreateTopic(t.Context(), partitions, 1, values, topic); err != nil {
		t.Fatal(topic, err)
	}
	k.until(t, topic+" has leaders", func() bool {
		d, err := kadm.NewClient(cl).ListEndOffsets(t.Context(), topic)
		return err == nil && d.Error() == nil
	})
}

// allow lets the user of the secure port do something with a topic.
func (k *apacheKafka) allow(t testing.TB, topic string, what ...kadm.ACLOperation) {
	t.Helper()
	acl := kadm.NewACLs().Topics(topic).ResourcePatternType(kadm.ACLPatternLiteral).Allow("User:" + kafkaUser).AllowHosts().Operations(what...)
	results, err := kadm.NewClient(k.client(t)).CreateACLs(t.Context(), acl)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
}

// produce sends records and waits for all.
func (k *apacheKafka) produce(t testing.TB, cl *kgo.Client, records ...*kgo.Record) {
	t.Helper()
	if err := cl.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// writeCertificates makes the authority and the keystore of the brokers.
func (k *apacheKafka) writeCertificates(t testing.TB) {
	t.Helper()
	make := func(name string, parent *x509.Certificate, by *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, []byte) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		c := &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0),
			NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), BasicConstraintsValid: true, IsCA: parent == nil, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		}
		if parent == nil {
			parent, by = c, key
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
		if err != nil {
			t.Fatal(err)
		}
		return c, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	}
	ca, caKey, caPEM := make("test authority", nil, nil)
	_, key, certPEM := make("broker", ca, caKey)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	k.ca = filepath.Join(k.dir, "ca.pem")
	k.write(t, k.ca, string(caPEM))
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	k.write(t, filepath.Join(k.dir, "keystore.pem"), string(bytes.Join([][]byte{keyPEM, certPEM, caPEM}, nil)))
}

// freePorts are ports of loopback that nobody listens to.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
