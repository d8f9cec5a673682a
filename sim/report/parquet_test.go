package report

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"twindrift/sim/result"
)

var twoPartitions = []result.InputPartition{{Topic: "orders", Partition: 3}, {Topic: "quotes", Partition: 0}}

// deliveryRow is how a plain reader of Parquet sees a delivery.
type deliveryRow struct {
	Site        string    `parquet:"site"`
	Consumer    int32     `parquet:"consumer"`
	Node        int32     `parquet:"node"`
	Topic       string    `parquet:"topic"`
	Partition   int32     `parquet:"partition"`
	Offset      int64     `parquet:"offset"`
	EventTime   time.Time `parquet:"event_time,timestamp(millisecond)"`
	AppendTime  time.Time `parquet:"append_time,timestamp(millisecond)"`
	ArrivalTime time.Time `parquet:"arrival_time,timestamp(nanosecond)"`
	DrawTime    time.Time `parquet:"draw_time,timestamp(nanosecond)"`
	State       string    `parquet:"state"`
	ID          *int64    `parquet:"id,optional"`
	BaselineID  *int64    `parquet:"baseline_id,optional"`
}

func TestParquetGivesBackEveryDelivery(t *testing.T) {
	const at = 1_772_449_200_000 // 2026-03-02 11:00 UTC
	const id = int64(639_080_000_001_000_000)
	var file bytes.Buffer
	p, err := NewParquet(&file, twoPartitions)
	if err != nil {
		t.Fatal(err)
	}
	east := &result.Deliveries{
		Site: "east", Node: 1, Consumer: 0,
		Partition: []int32{0, 1, 0, 1}, Offset: []int64{7, 0, 8, 1},
		EventMs: []int64{at, at + 1, -5, 0}, AppendMs: []int64{at, at + 1, at, at + 1},
		ArrivalNs: []int64{at*1e6 + 1, at*1e6 + 2, at*1e6 + 3, at*1e6 + 4},
		DrawNs:    []int64{at*1e6 + 11, at*1e6 + 12, at*1e6 + 13, at*1e6 + 14},
		State:     []uint8{result.Pushed, result.Filtered, result.Late, result.StoreOff},
		ID:        []int64{id, 0, id + 200, id + 400}, BaselineID: []int64{id + 1, 0, id + 201, id + 401},
	}
	west := &result.Deliveries{
		Site: "west", Node: 2, Consumer: 1,
		Partition: []int32{1}, Offset: []int64{0}, EventMs: []int64{at}, AppendMs: []int64{at},
		ArrivalNs: []int64{at * 1e6}, DrawNs: []int64{at * 1e6},
		State: []uint8{result.Filtered}, ID: []int64{0}, BaselineID: []int64{0},
	}
	for _, d := range []*result.Deliveries{east, west} {
		if err := p.Deliver(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}

	got, err := pq.Read[deliveryRow](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	ns := func(n int64) time.Time { return time.Unix(0, at*1e6+n).UTC() }
	ms := func(n int64) time.Time { return time.UnixMilli(n).UTC() }
	want := []deliveryRow{
		{"east", 0, 1, "orders", 3, 7, ms(at), ms(at), ns(1), ns(11), "pushed", new(id), new(id + 1)},
		{"east", 0, 1, "quotes", 0, 0, ms(at + 1), ms(at + 1), ns(2), ns(12), "filtered", nil, nil},
		{"east", 0, 1, "orders", 3, 8, ms(-5), ms(at), ns(3), ns(13), "late", new(id + 200), new(id + 201)},
		{"east", 0, 1, "quotes", 0, 1, ms(0), ms(at + 1), ns(4), ns(14), "store-off", new(id + 400), new(id + 401)},
		{"west", 1, 2, "quotes", 0, 0, ms(at), ms(at), ns(0), ns(0), "filtered", nil, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
}

func TestParquetSchema(t *testing.T) {
	var file bytes.Buffer
	p, err := NewParquet(&file, nil)
	if err == nil {
		err = p.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := pq.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	want := `message deliveries {
	required binary site (STRING);
	required int32 consumer (INT(32,true));
	required int32 node (INT(32,true));
	required binary topic (STRING);
	required int32 partition (INT(32,true));
	required int64 offset (INT(64,true));
	required int64 event_time (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	required int64 append_time (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	required int64 arrival_time (TIMESTAMP(isAdjustedToUTC=true,unit=NANOS));
	required int64 draw_time (TIMESTAMP(isAdjustedToUTC=true,unit=NANOS));
	required binary state (STRING);
	optional int64 id (INT(64,true));
	optional int64 baseline_id (INT(64,true));
}`
	if diff := cmp.Diff(want, f.Schema().String()); diff != "" {
		t.Errorf("schema differs (-want +got):\n%s", diff)
	}
	if f.NumRows() != 0 {
		t.Errorf("%d rows", f.NumRows())
	}
}

func TestParquetRowGroups(t *testing.T) {
	var file bytes.Buffer
	p, err := NewParquet(&file, twoPartitions)
	if err != nil {
		t.Fatal(err)
	}
	d := someDeliveries(300_001)
	for range 7 {
		if err := p.Deliver(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := pq.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var rows []int64
	for _, g := range f.RowGroups() {
		rows = append(rows, g.NumRows())
	}
	if want := []int64{1_000_000, 1_000_000, 100_007}; !cmp.Equal(rows, want) {
		t.Errorf("row groups of %d rows, want %d", rows, want)
	}
	r := pq.NewGenericReader[deliveryRow](f)
	got := make([]deliveryRow, 1)
	for _, at := range []int64{0, 999_999, 1_000_000, 1_234_567, 2_100_006} {
		if err := r.SeekToRow(at); err != nil {
			t.Fatal(err)
		}
		if n, err := r.Read(got); n != 1 {
			t.Fatalf("row %d: %v", at, err)
		}
		if i := at % 300_001; got[0].Offset != d.Offset[i] || got[0].DrawTime.UnixNano() != d.DrawNs[i] || *got[0].ID != d.ID[i] {
			t.Errorf("row %d: %+v", at, got[0])
		}
	}
}

func TestParquetRefuses(t *testing.T) {
	for name, break1 := range map[string]func(*result.Deliveries){
		"partition": func(d *result.Deliveries) { d.Partition[1] = 2 },
		"negative":  func(d *result.Deliveries) { d.Partition[1] = -1 },
		"state":     func(d *result.Deliveries) { d.State[1] = 6 },
		"short":     func(d *result.Deliveries) { d.ID = d.ID[:1] },
	} {
		p, err := NewParquet(io.Discard, twoPartitions)
		if err != nil {
			t.Fatal(err)
		}
		d := someDeliveries(2)
		break1(d)
		if err := p.Deliver(d); err == nil || !strings.Contains(err.Error(), "site east") {
			t.Errorf("%s: error %v", name, err)
		}
		if p.Close() == nil {
			t.Errorf("%s: closed well after an error", name)
		}
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{ room int }

func (f *fullDisk) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestParquetSaysThatTheDiskIsFull(t *testing.T) {
	p, err := NewParquet(&fullDisk{room: 10_000}, twoPartitions)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Deliver(someDeliveries(100_000)); err == nil {
		err = p.Close()
		if !errors.Is(err, errFull) {
			t.Errorf("error %v", err)
		}
	}
}

// someDeliveries makes n deliveries that look like those of a run.
func someDeliveries(n int) *result.Deliveries {
	d := &result.Deliveries{Site: "east", Node: 1}
	for i := range int64(n) {
		ms := 1_772_449_200_000 + i/5
		d.Partition = append(d.Partition, int32(i%2))
		d.Offset = append(d.Offset, i/2)
		d.EventMs = append(d.EventMs, ms)
		d.AppendMs = append(d.AppendMs, ms)
		d.ArrivalNs = append(d.ArrivalNs, ms*1e6+i*7919%1e6)
		d.DrawNs = append(d.DrawNs, ms*1e6+i*104729%1e7)
		d.State = append(d.State, result.Pushed)
		d.ID = append(d.ID, 639_080_000_000_000_000+i*200)
		d.BaselineID = append(d.BaselineID, 639_080_000_000_000_000+i*200)
	}
	return d
}

func BenchmarkParquet(b *testing.B) {
	p, err := NewParquet(io.Discard, twoPartitions)
	if err != nil {
		b.Fatal(err)
	}
	d := someDeliveries(65_536)
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Deliver(d); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*65_536/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
