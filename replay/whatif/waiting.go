package whatif

import "twindrift/replay"

// waiting holds copies until their place in the log has come: a heap by time
// of append, first come first of equals.
type waiting struct {
	heap []entry
	rows replay.Batch // by slot
	free []int32      // slots
	came int64
}

type entry struct {
	appendMs int64
	came     int64
	slot     int32
}

func (a entry) before(b entry) bool {
	return a.appendMs < b.appendMs || a.appendMs == b.appendMs && a.came < b.came
}

// put adds a copy of row i of a batch that is to be appended at a moment, and
// gives the slot of w.rows that holds it.
func (w *waiting) put(appendMs int64, from *replay.Batch, i int) int {
	var slot int32
	if n := len(w.free); n > 0 {
		slot = w.free[n-1]
		w.free = w.free[:n-1]
		setRow(&w.rows, int(slot), from, i)
	} else {
		slot = int32(w.rows.Len())
		w.rows.Append(from, i)
	}
	w.heap = append(w.heap, entry{appendMs, w.came, slot})
	w.came++
	for at := len(w.heap) - 1; at > 0; {
		parent := (at - 1) / 2
		if !w.heap[at].before(w.heap[parent]) {
			break
		}
		w.heap[at], w.heap[parent] = w.heap[parent], w.heap[at]
		at = parent
	}
	return int(slot)
}

// take gives the slot of the next copy, if it is appended by a moment. The
// slot holds it until the next put.
func (w *waiting) take(untilMs int64) (slot int, ok bool) {
	if len(w.heap) == 0 || w.heap[0].appendMs > untilMs {
		return 0, false
	}
	first, last := w.heap[0].slot, len(w.heap)-1
	w.heap[0] = w.heap[last]
	w.heap = w.heap[:last]
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < last; child++ {
			if w.heap[child].before(w.heap[least]) {
				least = child
			}
		}
		if least == at {
			break
		}
		w.heap[at], w.heap[least] = w.heap[least], w.heap[at]
		at = least
	}
	w.free = append(w.free, first)
	return int(first), true
}

// setRow overwrites row k with row i of another batch.
func setRow(b *replay.Batch, k int, o *replay.Batch, i int) {
	b.Partition[k] = o.Partition[i]
	b.Offset[k] = o.Offset[i]
	b.TimestampMs[k] = o.TimestampMs[i]
	b.TimestampType[k] = o.TimestampType[i]
	b.KeyHash[k] = o.KeyHash[i]
	b.KeyLen[k] = o.KeyLen[i]
	b.ValueLen[k] = o.ValueLen[i]
	if len(o.ProcessedAtMs) > 0 {
		b.ProcessedAtMs[k] = o.ProcessedAtMs[i]
	}
	if len(o.MessageID) > 0 {
		b.MessageID[k] = o.MessageID[i]
	}
	if len(o.RawTimestamp) > 0 {
		b.RawTimestamp[k] = o.RawTimestamp[i]
	}
}
