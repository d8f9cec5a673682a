package csvdraw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"twindrift/generator"
	"twindrift/generator/redisstreams"
)

// recorded is a generator that draws its node and number, refuses odd timestamps,
// and writes down what it is called with.
type recorded struct {
	node  int32
	n     int64
	calls *[]string
}

func (r *recorded) Draw(int64, int64) (int64, generator.Outcome, error) { panic("not by a batch") }
func (r *recorded) Reset()                                              { r.n = 0; *r.calls = append(*r.calls, fmt.Sprintf("reset %d", r.node)) }
func (r *recorded) Floor(int64, int64) int64                            { return 0 }
func (r *recorded) Close() error                                        { return fmt.Errorf("closed %d", r.node) }

func (r *recorded) DrawBatch(c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) error {
	*r.calls = append(*r.calls, fmt.Sprintf("%d: event %d, now %d, at %d, partition %d", r.node, c.EventMs[0], c.NowMs[0], c.AtNs[0], c.Partition[0]))
	if c.EventMs[0] == 13 {
		return errors.New("broken")
	}
	r.n++
	ids[0], kinds[0] = int64(r.node)*100+r.n, generator.Drawn
	if c.EventMs[0]%2 == 1 {
		ids[0], kinds[0] = 0, generator.ClockBack
	}
	return nil
}

// Virtual time never goes back, whatever the timestamps; a refused row has no id.
func TestProcesses(t *testing.T) {
	var calls []string
	p := &Processes{New: func(node int32) (generator.Generator, generator.Layout, error) {
		if node == 9 {
			return nil, nil, errors.New("there is no node 9")
		}
		return &recorded{node: node, calls: &calls}, nil, nil
	}}
	draw := func(in string) (string, error) {
		var out bytes.Buffer
		err := Run(context.Background(), p, strings.NewReader(in), &out, nil)
		return out.String(), err
	}
	got, err := draw("1,20\n2,10\n1,21\nreset,,\n1,30\n")
	if want := HeaderTold + "\n1,20,101,drawn\n2,10,201,drawn\n1,21,,clock-back\nreset,,,\n1,30,101,drawn\n"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	want := []string{"1: event 20, now 20, at 20000000, partition 0", "2: event 10, now 10, at 20000000, partition 0", "1: event 21, now 21, at 21000000, partition 0"}
	for i := range want {
		if calls[i] != want[i] {
			t.Errorf("call %d: %s, want %s", i, calls[i], want[i])
		}
	}
	if all := strings.Join(calls, ";"); strings.Count(all, "reset 1") != 1 || strings.Count(all, "reset 2") != 1 {
		t.Error(all)
	}
	for in, want := range map[string]string{
		"1,20\n9,20\n": "line 2: there is no node 9",
		"1,20\n2,13\n": "line 2: node 2: broken",
	} {
		if got, err := draw(in); err == nil || err.Error() != want || strings.Count(got, "\n") != 2 {
			t.Errorf("%q: error %v, want %s\n%s", in, err, want, got)
		}
	}
	if err := p.Close(); err == nil || !strings.Contains(err.Error(), "closed 1") || !strings.Contains(err.Error(), "closed 2") {
		t.Errorf("closing: %v", err)
	}
}

// Ids of entries are written as Redis does.
func TestProcessesWriteEntryIDs(t *testing.T) {
	p := &Processes{layout: redisstreams.Layout{}}
	if got := string(p.appendDrawn(nil, 1717034400000<<20|1000, generator.Drawn)); got != "1717034400000-1000,drawn" {
		t.Error(got)
	}
}

// Timestamps in a wrong unit stay within virtual time.
func TestVirtualTimeHasEnds(t *testing.T) {
	for ms, want := range map[int64]int64{1: 1e6, -1: -1e6, 1 << 62: 4611686018427 * 1e6, -1 << 63: -4611686018427 * 1e6} {
		if got := nsOf(ms); got != want {
			t.Errorf("%d ms: %d ns, want %d", ms, got, want)
		}
	}
}
