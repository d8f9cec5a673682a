package scenario

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"twindrift/sim/duration"
	"twindrift/sim/spelling"
	"twindrift/sim/threshold"
)

// Validate says what is wrong with a scenario, whatever it was made from: nil
// or an Errors. Whether its partitions and topics fit a capture is for Assign
// and Notes to say.
func (s *Scenario) Validate() error {
	if problems := s.problems(); len(problems) > 0 {
		return problems
	}
	return nil
}

// resolve fills in the defaults that depend on the rest.
func (s *Scenario) resolve() {
	s.Generator.resolve()
	for i := range s.Against {
		s.Against[i].resolve()
	}
	for i := range s.Sites {
		site := &s.Sites[i]
		if site.Assignor != "" {
			continue
		}
		site.Assignor = AssignRange
		for _, c := range site.Consumers {
			if len(c.Partitions) > 0 {
				site.Assignor = AssignExplicit
			}
		}
	}
}

// maxSites bounds the pairs of sites, each of which is reported.
const maxSites = 100

// problems is everything wrong with a scenario, by path.
func (s *Scenario) problems() Errors {
	var p problems
	p.checkTags(reflect.ValueOf(s).Elem(), "")
	if len(p) == 0 {
		p.checkTraffic(s)
	}
	for i, text := range s.Thresholds {
		if _, err := threshold.Parse(text); err != nil {
			p.add(fmt.Sprintf("thresholds[%d]", i), "%v", err)
		}
	}
	p.checkGenerator(&s.Generator)
	p.checkUnused(&s.Generator)
	for i := range s.Against {
		var of problems
		of.checkGenerator(&s.Against[i])
		of.checkUnused(&s.Against[i])
		for _, e := range of {
			p.add(fmt.Sprintf("against[%d]%s", i, strings.TrimPrefix(e.Path, "generator")), "%s", e.Message)
		}
	}
	p.checkWholeMs("deadline", s.Deadline)
	if s.Deadline < 0 {
		p.add("deadline", "%s is negative: messages would be late before they are made", s.Deadline)
	}
	for i, rule := range s.Filter.Drop {
		p.checkRule(fmt.Sprintf("filter.drop[%d]", i), rule)
	}
	p.checkDistinct("store.except", s.Store.Except)
	if len(s.Sites) == 0 {
		p.add("sites", "there is no site: name at least one, or leave sites out for east and west")
	}
	if len(s.Sites) > maxSites {
		p.add("sites", "%d sites: at most %d", len(s.Sites), maxSites)
		return Errors(p)
	}
	p.checkNames(s.Sites)
	for i := range s.Sites {
		p.checkSite(fmt.Sprintf("sites[%d]", i), &s.Sites[i])
		p.checkTrouble(fmt.Sprintf("sites[%d]", i), &s.Sites[i])
	}
	if len(p) == 0 {
		p.checkNodes(s)
	}
	return Errors(p)
}

// problems collects errors by path.
type problems Errors

func (p *problems) add(path, format string, args ...any) {
	*p = append(*p, &Error{Path: path, Message: fmt.Sprintf(format, args...)})
}

// checkTags checks what the tags of the fields say: enum, min, above, max, length.
func (p *problems) checkTags(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.IsExported() && fieldName(f) != "" {
				p.checkField(f.Tag, v.FieldByIndex(f.Index), join(path, fieldName(f)))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			p.checkTags(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	}
}

func (p *problems) checkField(tag reflect.StructTag, v reflect.Value, path string) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if text, ok := tag.Lookup("enum"); ok {
		known := strings.Split(text, ",")
		if written := v.String(); !slices.Contains(known, written) {
			p.add(path, "%q is not one of its values%s", written, spelling.DidYouMean(written, known))
		}
	}
	if text, ok := tag.Lookup("length"); ok && v.Len() > 0 && strconv.Itoa(v.Len()) != text {
		p.add(path, "needs %s values, not %d", text, v.Len())
	}
	low, high := bound(tag, "min", math.Inf(-1)), bound(tag, "max", math.Inf(1))
	above := bound(tag, "above", math.Inf(-1))
	check := func(v reflect.Value, path string) {
		var x float64
		switch {
		case v.CanInt():
			x = float64(v.Int())
		case v.CanFloat():
			x = v.Float()
		default:
			return
		}
		if !(low <= x && above < x && x <= high) {
			p.add(path, "%v is out of range: %s", v.Interface(), rangeText(tag))
		}
	}
	check(v, path)
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			check(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	}
	p.checkTags(v, path)
}

