package kafka

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Set sets a property by the name that it has in Kafka's own configuration files or in
// librdkafka's. What only matters to groups and producers is passed over; a name that
// nobody knows is an error.
func (c *Connection) Set(name, value string) error {
	if set, ok := properties[name]; ok {
		if err := set(c, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	if slices.Contains(ignored, name) {
		return nil
	}
	return fmt.Errorf("property %q is not known; those of a connection are %s", name, strings.Join(PropertyNames(), ", "))
}

// PropertyNames are the properties that Set heeds, by name.
func PropertyNames() []string {
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var properties = map[string]func(c *Connection, value string) error{
	"bootstrap.servers":    setBrokers,
	"metadata.broker.list": setBrokers,
	"client.id":            func(c *Connection, v string) error { c.ClientID = v; return nil },
	"security.protocol":    setProtocol,

	"sasl.mechanism":         setMechanism,
	"sasl.mechanisms":        setMechanism,
	"sasl.username":          func(c *Connection, v string) error { c.User = v; return nil },
	"sasl.password":          func(c *Connection, v string) error { c.Password = v; return nil },
	"sasl.jaas.config":       setJAAS,
	"sasl.oauthbearer.token": func(c *Connection, v string) error { c.Token = v; return nil },

	"ssl.ca.location":                func(c *Connection, v string) error { c.CA = PEM{File: v}; return nil },
	"ssl.ca.pem":                     func(c *Connection, v string) error { c.CA = PEM{Text: v}; return nil },
	"ssl.truststore.location":        func(c *Connection, v string) error { return setStore(&c.CA, v) },
	"ssl.truststore.certificates":    func(c *Connection, v string) error { c.CA = PEM{Text: v}; return nil },
	"ssl.truststore.type":            checkStoreType,
	"ssl.certificate.location":       func(c *Connection, v string) error { c.Cert = PEM{File: v}; return nil },
	"ssl.certificate.pem":            func(c *Connection, v string) error { c.Cert = PEM{Text: v}; return nil },
	"ssl.key.location":               func(c *Connection, v string) error { c.Key = PEM{File: v}; return nil },
	"ssl.key.pem":                    func(c *Connection, v string) error { c.Key = PEM{Text: v}; return nil },
	"ssl.keystore.certificate.chain": func(c *Connection, v string) error { c.Cert = PEM{Text: v}; return nil },
	"ssl.keystore.key":               func(c *Connection, v string) error { c.Key = PEM{Text: v}; return nil },
	"ssl.keystore.location":          setKeyStore,
	"ssl.keystore.type":              checkStoreType,
	"ssl.endpoint.identification.algorithm": func(c *Connection, v string) error {
		c.AnyName = v == "" || v == "none"
		return nil
	},
	"enable.ssl.certificate.verification": func(c *Connection, v string) error {
		verify, err := strconv.ParseBool(v)
		c.AnyCert = !verify
		return err
	},
}

// ignored are properties that such files have, and that do not matter here.
var ignored = []string{
	"group.id", "group.instance.id", "auto.offset.reset", "enable.auto.commit", "auto.commit.interval.ms", "enable.auto.offset.store",
	"session.timeout.ms", "heartbeat.interval.ms", "max.poll.interval.ms", "max.poll.records", "partition.assignment.strategy", "isolation.level",
	"key.deserializer", "value.deserializer", "key.serializer", "value.serializer", "acks", "linger.ms", "batch.size", "compression.type",
	"enable.idempotence", "transactional.id", "retries", "request.timeout.ms", "default.api.timeout.ms", "client.dns.lookup",
	"fetch.min.bytes", "fetch.max.bytes", "fetch.max.wait.ms", "max.partition.fetch.bytes", "sasl.login.callback.handler.class",
}

func setBrokers(c *Connection, value string) error {
	c.Brokers = nil
	for b := range strings.SplitSeq(value, ",") {
		if b = strings.TrimSpace(b); b != "" {
			c.Brokers = append(c.Brokers, b)
		}
	}
	return nil
}

func setProtocol(c *Connection, value string) error {
	protocol := strings.ToUpper(value)
	if !slices.Contains([]string{"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"}, protocol) {
		return fmt.Errorf("%q is not known; there are PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL", value)
	}
	c.Protocol, c.TLS = protocol, strings.HasSuffix(protocol, "SSL")
	return nil
}

func setMechanism(c *Connection, value string) error {
	c.Mechanism = strings.ToUpper(value)
	if c.Mechanism == "GSSAPI" {
		return errors.New("GSSAPI (Kerberos) is not supported; there are " + strings.Join(mechanisms, ", "))
	}
	return nil
}

var (
	jaasModule = regexp.MustCompile(`^\s*(\S+)\s+(required|requisite|sufficient|optional)\b`)
	jaasOption = regexp.MustCompile(`(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))`)
)

// setJAAS takes the user from the line that Kafka's Java clients have for PLAIN and
// SCRAM: MODULE required username="u" password="p";
func setJAAS(c *Connection, value string) error {
	m := jaasModule.FindStringSubmatch(value)
	if m == nil || !strings.HasSuffix(m[1], "PlainLoginModule") && !strings.HasSuffix(m[1], "ScramLoginModule") {
		return errors.New(`want PlainLoginModule or ScramLoginModule, required, with username="..." password="...";`)
	}
	for _, o := range jaasOption.FindAllStringSubmatch(value, -1) {
		text := o[3]
		if o[3] == "" {
			text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(o[2])
		}
		switch o[1] {
		case "username":
			c.User = text
		case "password":
			c.Password = text
		}
	}
	if c.User == "" || c.Password == "" {
		return errors.New(`there is no username="..." or no password="..." in it`)
	}
	return nil
}

// setStore takes a truststore that is a PEM file, and refuses Java's own.
func setStore(to *PEM, path string) error {
	if lower := strings.ToLower(path); strings.HasSuffix(lower, ".jks") || strings.HasSuffix(lower, ".p12") || strings.HasSuffix(lower, ".pfx") {
		return fmt.Errorf("%s is a Java keystore, which is not read here: export PEM from it (keytool -exportcert -rfc -keystore %s -alias ALIAS) and name that with ssl.ca.location", path, path)
	}
	*to = PEM{File: path}
	return nil
}

// setKeyStore takes a keystore that is one PEM file of key and certificates.
func setKeyStore(c *Connection, path string) error {
	if err := setStore(&c.Cert, path); err != nil {
		return fmt.Errorf("%w; a client's certificate and key go to ssl.certificate.location and ssl.key.location", err)
	}
	c.Key = c.Cert
	return nil
}

func checkStoreType(_ *Connection, value string) error {
	if strings.ToUpper(value) != "PEM" {
		return fmt.Errorf("%s stores are not read here; export PEM from it", value)
	}
	return nil
}

// ReadProperties sets what stands in a Java properties file: lines NAME=VALUE, # and !
// begin comments, a \ at the end of a line goes on with the next.
func (c *Connection) ReadProperties(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		at, line := n, strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		for strings.HasSuffix(line, `\`) && lines.Scan() {
			n++
			line = strings.TrimSuffix(line, `\`) + strings.TrimSpace(lines.Text())
		}
		cut := strings.IndexAny(line, "=:")
		if cut < 0 {
			return fmt.Errorf("%s:%d: want NAME=VALUE", path, at)
		}
		name, value := line[:cut], line[cut+1:]
		value = strings.NewReplacer(`\n`, "\n", `\:`, ":", `\=`, "=").Replace(strings.TrimSpace(value))
		if err := c.Set(strings.TrimSpace(name), value); err != nil {
			return fmt.Errorf("%s:%d: %w", path, at, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
