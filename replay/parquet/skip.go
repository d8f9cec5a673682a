package parquet

// skipped counts the rows of a partition that are left out because they have
// no timestamp.
type skipped struct {
	inside  int64 // between two messages
	pending int64 // since the last message
	started bool
}

// skipper leaves rows out whose timestamp is NULL.
type skipper struct {
	offset, timestamp []int64
	types             []int8
}

// drop gives the rows that have a timestamp. The result is valid until the
// next call.
func (k *skipper) drop(n *skipped, offset, timestamp []int64, types []int8) ([]int64, []int64, []int8) {
	k.offset, k.timestamp, k.types = k.offset[:0], k.timestamp[:0], k.types[:0]
	for i, ms := range timestamp {
		if ms == nullTime {
			n.pending++
			continue
		}
		if n.started {
			n.inside += n.pending
		}
		n.started, n.pending = true, 0
		k.offset = append(k.offset, offset[i])
		k.timestamp = append(k.timestamp, ms)
		if types != nil {
			k.types = append(k.types, types[i])
		}
	}
	if types == nil {
		return k.offset, k.timestamp, nil
	}
	return k.offset, k.timestamp, k.types
}
