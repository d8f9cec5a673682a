//go:build redis

package redis

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A real Redis server (Debian package redis-server), for the tests behind the build tag
// redis: make test-redis.

// realServer is a connection to a server that ends with the test.
type realServer struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
}

// startRedis starts a server on a socket of its own, which keeps nothing on disk, with
// more options where they are given.
func startRedis(t testing.TB, more ...string) *realServer {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("this needs redis-server (Debian: apt-get install redis-server): ", err)
	}
	dir := t.TempDir()
	socket, logFile := filepath.Join(dir, "s"), filepath.Join(dir, "log")
	options := []string{"--bind", "127.0.0.1", "--port", "0", "--unixsocket", socket, "--dir", dir, "--logfile", logFile,
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--maxmemory", "512mb"}
	c := exec.Command(program, append(options, more...)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		c.Process.Kill()
		<-ended
	})
	for deadline := time.After(30 * time.Second); ; {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			r := &realServer{t, conn, bufio.NewReader(conn)}
			t.Cleanup(func() { conn.Close() })
			r.do("PING")
			return r
		}
		select {
		case <-time.After(10 * time.Millisecond):
			continue
		case err := <-ended:
			ended <- err
			log, _ := os.ReadFile(logFile)
			t.Fatalf("redis-server has ended: %v\n%s", err, log)
		case <-deadline:
			log, _ := os.ReadFile(logFile)
			t.Fatalf("redis-server does not answer on %s: %v\n%s", socket, err, log)
		}
	}
}

// call sends a command and gives its answer: a string, an int64, nil or a []any of these.
// What the server refuses is an error in its words.
func (r *realServer) call(args ...any) (any, error) {
	r.t.Helper()
	r.conn.SetDeadline(time.Now().Add(time.Minute))
	out := bufio.NewWriter(r.conn)
	fmt.Fprintf(out, "*%d\r\n", len(args))
	for _, arg := range args {
		text := fmt.Sprint(arg)
		fmt.Fprintf(out, "$%d\r\n%s\r\n", len(text), text)
	}
	if err := out.Flush(); err != nil {
		r.t.Fatalf("%.80v: %v", args, err)
	}
	answer, err := r.read()
	var refused refusedError
	if err != nil && !errors.As(err, &refused) {
		r.t.Fatalf("%.80v: %v", args, err)
	}
	return answer, err
}

// do is call of what the server does not refuse.
func (r *realServer) do(args ...any) any {
	r.t.Helper()
	answer, err := r.call(args...)
	if err != nil {
		r.t.Fatalf("%.80v: %v", args, err)
	}
	return answer
}

// refusedError is an error that the server has answered.
type refusedError string

func (e refusedError) Error() string { return string(e) }

// read is one answer (RESP 2).
func (r *realServer) read() (any, error) {
	line, err := r.in.ReadString('\n')
	if err != nil || len(line) < 3 {
		return nil, fmt.Errorf("answer %q: %w", line, errors.Join(err, io.ErrUnexpectedEOF))
	}
	kind, text := line[0], line[1:len(line)-2]
	switch kind {
	case '+':
		return text, nil
	case '-':
		return nil, refusedError(text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return nil, err
	case kind == ':':
		return n, nil
	case n < 0:
		return nil, nil
	case kind == '$':
		body := make([]byte, n+2)
		_, err := io.ReadFull(r.in, body)
		return string(body[:n]), err
	case kind == '*':
		all := make([]any, n)
		for i := range all {
			if all[i], err = r.read(); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	return nil, fmt.Errorf("answer %q", line)
}

// nowMs is the server's clock.
func (r *realServer) nowMs() int64 {
	r.t.Helper()
	now := r.do("TIME").([]any)
	s, _ := strconv.ParseInt(now[0].(string), 10, 64)
	us, _ := strconv.ParseInt(now[1].(string), 10, 64)
	return s*1000 + us/1000
}

// top is a stream's last-generated-id, 0-0 where there is no stream.
func (r *realServer) top(stream string) EntryID {
	r.t.Helper()
	answer, err := r.call("XINFO", "STREAM", stream)
	if err != nil {
		if err.Error() != "ERR no such key" {
			r.t.Fatal(err)
		}
		return EntryID{}
	}
	info := answer.([]any)
	for i := 0; i < len(info); i += 2 {
		if info[i] == "last-generated-id" {
			return parseEntryID(r.t, info[i+1].(string))
		}
	}
	r.t.Fatalf("no last-generated-id in %v", info)
	return EntryID{}
}

func parseEntryID(t testing.TB, text string) (id EntryID) {
	t.Helper()
	if _, err := fmt.Sscanf(text, "%d-%d", &id.Ms, &id.Seq); err != nil {
		t.Fatalf("entry id %q: %v", text, err)
	}
	return id
}
