package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"twindrift/sim/scenario"
)

// With one site observed, beside others and whatever the epochs, the engine
// gives what the plain model gives. Here nothing is delivered again, and
// the traffic is not changed; TestEngineAgainstPlainModel has all that.
func TestObservedAgainstPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, batches := randomCapture(t)
		sc := randomScenario(t)
		sc.Traffic = scenario.Default().Traffic // the plain model takes the capture as it is
		observe(&sc.Sites[0])
		for i := range sc.Sites {
			sc.Sites[i].Rebalances, sc.Sites[i].Redelivery = nil, scenario.Redelivery{}
			for k := range sc.Sites[i].Consumers {
				sc.Sites[i].Consumers[k].Restarts = nil
			}
		}
		sink := &deliverySink{}
		got, err := Run(context.Background(), Config{
			Source:   memory(parts, batches, rapid.IntRange(1, 8).Draw(t, "block rows")),
			Scenario: sc, Deliveries: sink.open,
			epochBlocks: rapid.IntRange(1, 8).Draw(t, "epoch blocks"),
		})
		if err != nil {
			t.Fatal(err)
		}
		checkAgainstPlain(t, &sc, parts, batches, got)
		checkDeliveries(t, &sc, parts, batches, sink.got)
	})
}
