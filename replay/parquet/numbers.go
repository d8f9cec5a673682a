package parquet

import (
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// ReadNumbers reads a column of numbers from the Parquet file at path, as whole
// multiples of a unit: each value times perUnit, rounded. So with a column of
// milliseconds and perUnit 1e6 it gives nanoseconds. The column may hold
// integers of any size, FLOAT or DOUBLE, and is named as in Options.Map. each
// is called with some values at a time, which it must not keep; NULLs are left
// out. Results that do not fit int64, and values that are no numbers, are
// errors.
func ReadNumbers(path, column string, perUnit int64, each func([]int64)) (err error) {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer func() { err = inFile(path, err) }()
	defer rescue(&err)
	c, ok := f.column(column)
	if !ok {
		return fmt.Errorf("there is no column %q; %s", column, f.columnNames())
	}
	if err := f.content.acquire(); err != nil {
		return err
	}
	defer f.content.release()
	for group := range f.groups() {
		l, err := f.openLeaf(group, c, multiples{f.element(c), perUnit})
		if err != nil {
			return err
		}
		l.null = nullNumber
		for left := f.rows(group); left > 0; {
			values := make([]int64, min(left, streamRows))
			left -= int64(len(values))
			if err := l.fill(values); err != nil {
				return err
			}
			each(withoutNulls(values))
		}
	}
	return nil
}

// nullNumber stands for NULL.
const nullNumber = math.MinInt64

// withoutNulls moves the others to the front.
func withoutNulls(values []int64) []int64 {
	rest := values[:0]
	for _, v := range values {
		if v != nullNumber {
			rest = append(rest, v)
		}
	}
	return rest
}

// multiples are numbers times a factor.
type multiples struct {
	element *format.SchemaElement
	factor  int64
}

func (m multiples) convert(dst []int64, v *encoding.Values, from int) (int, error) {
	switch v.Kind() {
	case encoding.Double:
		for i, x := range v.Double()[from : from+len(dst)] {
			if err := m.round(&dst[i], x); err != nil {
				return i, err
			}
		}
		return len(dst), nil
	case encoding.Float:
		for i, x := range v.Float()[from : from+len(dst)] {
			if err := m.round(&dst[i], float64(x)); err != nil {
				return i, err
			}
		}
		return len(dst), nil
	}
	if !isPlainInteger(m.element) {
		return 0, wrongType(m.element, "a number")
	}
	if n, err := asInt64(dst, v, from, m.element); err != nil {
		return n, err
	}
	for i, x := range dst {
		if x > math.MaxInt64/m.factor || x < -math.MaxInt64/m.factor {
			return i, fmt.Errorf("value %d times %d is too large", x, m.factor)
		}
		dst[i] = x * m.factor
	}
	return len(dst), nil
}

func (m multiples) round(dst *int64, x float64) error {
	scaled := math.RoundToEven(x * float64(m.factor))
	if !(math.Abs(scaled) < 1<<63) {
		return fmt.Errorf("value %v is no number of a size that fits", x)
	}
	*dst = int64(scaled)
	return nil
}
