package report

import (
	pq "github.com/parquet-go/parquet-go"

	"twindrift/sim/result"
)

// deliveryColumns lists the columns of a file of deliveries in their order.
func deliveryColumns() []deliveryColumn {
	dict := func(n pq.Node) pq.Node { return pq.Encoded(n, &pq.RLEDictionary) }
	delta := func(n pq.Node) pq.Node { return pq.Encoded(n, &pq.DeltaBinaryPacked) }
	int32s, int64s := pq.Leaf(pq.Int32Type), pq.Leaf(pq.Int64Type)

	list := []deliveryColumn{
		{"site", dict(pq.String()), func(k *knownValues, d *result.Deliveries, _ int, values []pq.Value) {
			fillWith(values, k.site[d.Site])
		}},
		{"consumer", dict(int32s), func(_ *knownValues, d *result.Deliveries, _ int, values []pq.Value) {
			fillWith(values, pq.Int32Value(int32(d.Consumer)))
		}},
		{"node", dict(int32s), func(_ *knownValues, d *result.Deliveries, _ int, values []pq.Value) {
			fillWith(values, pq.Int32Value(int32(d.Node)))
		}},
		{"topic", dict(pq.String()), func(k *knownValues, d *result.Deliveries, lo int, values []pq.Value) {
			for i, p := range d.Partition[lo : lo+len(values)] {
				values[i] = k.topic[p]
			}
		}},
		{"partition", dict(int32s), func(k *knownValues, d *result.Deliveries, lo int, values []pq.Value) {
			for i, p := range d.Partition[lo : lo+len(values)] {
				values[i] = k.number[p]
			}
		}},
		{"offset", delta(int64s), fillInt64(func(d *result.Deliveries) []int64 { return d.Offset })},
		{"event_time", delta(pq.Timestamp(pq.Millisecond)), fillInt64(func(d *result.Deliveries) []int64 { return d.EventMs })},
		{"append_time", delta(pq.Timestamp(pq.Millisecond)), fillInt64(func(d *result.Deliveries) []int64 { return d.AppendMs })},
		{"arrival_time", delta(pq.Timestamp(pq.Nanosecond)), fillInt64(func(d *result.Deliveries) []int64 { return d.ArrivalNs })},
		{"draw_time", delta(pq.Timestamp(pq.Nanosecond)), fillInt64(func(d *result.Deliveries) []int64 { return d.DrawNs })},
		{"state", dict(pq.String()), func(k *knownValues, d *result.Deliveries, lo int, values []pq.Value) {
			for i, s := range d.State[lo : lo+len(values)] {
				values[i] = k.state[s]
			}
		}},
	}
	id := func(name string, of func(*result.Deliveries) []int64, has func(*result.Deliveries, int) bool) {
		list = append(list, deliveryColumn{name, pq.Optional(delta(int64s)), fillID(len(list), of, has)})
	}
	id("id", func(d *result.Deliveries) []int64 { return d.ID },
		func(d *result.Deliveries, i int) bool {
			return d.State[i] != result.Filtered && d.State[i] != result.Refused
		})
	id("baseline_id", func(d *result.Deliveries) []int64 { return d.BaselineID },
		func(d *result.Deliveries, i int) bool { return d.BaselineID[i] != 0 })
	return list
}

func fillWith(values []pq.Value, v pq.Value) {
	for i := range values {
		values[i] = v
	}
}

func fillInt64(of func(*result.Deliveries) []int64) func(*knownValues, *result.Deliveries, int, []pq.Value) {
	return func(_ *knownValues, d *result.Deliveries, lo int, values []pq.Value) {
		for i, v := range of(d)[lo : lo+len(values)] {
			values[i] = pq.Int64Value(v)
		}
	}
}

// fillID writes NULL where there is no id.
func fillID(column int, of func(*result.Deliveries) []int64, has func(*result.Deliveries, int) bool) func(*knownValues, *result.Deliveries, int, []pq.Value) {
	null := pq.NullValue().Level(0, 0, column)
	return func(_ *knownValues, d *result.Deliveries, lo int, values []pq.Value) {
		for i, v := range of(d)[lo : lo+len(values)] {
			if !has(d, lo+i) {
				values[i] = null
			} else {
				values[i] = pq.Int64Value(v).Level(0, 1, column)
			}
		}
	}
}

// inOrder is a Parquet group that keeps its fields in the order given, where
// pq.Group sorts them by name.
type inOrder struct {
	pq.Group
	fields []pq.Field
}

func (g inOrder) Fields() []pq.Field { return g.fields }

func deliverySchema(list []deliveryColumn) *pq.Schema {
	g := inOrder{Group: pq.Group{}}
	for _, c := range list {
		g.Group[c.name] = c.node
	}
	byName := map[string]pq.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	for _, c := range list {
		g.fields = append(g.fields, byName[c.name])
	}
	return pq.NewSchema("deliveries", g)
}
