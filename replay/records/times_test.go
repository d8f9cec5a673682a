package records

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"twindrift/replay"
)

// One column of times a case: the values, and what they are in ms.
func TestTimeFormats(t *testing.T) {
	for _, c := range []struct {
		format, zone string
		values       []string
		want         []int64
		as           string
	}{
		{"", "", []string{"0", "1767323045", "-1"}, []int64{0, 1767323045000, replay.NoTimestamp}, "s since 1970 (by the size of the values)"},
		{"", "", []string{"-1", "1767323045.123456", "1767323045"}, []int64{-1, 1767323045123, 1767323045000}, "s since 1970 (by the size of the values)"},
		{"", "", []string{"999999999"}, []int64{999999999000}, "s since 1970 (by the size of the values)"},
		{"", "", []string{"1767323045000", "-1", "1767323045000.9"}, []int64{1767323045000, replay.NoTimestamp, 1767323045000}, "ms since 1970 (by the size of the values)"},
		{"", "", []string{"-981173106000"}, []int64{-981173106000}, "ms since 1970 (by the size of the values)"},
		{"", "", []string{"1767323045000001", "1767323045000999"}, []int64{1767323045000, 1767323045000}, "us since 1970 (by the size of the values)"},
		{"", "", []string{"1723161256172210766"}, []int64{1723161256172}, "ns since 1970 (by the size of the values)"},
		{"ms", "", []string{"5", "-1", "1767323045000000", "-2.5"}, []int64{5, -1, 1767323045000000, -3}, "ms since 1970"},
		{"ns", "", []string{"-1", "-1000000", "-1000001", "1999999"}, []int64{-1, -1, -2, 1}, "ns since 1970"},
		{"us", "", []string{"-999.5", "1500.5", "0.1"}, []int64{-1, 1, 0}, "us since 1970"},
		{"s", "", []string{"-0.0000000001", "0.0019999"}, []int64{-1, 1}, "s since 1970"},
		{"", "", []string{"2026-01-02T03:04:05Z", "2026-01-02 03:04:05.678", "2026/01/02 03:04"},
			[]int64{1767323045000, 1767323045678, 1767323040000}, "date and time without a zone, taken as UTC (--zone says otherwise)"},
		{"", "", []string{"2014-11-10T13:53:41.690+0100", "2014-11-10T12:53:41.690 UTC", "2014-11-10 07:53:41,690-05", "2014.11.10T12:53:41.69+00:00"},
			[]int64{1415624021690, 1415624021690, 1415624021690, 1415624021690}, "date and time with a zone"},
		{"", "Asia/Shanghai", []string{"2026-01-02 11:04:05", "2026-01-02"}, []int64{1767323045000, 1767283200000}, "date and time local time of Asia/Shanghai"},
		{"", "+08:00", []string{"2026-01-02 11:04:05"}, []int64{1767323045000}, "date and time local time of +08:00"},
		{"", "", []string{"1969-12-31 23:59:59.9999999", "0001-01-01 00:00:00"}, []int64{-1, -62135596800000}, "date and time without a zone, taken as UTC (--zone says otherwise)"},
		{"", "", []string{"Thu, 22 Aug 2002 07:36:16 -0400 (EDT)", "22 Aug 2002 11:36:16 GMT", "Thu, 22 Aug 2002 04:36:16 PDT"},
			[]int64{1030016176000, 1030016176000, 1030016176000}, "mail date"},
		{"snowflake", "", []string{"901656910939770881"}, []int64{1503806734200}, "the time in a Snowflake id"},
		{"2006-01-02-15.04.05.000000", "America/Los_Angeles", []string{"2005-06-03-15.42.50.675872", "2005-12-03-15.42.50.000001"},
			[]int64{1117838570675, 1133653370000}, `layout "2006-01-02-15.04.05.000000" local time of America/Los_Angeles`},
		{"02/Jan/2006:15:04:05 -0700", "Asia/Tokyo", []string{"10/Oct/2000:13:55:36 -0700"}, []int64{971211336000}, `layout "02/Jan/2006:15:04:05 -0700" with a zone`},
	} {
		p, err := newTimeParser("timestamp", c.format, c.zone, 0)
		if err != nil {
			t.Errorf("format %q: %v", c.format, err)
			continue
		}
		for i, v := range c.values {
			if ms, err := p.parse(v); err != nil || ms != c.want[i] {
				t.Errorf("format %q: %s is %d (%v), want %d", c.format, v, ms, err, c.want[i])
			}
		}
		if got := p.String(); got != c.as {
			t.Errorf("format %q, %s: taken for %q, want %q", c.format, c.values[0], got, c.as)
		}
	}
}

