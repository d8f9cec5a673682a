package threshold

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// said writes comparisons down in one form, whatever they were written in.
func said(t *Threshold) string {
	var all []string
	for _, c := range t.comparisons {
		path := ""
		for _, s := range c.path {
			path = join(path, s)
		}
		number := fmt.Sprint(c.number)
		if c.isTime {
			number = c.time.String()
		}
		all = append(all, strings.TrimPrefix(path, ".")+" "+c.operator+" "+number)
	}
	return strings.Join(all, " and ")
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"sites.east.duplicates.ids == 0":            "",
		`between.east-west.tau_b["1s"] >= 0.999`:    "between.east-west.tau_b.1s >= 0.999",
		"input.messages>1e6":                        "input.messages > 1e+06",
		" sites.*.push.late<=5 ":                    "sites.*.push.late <= 5",
		`sites["*"].lag[12].draws != -3`:            `sites["*"].lag[12].draws != -3`,
		`sites["a \"b\""].x[*].y < .5`:              `sites["a \"b\""].x.*.y < 0.5`,
		"a < 5% and b >= 99.9%":                     "a < 0.05 and b >= 0.999",
		"a_ms < 15m and b_s <= 1d12h and c_s > -2s": "a_ms < 15m and b_s <= 1d12h and c_s > -2s",
		"and < 1 and and > 0":                       "and < 1 and and > 0",
		"a.1s == 0\n\tand b == 1":                   "a.1s == 0 and b == 1",
		`a["ü"].b == 7`:                             "",
	} {
		if want == "" {
			want = text
		}
		got, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if said(got) != want {
			t.Errorf("%s is read as %s, want %s", text, said(got), want)
		}
	}
}

// 99.9% is the number that 0.999 is, to the last bit.
func TestPercentIsExact(t *testing.T) {
	for percent, share := range map[string]float64{"99.9%": 0.999, "5%": 0.05, "0.1%": 0.001, "70%": 0.7, "29%": 0.29, "100%": 1} {
		got, err := Parse("a == " + percent)
		if err != nil || got.comparisons[0].number != share {
			t.Errorf("%s is %v, %v, want %v", percent, got.comparisons[0].number, err, share)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"", `threshold "", column 1: a figure is missing: write as in sites.east.duplicates.ids == 0`},
		{"  ", `threshold "  ", column 3: a figure is missing: write as in sites.east.duplicates.ids == 0`},
		{"== 0", `threshold "== 0", column 1: "==" where a name is wanted, as in sites.east.duplicates.ids; put names with other characters than letters, digits, _ and - into brackets and quotes`},
		{"a..b == 0", `threshold "a..b == 0", column 3: ".b" where a name is wanted, as in sites.east.duplicates.ids; put names with other characters than letters, digits, _ and - into brackets and quotes`},
		{"* == 0", `threshold "* == 0", column 1: "*" where a name is wanted, as in sites.east.duplicates.ids; put names with other characters than letters, digits, _ and - into brackets and quotes`},
		{"a", `threshold "a", column 2: a comparison is missing: write <, <=, ==, !=, >= or > and a number`},
		{"a = 0", `threshold "a = 0", column 3: = compares nothing: write ==`},
		{"a is 0", `threshold "a is 0", column 3: "is" where a comparison is wanted: <, <=, ==, !=, >= or >`},
		{"a === 0", `threshold "a === 0", column 5: "=" is not a number: write 12, 0.5, 5% or, for a length of time, 15m`},
		{"a <", `threshold "a <", column 4: "" is not a number: write 12, 0.5, 5% or, for a length of time, 15m`},
		{"a < b.c", `threshold "a < b.c", column 5: "b.c" is not a number: write 12, 0.5, 5% or, for a length of time, 15m`},
		{"a < 1.2.3", `threshold "a < 1.2.3", column 5: "1.2.3" is not a number, or too large`},
		{"a < 1e999", `threshold "a < 1e999", column 5: "1e999" is not a number, or too large`},
		{"a < 1e3%", `threshold "a < 1e3%", column 5: "1e3%" is not a number, or too large`},
		{"a < 15 m", `threshold "a < 15 m", column 8: "m" where the expression could end: put and between comparisons`},
		{"a < 1 or b < 1", `threshold "a < 1 or b < 1", column 7: "or" where the expression could end: put and between comparisons`},
		{"a < 1 and", `threshold "a < 1 and", column 10: a figure is missing: write as in sites.east.duplicates.ids == 0`},
		{"a[x] < 1", `threshold "a[x] < 1", column 3: in brackets stands a name in quotes (["1s"]), the number of an element ([0]) or a star ([*])`},
		{"a[-1] < 1", `threshold "a[-1] < 1", column 3: in brackets stands a name in quotes (["1s"]), the number of an element ([0]) or a star ([*])`},
		{"a[1 < 1", `threshold "a[1 < 1", column 4: a ] is missing`},
		{`a["1s] < 1`, `threshold "a[\"1s] < 1", column 3: the quotes are not closed`},
		{"a[99999999999] < 1", `threshold "a[99999999999] < 1", column 3: 99999999999 is no element of a list`},
		{`a["ü"]!`, `threshold "a[\"ü\"]!", column 7: "!" where a comparison is wanted: <, <=, ==, !=, >= or >`},
	} {
		_, err := Parse(c[0])
		if err == nil || err.Error() != c[1] {
			t.Errorf("%s:\n got %v\nwant %s", c[0], err, c[1])
		}
	}
	if _, err := Parse(strings.Repeat("a", 5000)); err == nil || !strings.Contains(err.Error(), "5000 bytes: at most 4096") {
		t.Errorf("a very long one: %v", err)
	}
}

// Whatever is parsed, it is an expression or an error with a place in it, and
// what an expression means has a text that means the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"sites.east.duplicates.ids == 0", `a["1s"][3].*[*] >= 99.9% and b_s < 15m`, "a < 1 or", `a["`, "=", "a[1", `["x"]`, "a <= -1e-3", "ü",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse(s)
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Column < 1 || e.Column > utf8.RuneCountInString(s)+1 || e.Message == "" {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		text := said(got)
		again, err := Parse(text)
		if err != nil && len(text) <= maxLength {
			t.Fatalf("%q is read as %q, which is not: %v", s, text, err)
		}
		if err == nil && said(again) != text {
			t.Fatalf("%q is read as %q, and that as %q", s, text, said(again))
		}
	})
}
