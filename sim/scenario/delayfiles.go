package scenario

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"twindrift/sim/delay"
)

// ReadDelays reads the files that the scenario's delays name (empirical:@FILE#COLUMN)
// and that have not been read yet, by read. Paths that are not absolute are
// taken from the folder dir: that of the scenario's file. What cannot be read is
// an Errors.
func (s *Scenario) ReadDelays(dir string, read func(delay.Reference) (*delay.Observed, error)) error {
	in := func(r delay.Reference) (*delay.Observed, error) {
		if !filepath.IsAbs(r.Path) {
			r.Path = filepath.Join(dir, r.Path)
		}
		return read(r)
	}
	var p problems
	s.eachDelay(func(path string, d delay.Dist) delay.Dist {
		loaded, err := d.Load(in)
		if err != nil {
			p.add(path, "%v", err)
			return d
		}
		return loaded
	})
	if len(p) > 0 {
		return Errors(p)
	}
	return nil
}

// eachDelay changes every delay of the scenario, each with its path.
func (s *Scenario) eachDelay(change func(path string, d delay.Dist) delay.Dist) {
	for i := range s.Sites {
		s.Sites[i].eachDelay(func(path string, d delay.Dist) delay.Dist {
			return change(fmt.Sprintf("sites[%d]%s", i, path), d)
		})
	}
}

// eachDelay changes every delay of the site, each with its path from there.
func (s *Site) eachDelay(change func(path string, d delay.Dist) delay.Dist) {
	s.Link.Delay = change(".link.delay", s.Link.Delay)
	s.Link.Topics = maps.Clone(s.Link.Topics)
	for _, topic := range slices.Sorted(maps.Keys(s.Link.Topics)) {
		s.Link.Topics[topic] = change(".link.topics."+topic, s.Link.Topics[topic])
	}
	s.Consumers = slices.Clone(s.Consumers)
	for i := range s.Consumers {
		c, path := &s.Consumers[i], fmt.Sprintf(".consumers[%d]", i)
		c.Service = change(path+".service", c.Service)
		c.Handling = change(path+".handling", c.Handling)
	}
}

// checkObserved refuses a model of delays where the capture's are taken.
func (p *problems) checkObserved(path string, s *Site) {
	site := *s
	site.eachDelay(func(at string, d delay.Dist) delay.Dist {
		if !d.IsZero() {
			p.add(path+at, "%s: the site is observed, so its messages are drawn at their processed_at: leave this out, or observed", d)
		}
		return d
	})
}
