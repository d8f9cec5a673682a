//go:build redis

package redis

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"twindrift/generator"
)

// TestRealRedis holds the model, and what the generators take for granted of sorted sets,
// against a real server.
func TestRealRedis(t *testing.T) {
	r := startRedis(t)
	t.Log("redis-server ", r.version())
	for _, test := range []struct {
		name string
		run  func(*realServer, *testing.T)
	}{
		{"counters", (*realServer).testCounters}, {"expiry", (*realServer).testExpiry}, {"allocation script", (*realServer).testAllocation},
		{"locks", (*realServer).testLocks}, {"streams", (*realServer).testStreams}, {"random commands", (*realServer).testRandom},
		{"failover", (*realServer).testFailover},
		{"scores", (*realServer).testScores}, {"step", (*realServer).testSteps}, {"long list", (*realServer).testLongList},
	} {
		t.Run(test.name, func(t *testing.T) {
			r.do("FLUSHALL")
			sub := *r
			sub.t = t
			test.run(&sub, t)
		})
	}
}

func (r *realServer) version() string {
	info := r.do("INFO", "server").(string)
	var version string
	for line := range strings.Lines(info) {
		fmt.Sscanf(line, "redis_version:%s", &version)
	}
	return version
}

func (r *realServer) testCounters(t *testing.T) {
	s := New(Config{})
	key := Key{Counter, 1, 0}
	for i, by := range []int64{1, 1, 1024, 1, 1 << 40} {
		want, err := s.Incr(0, key, by, 0)
		if got := r.do("INCRBY", "counter", by); err != nil || got != want.Value {
			t.Errorf("INCRBY %d, number %d: %v, want %d; %v", by, i, got, want.Value, err)
		}
	}
	_, err := s.Incr(0, key, 1<<63-1, 0)
	if _, got := r.call("INCRBY", "counter", 1<<63-1); got == nil || err == nil || got.Error() != err.Error() {
		t.Errorf("past int64: %v, want %v", got, err)
	}
	if got, err := r.call("INCR", "counter"); err != nil || got != s.find(key).number+1 {
		t.Errorf("afterwards %v, %v", got, err)
	}
}

// A key is there while the clock is not past the ms it was written in and its time; adding
// to it without a time leaves that as it was.
func (r *realServer) testExpiry(t *testing.T) {
	from := r.nowMs()
	r.do("SET", "key", 1, "PX", 60_000)
	until := r.do("PEXPIRETIME", "key").(int64)
	if to := r.nowMs(); until < from+60_000 || until > to+60_000 {
		t.Errorf("SET PX between %d and %d: until %d", from, to, until)
	}
	if got := r.do("INCR", "key"); got != int64(2) || r.do("PEXPIRETIME", "key") != until {
		t.Error("INCR moves the expiry")
	}
	// The last ms, in which nothing of its time is left, is seen within a few tries.
	for tries := 0; ; tries++ {
		r.do("MULTI")
		r.do("SET", "key", 1, "PX", 2)
		r.do("PEXPIRETIME", "key")
		until := r.do("EXEC").([]any)[1].(int64)
		left, seen := r.do("PTTL", "key"), false
		for left.(int64) >= 0 {
			seen = seen || left == int64(0)
			left = r.do("PTTL", "key")
		}
		if now := r.nowMs(); left != int64(-2) || now <= until {
			t.Fatalf("gone at %d, until %d, PTTL %v", now, until, left)
		}
		if seen {
			break
		}
		if tries == 1000 {
			t.Fatal("a key is never seen in its last ms")
		}
	}
	r.do("SET", "key", 7)
	from = r.nowMs()
	r.do("MULTI")
	r.do("INCRBY", "key", 3)
	r.do("PEXPIRE", "key", 60_000)
	r.do("EXEC")
	if until := r.do("PEXPIRETIME", "key").(int64); until < from+60_000 || until > r.nowMs()+60_000 {
		t.Errorf("PEXPIRE after %d: until %d", from, until)
	}
	r.do("DEL", "key")
	if got := r.do("INCR", "key"); got != int64(1) || r.do("PTTL", "key") != int64(-1) {
		t.Error("a new counter expires")
	}
}

