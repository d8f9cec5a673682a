package delay

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0s":                            "0s",
		"0":                             "0s",
		" 20ms ":                        "20ms",
		"fixed:1500ms":                  "1.5s",
		"uniform: 1ms , 5ms":            "uniform:1ms,5ms",
		"lognormal:35ms,400ms":          "lognormal:35ms,400ms",
		"empirical:p0=1ms,p100=2ms":     "empirical:min=1ms,max=2ms",
		"empirical:p50.0=1ms , max=2ms": "empirical:p50=1ms,max=2ms",
		"empirical:3ms/1ms/2ms":         "empirical:1ms/2ms/3ms",
		"empirical:20ms":                "empirical:20ms",
		"normal:1d,36h":                 "normal:1d,1d12h",
		"gamma:35ms , 400ms":            "gamma:35ms,400ms",
		"weibull:35ms,400ms":            "weibull:35ms,400ms",
		"pareto:35ms,400ms,60s":         "pareto:35ms,400ms,1m",

		"mixture:(0.90*lognormal:35ms, 400ms | 0.1 * fixed:2s)":       "mixture:(0.9*lognormal:35ms,400ms|0.1*2s)",
		"mixture: ( 9*mixture:(1*1ms|1e1*2ms) | 1*uniform:0s,1s )":    "mixture:(9*mixture:(1*1ms|10*2ms)|1*uniform:0s,1s)",
		"daily:(00:00=20ms; 09:30=lognormal:35ms,400ms; 23:59:59=0s)": "daily:(00:00=20ms;09:30=lognormal:35ms,400ms;23:59:59=0s)",
		"daily:(08:00:00=mixture:(1*1ms|1*empirical:max=1s))":         "daily:(08:00=mixture:(1*1ms|1*empirical:max=1s))",

		"empirical:@a/delays.parquet#lag_ms":   "empirical:@a/delays.parquet#lag_ms",
		"empirical: @day=1/x.parquet#took:us ": "empirical:@day=1/x.parquet#took:us",
	} {
		if got := mustParse(t, text).String(); got != want {
			t.Errorf("Parse(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "a duration is missing: write 0s, 20ms, 15m or 1d12h",
		"20":                             `"20" has no unit: write 20ms, 20s or 20m`,
		"-1ms":                           `"-1ms" is negative: a delay is 0s or more`,
		"31d":                            `"31d" is above the longest delay, 30d`,
		"lognormal":                      "lognormal needs its values: lognormal:P50,P99",
		"lognormal:35ms":                 "lognormal:35ms: lognormal takes 2 values (P50,P99), not 1",
		"exponential:1s,2s":              "exponential:1s,2s: exponential takes 1 value (MEAN), not 2",
		"lognormal:2s,1s":                "lognormal:2s,1s: p50 comes first and is at most p99",
		"lognormal:0s,1s":                "lognormal:0s,1s: p50 must be above 0",
		"exponential:0s":                 "exponential:0s: the mean must be above 0",
		"uniform:5ms,1ms":                "uniform:5ms,1ms: the smaller value comes first",
		"uniform:5ms,1":                  `uniform:5ms,1: "1" has no unit: write 1ms, 1s or 1m`,
		"logormal:35ms,400ms":            `no distribution is named "logormal"; did you mean lognormal?`,
		"triangle:1s":                    `no distribution is named "triangle"; there are fixed, uniform, normal, lognormal, exponential, gamma, weibull, pareto, empirical, mixture, daily`,
		"empirical:p50=1s":               "empirical:p50=1s: the last quantile must be max=, the longest delay there is",
		"empirical:p90=1s,p50=2s,max=3s": "empirical:p90=1s,p50=2s,max=3s: p50=2s is out of order: probabilities must rise and values must not fall",
		"empirical:p50=2s,max=1s":        "empirical:p50=2s,max=1s: max=1s is out of order: probabilities must rise and values must not fall",
		"empirical:q50=2s,max=3s":        `empirical:q50=2s,max=3s: "q50" is not a quantile: write min, p50, p99.9 (percent) or max`,
		"empirical:p101=2s":              `empirical:p101=2s: "p101" is not a quantile: write min, p50, p99.9 (percent) or max`,
		"gamma:35ms,35ms":                `gamma:35ms,35ms: p99 must be at least 1% above p50; so narrow a gamma is a normal: write that`,
		"gamma:0s,35ms":                  "gamma:0s,35ms: p50 must be above 0",
		"weibull:2s,1s":                  "weibull:2s,1s: p50 comes first and is at most p99",
		"pareto:1s,2s,1s":                "pareto:1s,2s,1s: MAX, to which longer delays are cut, is at least p99",
		"pareto:1s,2s":                   "pareto:1s,2s: pareto takes 3 values (P50,P99,MAX), not 2",
		"mixture":                        "mixture needs its values: mixture:(WEIGHT*DELAY | WEIGHT*DELAY | ...)",
		"mixture:0.9*1s|0.1*2s":          "mixture:0.9*1s|0.1*2s: its parts stand in one pair of parentheses: write mixture:(WEIGHT*DELAY | WEIGHT*DELAY | ...)",
		"mixture:(1*1s)|(1*2s)":          "mixture:(1*1s)|(1*2s): its parts stand in one pair of parentheses: write mixture:(WEIGHT*DELAY | WEIGHT*DELAY | ...)",
		"mixture:(1*1s|1*2s":             "mixture:(1*1s|1*2s: its parts stand in one pair of parentheses: write mixture:(WEIGHT*DELAY | WEIGHT*DELAY | ...)",
		"mixture:(1*1s)":                 "mixture:(1*1s): a mixture has at least two parts, with | between them",
		"mixture:(1*1s|2s)":              `mixture:(1*1s|2s): "2s" is no part of a mixture: write WEIGHT*DELAY with a weight above 0, as in 0.9*20ms`,
		"mixture:(1*1s|-1*2s)":           `mixture:(1*1s|-1*2s): "-1*2s" is no part of a mixture: write WEIGHT*DELAY with a weight above 0, as in 0.9*20ms`,
		"mixture:(1*1s|nan*2s)":          `mixture:(1*1s|nan*2s): "nan*2s" is no part of a mixture: write WEIGHT*DELAY with a weight above 0, as in 0.9*20ms`,
		"mixture:(1*1s|1e-10*2s)":        `mixture:(1*1s|1e-10*2s): the share of 1e-10*2s is below 1e-09: leave it out`,
		"mixture:(1*1s|1*gama:1s,2s)":    `mixture:(1*1s|1*gama:1s,2s): no distribution is named "gama"; did you mean gamma?`,
		"daily:(24:00=1s)":               `daily:(24:00=1s): "24:00=1s" is no part of a day: write TIME=DELAY with a time from 00:00 to 23:59 or 23:59:59, as in 09:30=20ms`,
		"daily:(9:30=1s)":                `daily:(9:30=1s): "9:30=1s" is no part of a day: write TIME=DELAY with a time from 00:00 to 23:59 or 23:59:59, as in 09:30=20ms`,
		"daily:(09:30=1s;08:00=2s)":      "daily:(09:30=1s;08:00=2s): 08:00 does not come after 09:30: write the times of a day in order",
		"daily:(09:30=1s;09:30:00=2s)":   "daily:(09:30=1s;09:30:00=2s): 09:30 does not come after 09:30: write the times of a day in order",
		"daily:(09:30=daily:(00:00=1s))": "daily:(09:30=daily:(00:00=1s)): 09:30=daily:(00:00=1s): what varies over the day cannot stand in a part of a day",
		"empirical:@x.parquet":           `empirical:@x.parquet: "@x.parquet" names no column of a file: write @FILE.parquet#COLUMN`,
		"empirical:@#lag_ms":             `empirical:@#lag_ms: "@#lag_ms" names no column of a file: write @FILE.parquet#COLUMN`,
		"empirical:@x.parquet#lag":       `empirical:@x.parquet#lag: column lag does not say its unit: write #lag:ms (or ns, us, s)`,
		"empirical:p50=2,max=3s":         `empirical:p50=2,max=3s: p50: "2" has no unit: write 2ms, 2s or 2m`,
	} {
		if got, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %v, %v\nwant %s", text, got, err, want)
		}
	}
}