// The last value of each column is refused, and the error names the way out.
func TestTimeFormatsRefuse(t *testing.T) {
	for _, c := range []struct {
		format, zone string
		values       []string
		want         string
	}{
		{"", "", []string{"1767323045", "1767323045000"}, "1767323045000 looks like ms, but 1767323045 before it looked like s; if they are all of one unit, name it: --time-format timestamp=s"},
		{"", "", []string{"12345"}, "the size of 12345 does not tell its unit; name it: --time-format timestamp=ms"},
		{"", "", []string{"1767323045000", "2026-01-02T03:04:05Z"}, `"2026-01-02T03:04:05Z" is not a number`},
		{"", "", []string{"yesterday"}, `"yesterday" is not a date and time like 2006-01-02 15:04:05; if its form is another, give its layout, as in --time-format 'timestamp=02/01/2006`},
		{"", "", []string{"2026-02-30 00:00:00"}, "there is no such date or time"},
		{"", "", []string{"2026-01-02 24:00:00"}, "there is no such date or time"},
		{"", "", []string{"2026-01-02 00:00:60"}, "there is no such date or time"},
		{"", "", []string{"2026-01-02T03:04:05 CET"}, "is not a date and time like"},
		{"", "America/Los_Angeles", []string{"2026-03-08 02:30:00"}, "2026-03-08 02:30:00 does not exist in America/Los_Angeles: clocks were set forward over it"},
		{"s", "", []string{"99999999999999999"}, "is too large for seconds"},
		{"ms", "", []string{"9999999999999999999"}, "is too large"},
		{"ms", "", []string{""}, `"" is not a number`},
		{"ms", "", []string{"1."}, `"1." is not a number`},
		{"mail", "", []string{"Thu, 22 Aug 2002 07:36:16 CEST"}, "what zone CEST is meant is not known"},
		{"mail", "", []string{"2002-08-22"}, "is not a mail date"},
		{"snowflake", "", []string{"-5"}, "is not a Snowflake id"},
		{"Jan _2 15:04:05", "", []string{"Jul 40 12:00:00"}, `does not have the form "Jan _2 15:04:05"`},
		{"Jan _2 15:04:05", "", []string{"Feb 29 12:00:00"}, "there is no such day in that year"},
	} {
		p, err := newTimeParser("timestamp", c.format, c.zone, 2026)
		if err != nil {
			t.Errorf("format %q: %v", c.format, err)
			continue
		}
		for i, v := range c.values {
			_, err = p.parse(v)
			if i < len(c.values)-1 && err != nil {
				t.Errorf("format %q: %s: %v", c.format, v, err)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("format %q, %v: error %v, want %s", c.format, c.values, err, c.want)
		}
	}
	for _, c := range []struct {
		format, zone string
		year         int
		want         string
	}{
		{"milliseconds", "", 0, `"milliseconds" is neither a known name`},
		{"Jan _2 15:04:05", "", 0, `has no year; say --year`},
		{"Jan _2 15:04:05 MST 2006", "", 0, "zones by their letters (MST) are not unique"},
		{"after:days", "", 0, "the unit is one of ns, us, ms, s, min, h"},
		{"", "Mars/Base", 0, `zone "Mars/Base" is not known`},
		{"", "Local", 0, `zone "Local" is not known`},
		{"", "+8", 0, `zone "+8" is not an offset like +08:00`},
	} {
		if _, err := newTimeParser("timestamp", c.format, c.zone, c.year); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("format %q zone %q: error %v, want %s", c.format, c.zone, err, c.want)
		}
	}
}

// The hour in which Los Angeles set its clocks back in 2005: which 01:30 is
// meant shows by the record before.
func TestAmbiguousLocalTimes(t *testing.T) {
	p, err := newTimeParser("timestamp", "", "America/Los_Angeles", 0)
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(2005, 10, 30, 7, 59, 0, 0, time.UTC)
	for _, c := range []struct {
		text    string
		minutes int // after the first
	}{
		{"00:59:00", 0}, {"01:00:00", 1}, {"01:30:00", 31}, {"01:59:00", 60}, {"01:01:00", 62}, {"01:30:00", 91}, {"01:59:00", 120}, {"02:00:00", 121},
	} {
		ms, err := p.parse("2005-10-30 " + c.text)
		if want := first.Add(time.Duration(c.minutes) * time.Minute); err != nil || ms != want.UnixMilli() {
			t.Errorf("%s is %v (%v), want %v", c.text, time.UnixMilli(ms).UTC(), err, want)
		}
	}
	l := localOf(p)
	if l.ambiguous != 6 || l.firstAmbiguous != "2005-10-30 01:00:00" {
		t.Errorf("%d ambiguous times, the first %s; want 6, 2005-10-30 01:00:00", l.ambiguous, l.firstAmbiguous)
	}
}

