package delay

import (
	"fmt"
	"strings"

	"twindrift/sim/duration"
	"twindrift/sim/spelling"
)

// kind is one kind of distribution.
type kind struct {
	name  string
	usage string // its values, as in "P50,P99"

	// Kinds that take a fixed number of delays.
	arity int
	make  func(ns []int64) (Dist, error)

	// Kinds that take anything else: parse reads the items between commas, and
	// takes says how many of the items that follow belong to it, at least 1.
	parse func(items []string) (Dist, error)
	takes func(items []string) int

	// Kinds made of other distributions, in parentheses: nested reads what
	// stands between those, by parse.
	nested func(inside string, parse func(string) (Dist, error)) (Dist, error)
}

// kinds is every kind there is.
var kinds = []kind{
	fixedKind,
	uniformKind,
	normalKind,
	lognormalKind,
	exponentialKind,
	gammaKind,
	weibullKind,
	paretoKind,
	empiricalKind,
	mixtureKind,
	dailyKind,
}

// Usage lists the forms that Parse reads, for help texts.
func Usage() []string {
	forms := []string{"DELAY"}
	for _, k := range kinds {
		forms = append(forms, k.name+":"+k.usage)
	}
	return forms
}

// Parse reads a distribution:
//
//	20ms                        always 20 ms; the same as fixed:20ms
//	uniform:1ms,5ms             from 1 ms to 5 ms, both included
//	normal:50ms,10ms            mean and standard deviation; what would be negative is 0
//	lognormal:35ms,400ms        given by p50 and p99
//	exponential:20ms            given by its mean
//	empirical:p50=10ms,p90=20ms,p99=100ms,max=1s
//	                            quantiles in percent, straight lines between them,
//	                            from min= (0s if not given) to max=
//	empirical:10ms/12ms/40ms    observed values, each as likely as the others
//	empirical:@delays.parquet#lag_ms
//	                            the values of a column, see Load
//	gamma:35ms,400ms            given by p50 and p99
//	weibull:35ms,400ms          given by p50 and p99
//	pareto:35ms,400ms,1m        given by p50 and p99; longer than the last value is cut to it
//	mixture:(0.9*20ms | 0.1*lognormal:1s,10s)
//	                            each part as often as its weight says, of their sum
//	daily:(00:00=20ms; 09:30=lognormal:35ms,400ms; 16:00=20ms)
//	                            by the local time of day (see InZone): each part from
//	                            its time until the next
//
// The parts of mixtures and days are any of these, mixtures in days and days in
// mixtures included.
func Parse(text string) (Dist, error) { return parse(text, maxNesting) }

// maxNesting is how deep parentheses may stand in each other.
const maxNesting = 4

func parse(text string, nesting int) (Dist, error) {
	name, args, hasArgs := strings.Cut(strings.TrimSpace(text), ":")
	if !hasArgs {
		for _, k := range kinds {
			if k.name == name {
				return Dist{}, fmt.Errorf("%s needs its values: %s:%s", name, k.name, k.usage)
			}
		}
		ns, err := parseDelay(name)
		if err != nil {
			return Dist{}, err
		}
		return fixedKind.make([]int64{ns})
	}
	k, err := find(name)
	if err != nil {
		return Dist{}, err
	}
	d, err := k.read(args, nesting)
	if err != nil {
		return Dist{}, fmt.Errorf("%s: %w", strings.TrimSpace(text), err)
	}
	return d, nil
}

func find(name string) (kind, error) {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		if k.name == name {
			return k, nil
		}
		names[i] = k.name
	}
	return kind{}, fmt.Errorf("no distribution is named %q%s", name, spelling.DidYouMean(name, names))
}

func (k kind) read(args string, nesting int) (Dist, error) {
	if k.nested != nil {
		inside, err := inParentheses(args)
		if err != nil {
			return Dist{}, fmt.Errorf("%w: write %s:%s", err, k.name, k.usage)
		}
		if nesting == 0 {
			return Dist{}, fmt.Errorf("parentheses stand more than %d deep", maxNesting)
		}
		return k.nested(inside, func(text string) (Dist, error) { return parse(text, nesting-1) })
	}
	items := splitOutside(args, ',')
	if k.parse != nil {
		return k.parse(items)
	}
	if len(items) != k.arity {
		return Dist{}, fmt.Errorf("%s takes %s (%s), not %d", k.name, plural(k.arity), k.usage, len(items))
	}
	ns := make([]int64, k.arity)
	for i, item := range items {
		v, err := parseDelay(item)
		if err != nil {
			return Dist{}, err
		}
		ns[i] = v
	}
	d, err := k.make(ns)
	if err != nil {
		return Dist{}, err
	}
	return d, nil
}

func plural(values int) string {
	if values == 1 {
		return "1 value"
	}
	return fmt.Sprintf("%d values", values)
}

// parseDelay reads one delay in nanoseconds.
func parseDelay(text string) (int64, error) {
	text = strings.TrimSpace(text)
	d, err := duration.Parse(text)
	switch {
	case err != nil:
		return 0, err
	case d < 0:
		return 0, fmt.Errorf("%q is negative: a delay is 0s or more", text)
	case int64(d) > maxNs:
		return 0, fmt.Errorf("%q is above the longest delay, %s", text, spell(maxNs))
	}
	return int64(d), nil
}

// ParseList reads distributions with commas between them, as in
// "0s,lognormal:35ms,400ms,20ms": after the name of a kind come as many values
// as it takes.
func ParseList(text string) ([]Dist, error) {
	var list []Dist
	for items := splitOutside(text, ','); len(items) > 0; {
		n, err := length(items)
		if err != nil {
			return nil, err
		}
		d, err := Parse(strings.Join(items[:n], ","))
		if err != nil {
			return nil, err
		}
		list = append(list, d)
		items = items[n:]
	}
	return list, nil
}

// length is how many of the items the first distribution has.
func length(items []string) (int, error) {
	name, first, hasArgs := strings.Cut(strings.TrimSpace(items[0]), ":")
	if !hasArgs {
		return 1, nil
	}
	k, err := find(name)
	switch {
	case err != nil:
		return 0, err
	case k.nested != nil:
		return 1, nil
	case k.takes != nil:
		return k.takes(append([]string{first}, items[1:]...)), nil
	}
	return min(k.arity, len(items)), nil
}
