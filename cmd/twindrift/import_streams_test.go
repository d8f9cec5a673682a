package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"twindrift/replay/parquet"
	"twindrift/sim/report"
)

// streams are real recordings, the command line that imports each, and what
// must come out. Times are ms unless a name says otherwise; lag is processed_at
// less timestamp. The figures were measured by the collectors of the files,
// with other programs (MANIFEST.tsv beside them); those marked "ours" we counted
// with a few lines of Python.
var streams = []struct {
	command string
	want    map[string]int64
}{
	// Sensors over mobile networks.
	{`ooo-dataset/d-1.csv --map timestamp=S.Client.Detection.Time,processed_at=S.Message.received.time.ms,key=S.Device.ID`,
		map[string]int64{"messages": 9600, "span_s": 613, "steps_back": 1461, "behind": 1544, "keys": 8,
			"lag_min": 22, "lag_p50": 107, "lag_p99": 306, "lag_max": 4673}},
	{`ooo-dataset/d-2.csv --map timestamp=S.Client.Detection.Time,processed_at=S.Message.received.time.ms,key=S.Device.ID`,
		map[string]int64{"messages": 10800, "span_s": 608, "steps_back": 3251, "behind": 3666, "keys": 9,
			"lag_min": 30, "lag_p50": 114, "lag_p99": 304, "lag_max": 3629}},
	{`ooo-dataset/d-3.csv --map timestamp=S.Client.Detection.Time,processed_at=S.Message.received.time.ms,key=S.Device.ID`,
		map[string]int64{"messages": 9600, "span_s": 606, "steps_back": 2896, "behind": 3277, "keys": 8,
			"lag_min": 10, "lag_p50": 94, "lag_p99": 293, "lag_max": 5531}},

	// Tweets: local time in whole seconds, Snowflake ids of two data centers.
	{`fivethirtyeight/mayweather_ids.csv --map timestamp=created_at,processed_at=id,message_id=id,key=user_sha256_12 --zone America/New_York --time-format processed_at=snowflake`,
		map[string]int64{"messages": 12118, "span_s": 4165, "ids": 12118, "id_steps_back": 4046,
			"processed_behind": 5183, "processed_behind_max": 983, "lag_min": 2 /* ours */, "lag_max": 999 /* ours */}},

	// An exchange feed: the exchange's time, and the recorder's, whose clock is behind.
	{`hftbacktest/cm_ethusd_perp_20240808.gz --map timestamp=data.E,processed_at=$1,key=stream --null-timestamps skip`,
		map[string]int64{"messages": 40453, "without": 1, "span": 343816 /* ours: 344 s */, "peak_s": 525, "peak_ms": 36, "keys": 3,
			"lag_min": -1273, "lag_max": -1243}},

	// Requests to language models: arrivals alone.
	{`azure-llm-2023/AzureLLMInferenceTrace_code.csv`,
		map[string]int64{"messages": 8819, "span_s": 3435, "seconds": 914, "peak_s": 67}},
	{`azure-llm-2023/AzureLLMInferenceTrace_conv.csv`,
		map[string]int64{"messages": 19366, "span_s": 3501, "peak_s": 19}},

	// Windows event logs, in two pairs of columns.
	{`otrf/covenant_wmi_wbemcomn_dll_hijack.csv --map timestamp=EventTime,processed_at=EventReceivedTime,message_id=RecordNumber,key=Hostname --zone America/New_York`,
		map[string]int64{"messages": 8947, "span_s": 212, "steps_back": 2259, "peak_s": 2078, "keys": 3,
			"lag_min": 0, "lag_p50": 3000, "lag_p99": 9000, "lag_max": 9000}},
	{`otrf/covenant_wmi_wbemcomn_dll_hijack.csv --map timestamp=UtcTime,processed_at=@timestamp,key=Hostname --null-timestamps skip`,
		map[string]int64{"messages": 5937, "without": 3010, "lag_min": 233, "lag_p50": 4672, "lag_p99": 8991, "lag_max": 21568}},

	// Mail: clocks that are years off, and dates as senders write them.
	{`spamassassin/mail_times.csv --map timestamp=date_ms,processed_at=last_hop_ms,key=group --time-format ms --null-timestamps skip`,
		map[string]int64{"messages": 6044, "without": 2, "with_lag": 5909, "lag_negative": 581, "lag_min": -820536347000, "lag_p50": 6875000}},
	{`spamassassin/mail_times.csv --map timestamp=date_ms,processed_at=last_hop_ms,key=group --time-format ms --null-timestamps skip --from 1995-01-01 --to 2010-01-01`,
		map[string]int64{"messages": 5974 /* ours */, "outside": 70 /* ours */}},
	{`spamassassin/mail_times.csv --map timestamp=date_header,processed_at=date_ms,key=md5 --time-format timestamp=mail --time-format processed_at=ms --bad-rows skip`,
		map[string]int64{"messages": 5908, "bad": 138 /* ours */, "lag_min": 0, "lag_max": 0}},

	{`vega-datasets/earthquakes.json --records features --map timestamp=properties.time,processed_at=properties.updated,key=properties.net`,
		map[string]int64{"messages": 1707, "keys": 12, "lag_min": 95526 /* ours: 95.5 s */}},
	{`vega-datasets/flights-5k.json --map timestamp=date,processed_at=delay,key=origin --time-format processed_at=after:min`,
		map[string]int64{"messages": 5000, "keys": 180, "lag_min": -52 * 60_000, "lag_max": 509 * 60_000, "lag_negative": 2412}},

	// Logs. BGL has the second and, on the wall clock, the microsecond.
	{`loghub/BGL_2k.log --pattern '^\S+ (?P<processed_at>\d+) \S+ (?P<key>\S+) (?P<timestamp>\S+)' --time-format timestamp=2006-01-02-15.04.05.000000 --zone America/Los_Angeles`,
		map[string]int64{"messages": 2000, "lag_min": -999, "lag_max": -1, "keys": 1778}},
	{`loghub/Thunderbird_2k.log --pattern '^\S+ (?P<processed_at>\d+) \S+ (?P<key>\S+) (?P<timestamp>\w+ +\d+ [\d:]+)' --time-format 'timestamp=Jan _2 15:04:05' --year 2005 --zone America/Los_Angeles`,
		map[string]int64{"messages": 2000, "span_s": 871, "peak_s": 180, "lag_min": 0, "lag_max": 0, "keys": 491}},
	{`loghub/OpenStack_2k.log --pattern '^\S+ (?P<timestamp>\S+ \S+) (?P<key>\d+)'`, map[string]int64{"messages": 2000}},
	{`loghub/Zookeeper_2k.log --pattern '^(?P<timestamp>\S+ \S+) - \w+ +\[(?P<key>[^:]+)'`, map[string]int64{"messages": 2000}},
	{`loghub/Linux_2k.log --pattern '^(?P<timestamp>\w+ +\d+ [\d:]+) \S+ (?P<key>[^:[(]+)' --time-format 'Jan _2 15:04:05' --year 2005`, map[string]int64{"messages": 2000}},
	{`loghub/HealthApp_2k.log --pattern '^(?P<timestamp>[\d-]+:\d+:\d+):\d+\|(?P<key>\w+)' --time-format 20060102-15:4:5`, map[string]int64{"messages": 2000}},

	// Kafka topics, dumped by other tools; change data capture.
	{`kafka-recorded/driver-eu_VBS3_simulation_entity_item.json --map timestamp=key.dateTimeSent,key=key.distributionID`,
		map[string]int64{"messages": 488, "span_s": 362545, "seconds": 61, "peak_s": 8, "steps_back": 0, "keys": 488, "last_offset": 487}},
	{`kafka-recorded/driver-eu_scenario_simulation_entity_item.json --map timestamp=key.dateTimeSent,key=key.distributionID`,
		map[string]int64{"messages": 65, "span": 219, "last_offset": 64}},
	{`kafka-recorded/flink_debezium_postgres_times.csv --map timestamp=source_ts_ms,processed_at=ts_ms`,
		map[string]int64{"messages": 16, "lag_min": 0, "lag_max": 782}},
	{`kafka-recorded/flink_canal_mysql_times.csv --map timestamp=es_ms,processed_at=ts_ms,key=id,message_id=id`,
		map[string]int64{"messages": 11, "lag_min": 0, "lag_max": 939, "id_steps_back": 1}},
}