// A log without years runs over New Year, with a late line from before it.
func TestYearFollows(t *testing.T) {
	p, err := newTimeParser("timestamp", "Jan _2 15:04:05", "", 2023)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"Dec 30 10:00:00", "2023-12-30T10:00:00Z"},
		{"Jan  1 00:00:01", "2024-01-01T00:00:01Z"},
		{"Dec 31 23:59:59", "2023-12-31T23:59:59Z"},
		{"Jan  1 00:00:02", "2024-01-01T00:00:02Z"},
		{"Feb 29 12:00:00", "2024-02-29T12:00:00Z"},
	} {
		ms, err := p.parse(c.text)
		if got := time.UnixMilli(ms).UTC().Format(time.RFC3339); err != nil || got != c.want {
			t.Errorf("%s is %s (%v), want %s", c.text, got, err, c.want)
		}
	}
}

func TestAfter(t *testing.T) {
	for _, c := range []struct {
		unit, text string
		want       int64
	}{
		{"min", "95", 1000 + 95*60_000}, {"min", "-52", 1000 - 52*60_000}, {"min", "0.1", 7000}, {"h", "0.5", 1_801_000},
		{"s", "0.0015", 1001}, {"s", "-0.0015", 998}, {"ms", "12", 1012}, {"us", "1999", 1001}, {"us", "-1", 999}, {"ns", "0.5", 1000},
	} {
		a, err := newAfter(c.unit)
		if err != nil {
			t.Fatal(err)
		}
		a.eventMs = 1000
		if ms, err := a.parse(c.text); err != nil || ms != c.want {
			t.Errorf("%s %s after 1000 is %d (%v), want %d", c.text, c.unit, ms, err, c.want)
		}
	}
	a, _ := newAfter("h")
	a.eventMs = replay.NoTimestamp
	if ms, err := a.parse("1"); err != nil || ms != replay.NoTimestamp {
		t.Errorf("an hour after no timestamp is %d (%v)", ms, err)
	}
	a.eventMs = 0
	if _, err := a.parse("12345678901234567"); err == nil {
		t.Error("a delay of 10^16 hours was taken")
	}
}

// Every instant, written as a clock on the wall in some zone shows it, is found
// again; where two are possible, because the record before was that near.
func TestZoneFindsInstants(t *testing.T) {
	zones := []string{"UTC", "America/Los_Angeles", "Europe/Dublin", "Asia/Shanghai", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "America/Sao_Paulo"}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(zones).Draw(rt, "zone")
		z, err := newZone(name)
		if err != nil {
			rt.Fatal(err)
		}
		// Steps of hours, to meet changes of the clocks often.
		sec := rapid.Int64Range(-1_000_000_000, 2_500_000_000).Draw(rt, "start")
		for i := range rapid.IntRange(1, 50).Draw(rt, "steps") {
			sec += rapid.Int64Range(-3600, 40*day).Draw(rt, fmt.Sprint("step", i))
			wall := sec + z.offsetAt(sec)
			if got, err := z.instant(wall, sec); err != nil || got != sec {
				rt.Fatalf("%s: %s is %d (%v), want %d", name, time.Unix(wall, 0).UTC().Format(time.DateTime), got, err, sec)
			}
		}
	})
}

// What time.Format writes, parseMoment reads.
func TestMomentReadsWhatGoWrites(t *testing.T) {
	layouts := []string{time.RFC3339Nano, "2006-01-02 15:04:05.000000000Z0700", "2006/01/02 15:04:05,999999999 Z07:00"}
	rapid.Check(t, func(rt *rapid.T) {
		offset := rapid.IntRange(-14*60, 14*60).Draw(rt, "offset in minutes")
		want := time.Unix(rapid.Int64Range(-62135596800+2*day, 253402300799-2*day).Draw(rt, "second"), rapid.Int64Range(0, 999_999_999).Draw(rt, "ns")).
			In(time.FixedZone("", offset*60))
		text := want.Format(rapid.SampledFrom(layouts).Draw(rt, "layout"))
		m, err := parseMoment(text)
		if err != nil || !m.zoned || m.wall-m.offset != want.Unix() || m.nano != int64(want.Nanosecond()) {
			rt.Fatalf("%s is %+v (%v)", text, m, err)
		}
	})
}

// Whatever a column holds, it is read or refused.
func FuzzTimes(f *testing.F) {
	for _, s := range []string{"", "0", "-1", "1767323045.5", "2026-01-02T03:04:05.123+08:00", "2026-01-02", "Thu, 22 Aug 2002 07:36:16 -0400 (EDT)", "Jan  2 03:04:05"} {
		f.Add(s, s)
	}
	formats := []string{"", "s", "ns", "mail", "snowflake", "Jan _2 15:04:05", "after:min"}
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, format := range formats {
			p, err := newTimeParser("timestamp", format, "America/Los_Angeles", 2024)
			if err != nil {
				t.Fatal(err)
			}
			p.parse(first)
			a, errA := p.parse(second)
			b, errB := p.parse(second)
			if a != b || (errA == nil) != (errB == nil) {
				t.Errorf("format %q: %q is %d (%v), then %d (%v)", format, second, a, errA, b, errB)
			}
		}
	})
}
