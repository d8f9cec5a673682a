package parquet

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"twindrift/replay"
)

const benchRows = 8_000_000

// benchFile makes a file once and keeps it in the folder for temporary files,
// for all benchmarks to come.
func benchFile(b *testing.B, name string, write func(*os.File)) string {
	b.Helper()
	path := filepath.Join(os.TempDir(), "twindrift-bench", name+".parquet")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path + ".tmp")
	if err != nil {
		b.Fatal(err)
	}
	write(f)
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		b.Fatal(err)
	}
	return path
}

// benchBatches makes traffic: 8 partitions in runs of run messages, about 6,600
// messages a second, timestamps out of order by up to 200 ms.
func benchBatches(run int, visit func(*replay.Batch)) {
	rng := rand.New(rand.NewPCG(1, 2))
	offsets := [8]int64{}
	p, ms := int32(0), int64(1767323045000)
	for at := 0; at < benchRows; {
		b := &replay.Batch{}
		for range min(1<<16, benchRows-at) {
			if at%run == 0 {
				p = (p + 1) % 8
			}
			if rng.IntN(20) < 3 {
				ms++
			}
			b.Partition = append(b.Partition, p)
			b.Offset = append(b.Offset, offsets[p])
			b.TimestampMs = append(b.TimestampMs, ms-rng.Int64N(200))
			b.TimestampType = append(b.TimestampType, 0)
			b.KeyHash = append(b.KeyHash, rng.Uint64()%5000)
			b.KeyLen = append(b.KeyLen, 8)
			b.ValueLen = append(b.ValueLen, 100+rng.Int32N(100))
			offsets[p]++
			at++
		}
		visit(b)
	}
}

func ownBench(run int) func(*testing.B) string {
	return func(b *testing.B) string {
		return benchFile(b, map[int]string{1: "own-1", 500: "own-500"}[run], func(f *os.File) {
			w, err := NewWriter(f, WriterOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for p := range int32(8) {
				w.Partition("orders", p)
			}
			benchBatches(run, func(batch *replay.Batch) {
				if err := w.Write(batch); err != nil {
					b.Fatal(err)
				}
			})
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// foreignBench is a file with plain columns, as others write them.
func foreignBench(name string, codec compress.Codec) func(*testing.B) string {
	type row struct {
		Topic     string `parquet:"topic,dict"`
		Partition int32  `parquet:"partition"`
		Offset    int64  `parquet:"offset"`
		Timestamp int64  `parquet:"timestamp,timestamp(millisecond)"`
	}
	return func(b *testing.B) string {
		return benchFile(b, name, func(f *os.File) {
			w := pq.NewGenericWriter[row](f, pq.Compression(codec), pq.MaxRowsPerRowGroup(1_000_000))
			benchBatches(1, func(batch *replay.Batch) {
				list := make([]row, batch.Len())
				for i := range list {
					list[i] = row{"orders", batch.Partition[i], batch.Offset[i], batch.TimestampMs[i]}
				}
				if _, err := w.Write(list); err != nil {
					b.Fatal(err)
				}
			})
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

var benchCaptures = []struct {
	name string
	make func(*testing.B) string
}{
	{"own/run=1", ownBench(1)},
	{"own/run=500", ownBench(500)},
	{"plain", foreignBench("plain", &pq.Uncompressed)},
	{"snappy", foreignBench("snappy", &pq.Snappy)},
	{"zstd", foreignBench("zstd", &pq.Zstd)},
}

// BenchmarkPlan is what twindrift inspect takes.
func BenchmarkPlan(b *testing.B) {
	for _, c := range benchCaptures {
		b.Run(c.name, func(b *testing.B) {
			path := c.make(b)
			b.ResetTimer()
			b.ReportAllocs()
			for b.Loop() {
				capture, err := Open([]string{path}, Options{})
				if err != nil {
					b.Fatal(err)
				}
				plan, err := capture.Plan(context.Background(), nil)
				if err != nil || plan.Messages != benchRows {
					b.Fatal(plan, err)
				}
			}
			b.ReportMetric(float64(benchRows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// BenchmarkStream is one pass over all columns.
func BenchmarkStream(b *testing.B) {
	for _, c := range benchCaptures {
		b.Run(c.name, func(b *testing.B) {
			capture, err := Open([]string{c.make(b)}, Options{})
			if err != nil {
				b.Fatal(err)
			}
			plan, err := capture.Plan(context.Background(), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			b.ReportAllocs()
			for b.Loop() {
				rows := 0
				err := replay.Walk(context.Background(), capture, plan, func(batch *replay.Batch) error {
					rows += batch.Len()
					return nil
				})
				if err != nil || rows != benchRows {
					b.Fatal(rows, err)
				}
			}
			b.ReportMetric(float64(benchRows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