// refused are files beside them that hold no messages in text.
var refused = []struct{ command, want string }{
	{`kafka-recorded/flink-cdc_debezium-data-schema-exclude.json --map timestamp=source.ts_ms`, "there is no such field; the record has "},
	{`kafka-recorded/kafkajs_fetch_v11_response.json`, "there is no such field; the record has data, type"},
	{`kafka-recorded/segments/bheem6005_cities-0_00000000000000000000.log`, "is not text"},
	{`kafka-recorded/kafka-rust/fetch1.mytopic.1p.gzip.kafka.0821`, "is not text"},
}

func TestImportRealStreams(t *testing.T) {
	dir := streamsDir(t)
	for _, s := range streams {
		path := filepath.Join(t.TempDir(), "o.parquet")
		args := importArgs(dir, s.command, path)
		var stderr bytes.Buffer
		if status := Main(args, strings.NewReader(""), &bytes.Buffer{}, &stderr); status != exitOK {
			t.Errorf("%s: exit status %d: %s", s.command, status, &stderr)
			continue
		}
		got := measureStream(t, path)
		got["reordered"] = reordered(t, path)
		if got["reordered"] != got["behind"] {
			t.Errorf("%s: %d reordered messages planned, %d counted", s.command, got["reordered"], got["behind"])
		}
		runStream(t, s.command, path, got)
		got["without"], got["bad"] = leftOut(&stderr, "without a timestamp"), leftOut(&stderr, "that cannot be read")
		got["outside"] = leftOut(&stderr, "out of bounds")
		for name, want := range s.want {
			if have, ok := got[name]; !ok || have != want {
				t.Errorf("%s:\n%s is %d, want %d", s.command, name, have, want)
			}
		}
	}
	for _, r := range refused {
		path := filepath.Join(t.TempDir(), "o.parquet")
		var stderr bytes.Buffer
		status := Main(importArgs(dir, r.command, path), strings.NewReader(""), &bytes.Buffer{}, &stderr)
		if status != exitFailed || !strings.Contains(stderr.String(), r.want) {
			t.Errorf("%s: exit status %d, %s, want %s", r.command, status, &stderr, r.want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s left a capture behind", r.command)
		}
	}
	t.Logf("%d real streams imported, %d files refused as they must be", len(streams), len(refused))
}

// runStream replays an imported stream through two sites, and holds the result
// against the import. Mail whose clock was before 1970 has no second-slot id.
func runStream(t *testing.T, command, path string, imported map[string]int64) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := Main([]string{"run", "-q", path, "-o", "json"}, strings.NewReader(""), &stdout, &stderr)
	if status != exitOK {
		t.Errorf("%s: run gives exit status %d: %s", command, status, &stderr)
		return
	}
	r, err := report.ReadJSON(&stdout)
	if err != nil {
		t.Fatal(err)
	}
	if r.Input.Messages != imported["messages"] || r.Input.Disorder.Reordered != imported["behind"] {
		t.Errorf("%s: run has %d messages, %d reordered; imported were %d, %d", command,
			r.Input.Messages, r.Input.Disorder.Reordered, imported["messages"], imported["behind"])
	}
	years := strings.HasPrefix(command, "spamassassin") && !strings.Contains(command, "--from") // some before 1970
	for _, name := range r.SiteNames {
		if n := r.Sites[name].Refusals.ByReason["too-early"]; years != (n > 0) || n != r.Sites[name].Push.Refused {
			t.Errorf("%s: %d refused as too early at %s of %d", command, n, name, r.Sites[name].Push.Refused)
		}
		if d := r.Sites[name].Duplicates; d.Unexplained != 0 {
			t.Errorf("%s: %d duplicates without a cause at %s", command, d.Unexplained, name)
		}
	}
}

