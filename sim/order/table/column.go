package table

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Kind is what the values of a column are.
type Kind string

const (
	// Integers are compared as int64.
	Integers Kind = "integers"
	// Decimals are compared as float64, which holds about 16 digits.
	Decimals Kind = "decimals"
	// Times are RFC 3339 times, compared to the nanosecond.
	Times Kind = "times"
	// Positions stand for a column that was not asked for: the row's place.
	Positions Kind = "positions"
)

// Column is one column of a table.
type Column struct {
	Name string
	Kind Kind
	// Keys have the order and the ties of the values. They are the values of
	// integers and positions, nanoseconds since 1970 of times.
	Keys []int64
	// Values are the values of decimals; nil for the other kinds.
	Values []float64
}

// errNoValue marks text that is no value of any kind.
var errNoValue = errors.New("not an integer, a decimal or an RFC 3339 time")

// add appends a value, given as text. The first value decides between numbers and
// times; integers become decimals when the first decimal comes.
func (c *Column) add(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return errors.New("empty; leave such rows out")
	}
	first := len(c.Keys) == 0
	if first || c.Kind != Times {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			c.addInteger(i)
			return nil
		} else if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%s does not fit in a 64-bit integer", text)
		}
		if f, err := parseDecimal(text); err == nil {
			c.addDecimal(f)
			return nil
		}
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case err != nil && c.Kind == Times && !first:
		return fmt.Errorf("%s is not an RFC 3339 time as the values before it are", shortened(text))
	case err != nil:
		return fmt.Errorf("%s is %w", shortened(text), errNoValue)
	case !first && c.Kind != Times:
		return fmt.Errorf("%s is a time, and the values before it are %s", shortened(text), c.Kind)
	case at.Before(minTime) || at.After(maxTime):
		return fmt.Errorf("%s lies outside the years 1678 to 2261", shortened(text))
	}
	c.Kind = Times
	c.Keys = append(c.Keys, at.UnixNano())
	return nil
}

// The times whose nanoseconds fit in 64 bits.
var minTime, maxTime = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

func (c *Column) addInteger(i int64) {
	if len(c.Keys) == 0 {
		c.Kind = Integers
	}
	if c.Kind == Decimals {
		c.addDecimal(float64(i))
		return
	}
	c.Keys = append(c.Keys, i)
}

func (c *Column) addDecimal(f float64) {
	if c.Kind != Decimals {
		for k, i := range c.Keys {
			c.Values = append(c.Values, float64(i))
			c.Keys[k] = sortKey(float64(i))
		}
		c.Kind = Decimals
	}
	c.Values = append(c.Values, f)
	c.Keys = append(c.Keys, sortKey(f))
}

// parseDecimal reads a finite decimal.
func parseDecimal(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = errNoValue
	}
	return f, err
}

// sortKey turns a float64 into an int64 of the same order, without rounding.
func sortKey(f float64) int64 {
	bits := int64(math.Float64bits(f + 0)) // + 0 makes 0 of -0
	if bits < 0 {
		bits ^= math.MaxInt64
	}
	return bits
}

// unit is the unit of differences between values of x or y.
func (c *Column) unit(as string) string {
	if c.Kind == Times {
		return "s"
	}
	return "of " + as
}

// difference is the value at i less the value at j, as text that is a JSON number;
// exact but for decimals, which are subtracted as float64. key orders differences.
func (c *Column) difference(i, j int) difference {
	if c.Kind == Decimals {
		return difference{float: min(c.Values[i]-c.Values[j], math.MaxFloat64)} // not infinite
	}
	// i - j >= 0, so it fits in 64 unsigned bits.
	return difference{whole: uint64(c.Keys[i]) - uint64(c.Keys[j])}
}

// difference is a difference that is not negative, of one of the two kinds.
type difference struct {
	whole uint64
	float float64
}

func (c *Column) format(d difference) string {
	switch c.Kind {
	case Decimals:
		return strconv.FormatFloat(d.float, 'g', -1, 64)
	case Times:
		seconds := new(big.Rat).SetFrac(new(big.Int).SetUint64(d.whole), big.NewInt(int64(time.Second)))
		digits := strings.TrimRight(seconds.FloatString(9), "0")
		return strings.TrimSuffix(digits, ".")
	}
	return strconv.FormatUint(d.whole, 10)
}
