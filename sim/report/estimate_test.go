package report

import (
	"math"
	"testing"
)

func TestAmount(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 12: "12", -3: "-3", 1_234_567: "1,234,567", 1e12: "1e+12", 1234.5: "1,234", -1234.5: "-1,234", 123.456: "123.5", 0.5: "0.5",
		0.12345: "0.1235", 0.012346: "0.01235", -0.00012345: "-0.0001234", 0.00001234: "1.2e-05", 99999.5: "100,000", 2.5e15: "2.5e+15",
	} {
		if got := amount(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

func TestAround(t *testing.T) {
	for _, c := range []struct {
		x, half float64
		want    string
	}{
		{12, 0, "12"}, {1234.56, 0, "1,235"}, {1234.56, 15.6, "1,235 ± 16"}, {1234.56, 1.56, "1,234.6 ± 1.6"}, {0.99912, 0.00021, "0.99912 ± 0.00021"},
		{-0.5, 0.25, "-0.50 ± 0.25"}, {1e6, 123_456, "1,000,000 ± 123,456"}, {0.25, 4e-9, "0.25 ± 4e-09"}, {2e13, 3, "2e+13 ± 3"},
		{1, math.Inf(1), "1 ± +Inf"},
	} {
		if got := around(c.x, c.half); got != c.want {
			t.Errorf("%v and %v: %q, want %q", c.x, c.half, got, c.want)
		}
	}
}