// streamsDir is where the real streams are.
func streamsDir(t *testing.T) string {
	t.Helper()
	root, set := os.LookupEnv("TWINDRIFT_SHARED")
	if !set {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(root, "data", "streams")
	if _, err := os.Stat(dir); err != nil {
		if set {
			t.Fatalf("TWINDRIFT_SHARED is set and %v", err)
		}
		t.Skipf("SKIPPED: no real streams at %s; set TWINDRIFT_SHARED to the folder that holds data/", dir)
	}
	return dir
}

// importArgs cuts a command line up as a shell does; the first word is a file
// in dir.
func importArgs(dir, command, output string) []string {
	args := []string{"import"}
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	args[1] = filepath.Join(dir, args[1])
	return append(args, "-o", output)
}

// leftOut reads from the summary how many records were left out.
func leftOut(stderr *bytes.Buffer, why string) int64 {
	n := int64(0)
	for line := range strings.Lines(stderr.String()) {
		if rest, ok := strings.CutPrefix(line, "  left out: "); ok && strings.Contains(rest, why) {
			for _, c := range strings.ReplaceAll(rest[:strings.IndexByte(rest, ' ')], ",", "") {
				n = n*10 + int64(c-'0')
			}
		}
	}
	return n
}

// reordered is what the plan of a replay counts behind the largest timestamp.
func reordered(t *testing.T, path string) int64 {
	t.Helper()
	c, err := parquet.Open([]string{path}, parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Partitions[0].Reordered
}

// measureStream measures a capture in one partition, plainly.
func measureStream(t *testing.T, path string) map[string]int64 {
	t.Helper()
	rows, err := pq.ReadFile[struct {
		Offset      int64  `parquet:"offset"`
		Timestamp   int64  `parquet:"timestamp"`
		KeyHash     int64  `parquet:"key_hash"`
		ProcessedAt *int64 `parquet:"processed_at,optional"`
		MessageID   *int64 `parquet:"message_id,optional"`
	}](path)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]int64{"messages": int64(len(rows)), "last_offset": rows[len(rows)-1].Offset, "steps_back": 0, "behind": 0, "id_steps_back": 0, "lag_negative": 0}
	first, last := rows[0].Timestamp, rows[0].Timestamp
	keys, ids, seconds, millis := map[int64]int64{}, map[int64]int64{}, map[int64]int64{}, map[int64]int64{}
	var lags []int64
	processed := int64(math.MinInt64)
	for i, r := range rows {
		keys[r.KeyHash]++
		seconds[r.Timestamp/1000]++
		millis[r.Timestamp]++
		if i > 0 && r.Timestamp < rows[i-1].Timestamp {
			m["steps_back"]++
		}
		if r.Timestamp < last {
			m["behind"]++
		}
		first, last = min(first, r.Timestamp), max(last, r.Timestamp)
		if r.MessageID != nil {
			ids[*r.MessageID]++
			if i > 0 && *r.MessageID < *rows[i-1].MessageID {
				m["id_steps_back"]++
			}
		}
		if r.ProcessedAt != nil {
			if *r.ProcessedAt < processed {
				m["processed_behind"]++
				m["processed_behind_max"] = max(m["processed_behind_max"], processed-*r.ProcessedAt)
			}
			processed = max(processed, *r.ProcessedAt)
			lags = append(lags, *r.ProcessedAt-r.Timestamp)
			if *r.ProcessedAt < r.Timestamp {
				m["lag_negative"]++
			}
		}
	}
	m["span"], m["span_s"] = last-first, (last-first)/1000
	m["keys"], m["ids"], m["seconds"] = int64(len(keys)), int64(len(ids)), int64(len(seconds))
	for _, n := range seconds {
		m["peak_s"] = max(m["peak_s"], n)
	}
	for _, n := range millis {
		m["peak_ms"] = max(m["peak_ms"], n)
	}
	if n := len(lags); n > 0 {
		slices.Sort(lags)
		m["with_lag"] = int64(n)
		m["lag_min"], m["lag_max"] = lags[0], lags[n-1]
		m["lag_p50"], m["lag_p99"] = lags[n/2], lags[n*99/100]
	}
	return m
}
