package sim

import (
	"math"
	"math/big"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"twindrift/replay"
	"twindrift/sim/result"
	"twindrift/sim/scenario"
)

// delivery is one row of result.Deliveries.
type delivery struct {
	Partition                                    int32
	Offset, EventMs, AppendMs, ArrivalNs, DrawNs int64
	State                                        string
	ID, BaselineID                               int64
	Node                                         int
}

// process is a consumer of a site.
type process struct {
	Site     string
	Consumer int
}

// deliverySink keeps what is delivered, by process.
type deliverySink struct {
	got  map[process][]delivery
	fail error // of the next delivery
}

func (s *deliverySink) open([]result.InputPartition) (result.DeliverySink, error) {
	s.got = map[process][]delivery{}
	return s, nil
}

func (s *deliverySink) Deliver(d *result.Deliveries) error {
	at := process{d.Site, d.Consumer}
	for i := range d.Offset {
		s.got[at] = append(s.got[at], delivery{
			d.Partition[i], d.Offset[i], d.EventMs[i], d.AppendMs[i], d.ArrivalNs[i], d.DrawNs[i],
			result.DeliveryStateNames[d.State[i]], d.ID[i], d.BaselineID[i], d.Node,
		})
	}
	return s.fail
}

// checkDeliveries compares the deliveries of a run with the plain model's.
func checkDeliveries(t failer, sc *scenario.Scenario, parts []replay.Partition, batches []*replay.Batch, got map[process][]delivery) {
	t.Helper()
	messages := plainAppend(parts, batches, sc.Append.NoTimestamp)
	want := map[process][]delivery{}
	worlds, _ := plainRun(t, sc, 0, parts, messages)
	for i, w := range worlds {
		for _, d := range w.all {
			row := delivery{
				Partition: int32(d.part), Offset: d.offset, EventMs: d.eventMs, AppendMs: d.append,
				ArrivalNs: unixNs(d.base, d.arrival), DrawNs: unixNs(d.base, d.draw),
				State: "pushed", ID: d.ids[chosen].id, BaselineID: d.ids[baseline].id, Node: d.node,
			}
			switch {
			case d.filtered:
				row.State = "filtered"
			case !d.drawn(chosen):
				row.State = "refused"
			case d.storeOff:
				row.State = "store-off"
			case d.known[chosen]:
				row.State = "deduplicated"
			case d.nowMs-d.eventMs > sc.Deadline.Ms():
				row.State = "late"
			}
			at := process{sc.Sites[i].Name, d.consumer}
			want[at] = append(want[at], row)
		}
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("deliveries differ from the plain model (-plain +engine):\n%s", d)
	}
}

// unixNs is a moment ns after base, since 1970, as far as int64 goes.
func unixNs(baseMs, ns int64) int64 {
	sum := new(big.Int).Mul(big.NewInt(baseMs), big.NewInt(1e6))
	if sum.Add(sum, big.NewInt(ns)); sum.IsInt64() {
		return sum.Int64()
	}
	return math.MaxInt64
}

// A sink is told of the partitions first, and nothing is asked of a nil one.
func TestNoSink(t *testing.T) {
	asked := 0
	_, err := Run(t.Context(), Config{Source: traffic(10, 2, 10, 0), Scenario: scenario.Default(),
		Deliveries: func(parts []result.InputPartition) (result.DeliverySink, error) {
			if asked++; len(parts) != 2 || parts[1].Partition != 1 || parts[1].Messages != 5 {
				t.Errorf("partitions %+v", parts)
			}
			return nil, nil
		}})
	if err != nil || asked != 1 {
		t.Errorf("asked %d times, error %v", asked, err)
	}
}