func bound(tag reflect.StructTag, name string, none float64) float64 {
	if text, ok := tag.Lookup(name); ok {
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return x
		}
	}
	return none
}

func rangeText(tag reflect.StructTag) string {
	low, high := tag.Get("min"), tag.Get("max")
	if above := tag.Get("above"); above != "" {
		return "above " + above + ", at most " + high
	}
	if high == "" {
		return low + " or more"
	}
	return "from " + low + " to " + high
}

// checkWholeMs refuses parts of a millisecond where the model counts in
// milliseconds.
func (p *problems) checkWholeMs(path string, d duration.Duration) {
	if d%duration.Duration(time.Millisecond) != 0 {
		p.add(path, "%s is not a whole number of milliseconds", d)
	}
}

func (p *problems) checkRule(path string, r Rule) {
	if r.Topic == "" && r.Partition == nil && len(r.KeyHashMod) == 0 && r.ValueLargerThan == nil {
		p.add(path, "the rule names nothing: give it topic, partition, key_hash_mod or value_larger_than")
	}
	if len(r.KeyHashMod) == 2 && r.KeyHashMod[1] >= r.KeyHashMod[0] {
		p.add(path+".key_hash_mod", "no remainder of division by %d is %d: write [N, R] with R from 0 to N-1", r.KeyHashMod[0], r.KeyHashMod[1])
	}
}

func (p *problems) checkDistinct(path string, names []string) {
	for i, name := range names {
		if name == "" {
			p.add(fmt.Sprintf("%s[%d]", path, i), "a topic's name is missing")
		} else if slices.Index(names, name) < i {
			p.add(fmt.Sprintf("%s[%d]", path, i), "%s is given twice", name)
		}
	}
}

// checkNames checks that reports can tell sites, and pairs of sites, apart.
func (p *problems) checkNames(sites []Site) {
	first, pairs := map[string]int{}, map[string]string{}
	for i := range sites {
		name, path := sites[i].Name, fmt.Sprintf("sites[%d].name", i)
		switch before, twice := first[name]; {
		case name == "":
			p.add(fmt.Sprintf("sites[%d]", i), "the site has no name")
		case strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || len(name) > 60:
			p.add(path, "%q is not a site's name: at most 60 letters, digits, _ and -", name)
		case twice:
			p.add(path, "two sites are named %s, sites[%d] and sites[%d]", name, before, i)
		default:
			first[name] = i
			for k := range i {
				pair, members := sites[k].Name+"-"+name, sites[k].Name+" and "+name
				if other, taken := pairs[pair]; taken {
					p.add(path, "reports would call %s the same as %s, %s: rename one", members, other, pair)
				}
				pairs[pair] = members
			}
		}
	}
}

func (p *problems) checkSite(path string, s *Site) {
	if len(s.Consumers) == 0 {
		p.add(path, "site %s has no consumers: write consumers: [{node: 1}]", s.Name)
	}
	if s.Observed {
		p.checkObserved(path, s)
	}
	type claim struct {
		span
		consumer int
	}
	var claims []claim
	for i := range s.Consumers {
		c := &s.Consumers[i]
		at := fmt.Sprintf("%s.consumers[%d]", path, i)
		if s.Assignor != AssignExplicit && len(c.Partitions) > 0 {
			p.add(at+".partitions", "the site deals its partitions by %s: leave partitions out, or say assign: explicit", s.Assignor)
			continue
		}
		if s.Assignor == AssignExplicit && len(c.Partitions) == 0 {
			p.add(at, "assign is explicit and the consumer has no partitions: list them, as in partitions: [orders/0-5]")
		}
		for k, text := range c.Partitions {
			item := fmt.Sprintf("%s.partitions[%d]", at, k)
			span, err := parseSpan(text)
			if err != nil {
				p.add(item, "%v", err)
				continue
			}
			for _, other := range claims {
				if other.consumer != i && other.overlaps(span) {
					p.add(item, "%s overlaps with what consumers[%d] of the site takes: a partition has one consumer", text, other.consumer)
					break
				}
			}
			claims = append(claims, claim{span, i})
		}
	}
}
