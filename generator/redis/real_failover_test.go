//go:build redis

package redis

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"
)

// replicated is a server and a replica that follows it.
func replicated(t *testing.T) (first, replica *realServer) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	first = startRedis(t, "--port", port, "--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0")
	replica = startRedis(t, "--replicaof", "127.0.0.1 "+port, "--replica-read-only", "no")
	for deadline := time.After(time.Minute); !strings.Contains(replica.do("INFO", "replication").(string), "master_link_status:up"); {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			t.Fatal("the replica does not follow: ", replica.do("INFO", "replication"))
		}
	}
	return first, replica
}

// testFailover loses the connection to the replica, goes on writing, and then turns to the
// replica. The model, told how many writes came after the loss, answers the same.
func (*realServer) testFailover(t *testing.T) {
	first, replica := replicated(t)
	first.t, replica.t = t, t
	const before, after = 300, 300
	random := rand.New(rand.NewPCG(1, 2))
	type answered struct {
		step   *step
		answer string
	}
	var all []answered
	lost := 0
	carryOut := func(r *realServer, n int) (writes int) {
		for range n {
			c := randomStep(random, len(all), given, inMs)
			answer, w := c.onReal(r)
			all, writes = append(all, answered{c, answer}), writes+w
		}
		return writes
	}
	carryOut(first, before)
	if first.do("WAIT", 1, 30_000) != int64(1) {
		t.Fatal("the replica has not followed")
	}
	replica.do("REPLICAOF", "NO", "ONE")
	lost = carryOut(first, 40)
	carryOut(replica, after)
	if lost == 0 || lost == 40 {
		t.Fatalf("%d of 40 commands have written", lost)
	}
	s := New(Config{Failovers: []Failover{{AtNs: before + 40, Lose: lost}}})
	for i, a := range all {
		if got, err := a.step.onModel(s, int64(i)); err != nil || got != a.answer {
			t.Fatalf("command %d, %+v: model %s, %v; server %s", i, a.step, got, err, a.answer)
		}
	}
}
