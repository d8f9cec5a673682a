package sim

import (
	"fmt"
	"maps"
	"slices"

	"twindrift/sim/delay"
	"twindrift/sim/site"
)

// bindDelays has the days of a site's delays start at local midnight, where
// local time is that of the ids, and sees that every delay can be sampled.
func bindDelays(cfg *site.Config, offsetMs int64) error {
	bind := func(d *delay.Dist) error {
		if r, unread := d.Unread(); unread {
			return fmt.Errorf("site %s: the delays of %s, column %s, have not been read", cfg.Name, r.Path, r.Column)
		}
		*d = d.InZone(offsetMs)
		return nil
	}
	if err := bind(&cfg.Link); err != nil {
		return err
	}
	for _, topic := range slices.Sorted(maps.Keys(cfg.LinkTopics)) {
		d := cfg.LinkTopics[topic]
		if err := bind(&d); err != nil {
			return err
		}
		cfg.LinkTopics[topic] = d
	}
	for i := range cfg.Consumers {
		for _, d := range []*delay.Dist{&cfg.Consumers[i].Service, &cfg.Consumers[i].Handling} {
			if err := bind(d); err != nil {
				return err
			}
		}
	}
	return nil
}
