package sim

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
	"twindrift/sim/threshold"
)

func mustRun(t *testing.T, source replay.Source, s scenario.Scenario) *result.Result {
	t.Helper()
	r, err := Run(t.Context(), Config{Source: source, Scenario: s})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A shift by whole days moves times and nothing else: how ids stand to each
// other and to their messages does not depend on the day.
func TestShiftByADayChangesNoFigure(t *testing.T) {
	s := twoSites(2)
	want := mustRun(t, traffic(20_000, 4, 6000, 50), s)
	s.Traffic.Shift = 86_400e9
	got := mustRun(t, traffic(20_000, 4, 6000, 50), s)
	if got.Input.MinMs != want.Input.MinMs+86_400_000 {
		t.Errorf("the first message is at %d, and %d without the shift", got.Input.MinMs, want.Input.MinMs)
	}
	for name, site := range want.Sites {
		other := got.Sites[name]
		for figure, d := range map[string]string{
			"offsets":    cmp.Diff(site.Overflow.Offset, other.Overflow.Offset),
			"order":      cmp.Diff(site.Order.Grained, other.Order.Grained),
			"lateness":   cmp.Diff(site.Push.Lateness, other.Push.Lateness),
			"duplicates": cmp.Diff(site.Duplicates.ByCause, other.Duplicates.ByCause),
		} {
			if d != "" {
				t.Errorf("%s, %s (-without +with a shift):\n%s", name, figure, d)
			}
		}
	}
}

// More traffic borrows more, and all of it is replayed.
func TestScaleRaisesOffsets(t *testing.T) {
	s := twoSites(1)
	last := int64(-1)
	for _, scale := range []float64{0.5, 1, 2, 3} {
		s.Traffic.Scale = scale
		r := mustRun(t, traffic(12_000, 4, 4000, 0), s)
		if n := r.Input.Messages; scale >= 1 && n != int64(12_000*scale) {
			t.Errorf("scale %v replays %d messages", scale, n)
		}
		offset := r.Sites["east"].Overflow.WithOffset
		if offset < last || scale >= 2 && offset <= last {
			t.Errorf("scale %v: %d ids have offsets, and %d with less traffic", scale, offset, last)
		}
		last = offset
	}
}

// Who consumes what does not change with the traffic, and names of partitions
// without messages stay right.
func TestTrafficLeavesTheAssignmentAlone(t *testing.T) {
	s := twoSites(2)
	s.Sites[1].Assignor = scenario.AssignExplicit
	s.Sites[1].Consumers[0].Partitions = []string{"push/0", "push/3"}
	s.Sites[1].Consumers[1].Partitions = []string{"push/1-2"}
	s.Sites[0].Rebalances = []scenario.Rebalance{{Partitions: []string{"push/2"}, To: s.Sites[0].Consumers[0].Node}}
	s.Store.Except = []string{"push"}
	s.Traffic.Only = []string{"push/1", "push/3"}
	r := mustRun(t, traffic(4000, 4, 1000, 0), s)
	var got [][]string
	for _, name := range r.SiteNames {
		for _, c := range r.Sites[name].Consumers {
			got = append(got, c.Partitions)
		}
	}
	if d := cmp.Diff([][]string{{"push/1"}, {"push/3"}, {"push/3"}, {"push/1"}}, got); d != "" {
		t.Errorf("partitions by consumer (-want +got):\n%s", d)
	}
	if len(r.Notes) > 0 {
		t.Errorf("notes %q", r.Notes)
	}
}

// unread is a capture that must not be touched.
type unread struct{ t *testing.T }

func (u unread) Plan(context.Context, func(done, total int64)) (*replay.Plan, error) {
	u.t.Error("the capture is read")
	return nil, errors.New("unread")
}

func (u unread) Open(context.Context) (replay.Stream, error) { return nil, errors.New("unread") }

func TestThresholdsAreCheckedBeforeTheReplay(t *testing.T) {
	s := twoSites(1)
	s.Sites[0].Assignor = scenario.AssignExplicit
	s.Sites[0].Consumers[0].Partitions = []string{"push"}
	s.Thresholds = []string{"input.messages > 0", `sites.east.order.tau_b["5s"] > 0.9`}
	_, err := Run(t.Context(), Config{Source: unread{t}, Scenario: s})
	if e, ok := errors.AsType[*threshold.Error](err); !ok || e.Column != 24 {
		t.Errorf("error %v", err)
	}
	s.Thresholds[1] = `sites.east.order.tau_b["1s"] > 0`
	r := mustRun(t, traffic(2000, 2, 1000, 0), s)
	if len(r.Thresholds) != 2 || r.Thresholds[1].Verdict != result.ThresholdPass || r.Thresholds[1].Expression != s.Thresholds[1] {
		t.Errorf("verdicts %+v", r.Thresholds)
	}
}