// allocation is the published script: it says the numbers before those it has taken.
const allocation = `
local old = tonumber(redis.call('GET', KEYS[1]) or '0')
local range = tonumber(ARGV[1])
redis.call('INCRBY', KEYS[1], range)
return {old - range, old - 1}`

func (r *realServer) testAllocation(t *testing.T) {
	s := New(Config{})
	key := Key{Alloc, 1, 1000}
	for i, want := range [][2]int64{{-1024, -1}, {0, 1023}, {1024, 2047}} {
		got := r.do("EVAL", allocation, 1, "snowflake:alloc:1:1000", 1024).([]any)
		reply, err := s.Incr(0, key, 1024, 0)
		old := reply.Value - 1024
		if got[0] != want[0] || got[1] != want[1] || err != nil || [2]int64{old - 1024, old - 1} != want {
			t.Errorf("range %d: server %v, model %d..%d; want %v", i, got, old-1024, old-1, want)
		}
	}
}

func (r *realServer) testLocks(t *testing.T) {
	s := New(Config{})
	key := Key{Lock, 1, 1}
	for i, step := range []string{"take", "take", "give", "give", "take", "time", "take", "take"} {
		var got, want any
		switch step {
		case "take":
			got = r.do("SET", "lock", 1, "NX", "PX", 60_000) == "OK"
			want, _ = s.TryLock(int64(i/5)*100_000*ms, key, 60_000*ms)
		case "give":
			r.do("DEL", "lock")
			s.Unlock(0, key)
		case "time":
			r.do("PEXPIREAT", "lock", 1)
		}
		if got != want {
			t.Errorf("step %d, %s: %v, want %v", i, step, got, want)
		}
	}
}

// xadd carries an XADD out; the error is what the server says.
func (r *realServer) xadd(stream string, c xadd) (EntryID, error) {
	r.t.Helper()
	text := c.how
	switch c.how {
	case given:
		text = c.id.String()
	case inMs:
		text = fmt.Sprintf("%d-*", c.id.Ms)
	}
	answer, err := r.call("XADD", stream, text, "field", "value")
	if err != nil {
		return EntryID{}, err
	}
	return parseEntryID(r.t, answer.(string)), nil
}