func TestParseList(t *testing.T) {
	for text, want := range map[string]string{
		"0s":                      "0s",
		"0s,lognormal:35ms,400ms": "0s; lognormal:35ms,400ms",
		"uniform:1ms,5ms, 20ms,exponential:1s,2s":                                                              "uniform:1ms,5ms; 20ms; exponential:1s; 2s",
		"mixture:(1*1ms|2*uniform:1ms,5ms),daily:(01:00=1s;02:00=normal:1s,1s),2s,pareto:1s,2s,3s,gamma:1s,2s": "mixture:(1*1ms|2*uniform:1ms,5ms); daily:(01:00=1s;02:00=normal:1s,1s); 2s; pareto:1s,2s,3s; gamma:1s,2s",
		"empirical:@x.parquet#lag_s,0s,empirical:@a=b#c_ns":                                                    "empirical:@x.parquet#lag_s; 0s; empirical:@a=b#c_ns",
		"empirical:p50=1ms,max=2ms,3ms,empirical:1s/2s,4ms":                                                    "empirical:p50=1ms,max=2ms; 3ms; empirical:1s/2s; 4ms",
	} {
		list, err := ParseList(text)
		if err != nil {
			t.Errorf("ParseList(%q): %v", text, err)
			continue
		}
		got := make([]string, len(list))
		for i, d := range list {
			got[i] = d.String()
		}
		if joined := strings.Join(got, "; "); joined != want {
			t.Errorf("ParseList(%q) is %s, want %s", text, joined, want)
		}
	}
	for text, want := range map[string]string{
		"":                                "a duration is missing: write 0s, 20ms, 15m or 1d12h",
		"0s,":                             "a duration is missing: write 0s, 20ms, 15m or 1d12h",
		"lognormal:35ms":                  "lognormal:35ms: lognormal takes 2 values (P50,P99), not 1",
		"lognormal:35ms,exponential:20ms": `lognormal:35ms,exponential:20ms: "exponential:20ms" is not a duration: numbers with the units ns, us, ms, s, m, h and d, as in 1d12h, 15m or 1.5s`,
	} {
		if got, err := ParseList(text); err == nil || err.Error() != want {
			t.Errorf("ParseList(%q) = %v, %v\nwant %s", text, got, err, want)
		}
	}
}

