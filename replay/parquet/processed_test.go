package parquet

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"twindrift/replay"
)

// readProcessed writes rows and reads their processed_at back.
func readProcessed[R any](t *testing.T, o Options, rows ...R) ([]int64, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.parquet")
	if err := pq.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	c, err := Open([]string{path}, o)
	if err != nil {
		return nil, err
	}
	if _, err := c.Plan(context.Background(), nil); err != nil {
		return nil, err
	}
	stream, err := c.Open(context.Background())
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	var b replay.Batch
	err = stream.Next(0, &b)
	return b.ProcessedAtMs, err
}

// processed_at is a time like timestamp: of the type's unit, or the user's, or ms.
func TestProcessedAtUnits(t *testing.T) {
	const ms = int64(1767323045123)
	type micros struct {
		Timestamp int64  `parquet:"timestamp,timestamp(millisecond)"`
		Processed *int64 `parquet:"processed_at,optional,timestamp(microsecond)"`
	}
	type plain struct {
		Timestamp int64 `parquet:"timestamp"`
		Processed int64 `parquet:"processed_at"`
	}
	type text struct {
		Timestamp int64  `parquet:"timestamp,timestamp(millisecond)"`
		Processed string `parquet:"processed_at"`
	}
	type other struct {
		Timestamp int64   `parquet:"timestamp,timestamp(millisecond)"`
		Processed float64 `parquet:"processed_at"`
	}
	got, err := readProcessed(t, Options{}, micros{ms, ptr(ms*1000 + 999)}, micros{ms, nil})
	if err != nil || !slices.Equal(got, []int64{ms, replay.NoTimestamp}) {
		t.Errorf("microseconds: %v, %v", got, err)
	}
	got, err = readProcessed(t, Options{}, plain{ms, ms + 5}, plain{ms, -1})
	if err != nil || !slices.Equal(got, []int64{ms + 5, replay.NoTimestamp}) {
		t.Errorf("plain: %v, %v", got, err)
	}
	got, err = readProcessed(t, Options{TimestampUnit: "us"}, plain{ms * 1000, ms*1000 + 5000}, plain{ms * 1000, -1})
	if err != nil || !slices.Equal(got, []int64{ms + 5, replay.NoTimestamp}) {
		t.Errorf("plain, named: %v, %v", got, err)
	}
	got, err = readProcessed(t, Options{}, text{ms, "2026-01-02T03:04:05.123Z"})
	if err != nil || !slices.Equal(got, []int64{ms}) {
		t.Errorf("text: %v, %v", got, err)
	}
	_, err = readProcessed(t, Options{}, plain{ms, ms * 1000})
	if err == nil || !strings.Contains(err.Error(), `column "processed_at": row 0: values disagree on the unit: 1767323045123000 (16 digits) looks like us`) {
		t.Errorf("plain of another unit: %v", err)
	}
	_, err = readProcessed(t, Options{}, other{ms, 1})
	if err == nil || !strings.Contains(err.Error(), `column "processed_at": not supported: its type is DOUBLE, wanted is a timestamp`) {
		t.Errorf("no time: %v", err)
	}
}