// testStreams has the server do what the tests of the model say, word for word, as far as
// its clock allows.
func (r *realServer) testStreams(t *testing.T) {
	for name, commands := range streams {
		for i, c := range commands {
			if c.how == auto && c.want.Ms == c.id.Ms {
				break // the server's clock would have to stand there
			}
			got, err := r.xadd(name, c)
			if got != c.want || said(err) != said(c.err) {
				t.Errorf("%s, command %d, %s %v: %v, %v; want %v, %v", name, i, c.how, c.id, got, err, c.want, c.err)
			}
		}
	}
	if _, err := r.xadd("full", xadd{how: given, id: EntryID{7, last}}); err != nil {
		t.Error(err)
	}
	if _, err := r.xadd("full", xadd{how: inMs, id: EntryID{Ms: 7}}); err == nil {
		t.Error("a number past the last")
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// testRandom gives server and model the same commands. Time passes by telling the server
// that the keys that expire have done so.
func (r *realServer) testRandom(t *testing.T) {
	answers := map[string]int{}
	for seed := range uint64(20) {
		r.do("FLUSHALL")
		random := rand.New(rand.NewPCG(seed, 0))
		s := New(Config{})
		atNs := int64(0)
		for i := range 500 {
			if random.IntN(40) == 0 {
				atNs += 700_000 * ms
				for _, key := range r.do("KEYS", "*").([]any) {
					if r.do("PTTL", key).(int64) >= 0 {
						r.do("PEXPIREAT", key, 1)
					}
				}
			}
			c := randomStep(random, i, given, inMs, auto)
			want, _ := c.onReal(r)
			if got, err := c.onModel(s, atNs); got != want || err != nil {
				t.Fatalf("seed %d, command %d, %+v: server %s, model %s, %v", seed, i, c, want, got, err)
			}
			answers[want]++
		}
	}
	for _, kind := range []string{ErrNotAbove.Error(), ErrZeroID.Error(), "true", "false", "0-0"} {
		if answers[kind] == 0 {
			t.Errorf("no answer was %s", kind)
		}
	}
}

// secondSlot is an id of second-slot (GENERATORS, section 1), in UTC+8.
func secondSlot(eventMs, node, number int64) int64 {
	return (eventMs/1000+8*3600)*10_000_000 + node*1_000_000 + number + 621_355_968_000_000_000
}

// list stores ids in a sorted set, each as its own score, and reads it back in its order.
func (r *realServer) list(key string, members map[string]int64) (order []string) {
	r.t.Helper()
	args := []any{"ZADD", key}
	flush := func() {
		if len(args) > 2 {
			r.do(args...)
		}
		args = args[:2]
	}
	for member, id := range members {
		if args = append(args, id, member); len(args) > 2000 {
			flush()
		}
	}
	flush()
	for _, member := range r.do("ZRANGE", key, 0, -1).([]any) {
		order = append(order, member.(string))
	}
	return order
}

// byScore is the order that a sorted set should have.
func byScore(members map[string]int64) (order []string) {
	for member := range members {
		order = append(order, member)
	}
	slices.SortFunc(order, func(a, b string) int {
		scoreA, _ := generator.Score(members[a])
		scoreB, _ := generator.Score(members[b])
		return cmp.Or(cmp.Compare(scoreA, scoreB), cmp.Compare(a, b))
	})
	return order
}

// testScores looks at ids next to each other: those of generator.SharedScore, and no
// others, have the same score, and are in order of their members' bytes.
func (r *realServer) testScores(t *testing.T) {
	for i, id := range []int64{secondSlot(1_757_908_800_000, 1, 0), secondSlot(1_757_908_800_000, 1, 200), secondSlot(1_772_510_399_999, 9, 999_800), 1009651914519660511, 1 << 60, 1<<59 + 1, 1<<53 + 1, 12} {
		low, high := generator.SharedScore(id)
		members := map[string]int64{"z": low, "B": id, "b": id, "é": high, "a": high, "": id}
		members["below"], members["above"] = low-1, high+1
		key := fmt.Sprint("scores", i)
		if got, want := r.list(key, members), byScore(members); !slices.Equal(got, want) || got[0] != "below" || got[len(got)-1] != "above" {
			t.Errorf("id %d: order %q, want %q", id, got, want)
		}
		if got := r.do("ZCOUNT", key, id, id); got != int64(6) {
			t.Errorf("id %d: %v members have its score, want 6", id, got)
		}
	}
}

// testSteps counts the scores that 1000 consecutive ids have, with the figures of
// GENERATORS, section 1, which are those of node 3.
func (r *realServer) testSteps(t *testing.T) {
	for _, c := range []struct{ step, scores int64 }{{1, 8}, {64, 500}, {100, 781}, {127, 992}, {128, 500}, {129, 1000}, {199, 1000}, {200, 1000}} {
		members := map[string]int64{}
		for n := range int64(1000) {
			members[strconv.FormatInt(n, 10)] = secondSlot(1_757_901_600_000, 3, n*c.step)
		}
		key := fmt.Sprint("step", c.step)
		r.list(key, members)
		scores := map[any]bool{}
		answer := r.do("ZRANGE", key, 0, -1, "WITHSCORES").([]any)
		for i := 1; i < len(answer); i += 2 {
			scores[answer[i]] = true
		}
		if int64(len(scores)) != c.scores {
			t.Errorf("step %d: %d scores, want %d", c.step, len(scores), c.scores)
		}
	}
}

// testLongList has 100,000 ids of two nodes in 20 seconds, once with a step that keeps
// scores apart and once with one that does not.
func (r *realServer) testLongList(t *testing.T) {
	const n = 100_000
	for _, step := range []int64{200, 64} {
		random := rand.New(rand.NewPCG(uint64(step), 1))
		members := make(map[string]int64, n)
		scores := map[float64]bool{}
		for i := range int64(n) {
			second, node, seq := i/5000, 1+i/2500%2, i%2500
			id := secondSlot(1_757_908_800_000+second*1000, node, seq*step)
			members[fmt.Sprintf("order-%x", random.Uint64())] = id
			score, _ := generator.Score(id)
			scores[score] = true
		}
		if got, want := r.list(fmt.Sprint("list", step), members), byScore(members); !slices.Equal(got, want) {
			t.Errorf("step %d: the server's order is not by score, then member", step)
		}
		if (len(scores) == n) != (step == 200) {
			t.Errorf("step %d: %d scores", step, len(scores))
		}
	}
}