// Usage must name every kind, in forms that are read when values are put in.
func TestUsageNamesEveryKind(t *testing.T) {
	usage := strings.Join(Usage(), " ")
	for _, k := range kinds {
		if !strings.Contains(usage, k.name+":"+k.usage) {
			t.Errorf("%s is missing from %s", k.name, usage)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"0s", "lognormal:35ms,400ms", "normal:50ms,10ms", "uniform:1ms,5ms", "exponential:20ms",
		"empirical:p50=10ms,p90=20ms,p99=100ms,max=1s", "empirical:1ms/2ms", "0s,empirical:p1=1s,max=2s,3s",
		"gamma:35ms,400ms", "weibull:1ms,1s", "pareto:1ms,2ms,3ms", "mixture:(0.9*1ms|0.1*mixture:(1*1s|2*2s)),0s",
		"daily:(00:00=1s;12:30:01=gamma:1ms,1s)", "empirical:@x#lag_ms,1s", "mixture:(1*daily:(01:00=1s)|1*0s)",
		"empirical:p0.00000000000000001=1s,max=2s", "empirical:p99.99999999999999999=1s,max=2s",
	} {
		f.Add(text, uint64(1)<<63)
	}
	f.Fuzz(func(t *testing.T, text string, u uint64) {
		list, err := ParseList(text)
		if err != nil {
			return
		}
		for _, d := range list {
			for _, ns := range []int64{d.Sample(u), d.SampleAt(u, int64(u))} {
				if ns < d.Min() || ns > maxNs {
					t.Fatalf("%v at %#x: %d is not within [%d, %d]", d, u, ns, d.Min(), maxNs)
				}
			}
			if again, err := Parse(d.String()); err != nil || !again.Equal(d) || again.Sample(u) != d.Sample(u) {
				t.Fatalf("%v is read back as %v, %v", d, again, err)
			}
		}
	})
}
