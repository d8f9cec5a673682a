package snowflake

import (
	"fmt"

	"twindrift/generator"
)

// drawer is any of the generators here.
type drawer interface {
	draw(nowMs, atNs int64) (id int64, kind generator.Kind)
}

// drawOne is Draw, which takes the clock for the virtual time.
func drawOne(d drawer, nowMs int64) (int64, generator.Outcome, error) {
	id, kind := d.draw(nowMs, nowMs*nsPerMs)
	if kind.Refused() {
		return 0, generator.Outcome{}, refusal(kind, nowMs)
	}
	return id, generator.Outcome{Kind: kind}, nil
}

// drawBatch is DrawBatch. What is refused has id 0.
func drawBatch(d drawer, c generator.Calls, ids []int64, kinds []generator.Kind, hops []int32) {
	for i := range c.NowMs {
		ids[i], kinds[i] = d.draw(c.NowMs[i], c.AtNs[i])
		hops[i] = 0
	}
}

// ownWorker checks that a worker fits the digits that say it.
func ownWorker(variant string, worker int64) error {
	if worker < 0 || worker > maxWorker {
		return fmt.Errorf("snowflake %s: worker %d: want 0 to %d, the digits of an id that say it", variant, worker, maxWorker)
	}
	return nil
}
