package report

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"

	"twindrift/sim/result"
)

// rowGroupRows is the number of deliveries in a row group.
const rowGroupRows = 1_000_000

// chunkRows is how many values of one column are handed over at a time.
const chunkRows = 8192

// Parquet writes the deliveries of a run to a Parquet file, one row a delivery
// and site, in the order in which they are delivered:
//
//	site, topic    string
//	consumer       int32, index within the site
//	node           int32, the consumer's node number
//	partition      int32
//	offset         int64
//	event_time     timestamp, ms UTC
//	append_time    timestamp, ms UTC: when the source log held the message
//	arrival_time   timestamp, ns UTC: at the site; 2262-04-11 for anything later
//	draw_time      timestamp, ns UTC: of the id, likewise
//	state          string, one of result.DeliveryStateNames
//	id             int64, NULL where the message was filtered or refused; of a
//	               stream's entry as twindrift packs it, ms and sequence
//	baseline_id    int64, NULL where none was drawn
//
// It is a result.DeliverySink. Close finishes the file.
type Parquet struct {
	writer  *pq.GenericWriter[any]
	columns []deliveryColumn
	known   knownValues
	values  []pq.Value
	rows    int // in the row group
	err     error
}

// knownValues are the values that come again and again, made once.
type knownValues struct {
	topic, number []pq.Value // by index of the partition
	state         []pq.Value
	site          map[string]pq.Value
}

// deliveryColumn is a column of the file: its place in the schema, and how rows
// lo to hi of some deliveries become values.
type deliveryColumn struct {
	name string
	node pq.Node
	fill func(k *knownValues, d *result.Deliveries, lo int, values []pq.Value)
}

// NewParquet starts a file of deliveries. partitions are those of the run's
// input, which Deliveries.Partition counts.
func NewParquet(w io.Writer, partitions []result.InputPartition) (*Parquet, error) {
	p := &Parquet{columns: deliveryColumns(), values: make([]pq.Value, chunkRows)}
	p.known.site = map[string]pq.Value{}
	for _, in := range partitions {
		p.known.topic = append(p.known.topic, pq.ByteArrayValue([]byte(in.Topic)))
		p.known.number = append(p.known.number, pq.Int32Value(in.Partition))
	}
	for _, name := range result.DeliveryStateNames {
		p.known.state = append(p.known.state, pq.ByteArrayValue([]byte(name)))
	}
	config, err := pq.NewWriterConfig(
		pq.Compression(&pq.Snappy),
		pq.SkipPageBounds("site"), pq.SkipPageBounds("topic"), pq.SkipPageBounds("state"), // a sixth of the time
		pq.CreatedBy("twindrift", "", ""),
		deliverySchema(p.columns),
	)
	if err != nil {
		return nil, err
	}
	p.writer = pq.NewGenericWriter[any](w, config)
	return p, nil
}

// Deliver writes some deliveries. After an error the file is of no use.
func (p *Parquet) Deliver(d *result.Deliveries) error {
	if p.err == nil {
		p.err = p.deliver(d)
	}
	return p.err
}

func (p *Parquet) deliver(d *result.Deliveries) error {
	if err := p.check(d); err != nil {
		return err
	}
	for lo, n := 0, len(d.Offset); lo < n; {
		rows := min(n-lo, chunkRows, rowGroupRows-p.rows)
		for i, c := range p.columns {
			values := p.values[:rows]
			c.fill(&p.known, d, lo, values)
			if _, err := p.writer.ColumnWriters()[i].WriteRowValues(values); err != nil {
				return fmt.Errorf("column %s: %w", c.name, err)
			}
		}
		lo += rows
		if p.rows += rows; p.rows == rowGroupRows {
			p.rows = 0
			if err := p.writer.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// check refuses deliveries that would not make sense as rows.
func (p *Parquet) check(d *result.Deliveries) error {
	n := len(d.Offset)
	for _, l := range []int{len(d.Partition), len(d.EventMs), len(d.AppendMs), len(d.ArrivalNs),
		len(d.DrawNs), len(d.State), len(d.ID), len(d.BaselineID)} {
		if l != n {
			return fmt.Errorf("deliveries of site %s: columns of %d and %d rows", d.Site, n, l)
		}
	}
	for i := range n {
		if uint(d.Partition[i]) >= uint(len(p.known.topic)) || int(d.State[i]) >= len(p.known.state) {
			return fmt.Errorf("delivery of site %s: partition %d of %d, state %d of %d",
				d.Site, d.Partition[i], len(p.known.topic), d.State[i], len(p.known.state))
		}
	}
	if _, ok := p.known.site[d.Site]; !ok {
		p.known.site[d.Site] = pq.ByteArrayValue([]byte(d.Site))
	}
	return nil
}

// Close writes what is left. It does not close the io.Writer.
func (p *Parquet) Close() error {
	if p.err != nil {
		return p.err
	}
	return p.writer.Close()
}
