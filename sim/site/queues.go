package site

import "math"

// workers is a binary heap of when each worker of a process is free.
type workers []int64

func newWorkers(n int) workers {
	q := make(workers, n)
	for i := range q {
		q[i] = math.MinInt64
	}
	return q
}

// next is when the worker that is free first is free.
func (q workers) next() int64 { return q[0] }

// busyUntil keeps that worker busy.
func (q workers) busyUntil(ns int64) {
	i := 0
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1] < q[child] {
			child++
		}
		if q[child] >= ns {
			break
		}
		q[i] = q[child]
		i = child
	}
	q[i] = ns
}

// arrivals is a binary heap of partitions with waiting messages, the one whose
// first message arrived earliest on top (ties by partition).
type arrivals struct {
	parts []*partition // ascending
	heap  arrivalHeap
}

// arrival is when a partition's first message arrived.
type arrival struct {
	ns   int64
	part int // of arrivals.parts
}

func (q *arrivals) reset(parts []*partition) {
	q.parts, q.heap = parts, q.heap[:0]
	for i, p := range parts {
		if p.queue.len() > 0 {
			q.heap = append(q.heap, arrival{p.queue.firstNs(), i})
		}
	}
	for i := len(q.heap)/2 - 1; i >= 0; i-- {
		q.heap.down(i)
	}
}

// first is the partition whose message goes next; nil when none waits.
func (q *arrivals) first() *partition {
	if len(q.heap) == 0 {
		return nil
	}
	return q.parts[q.heap[0].part]
}

// run is first, and the moment before which its messages go before all others.
func (q *arrivals) run() (p *partition, untilNs int64) {
	h := q.heap
	if len(h) == 0 {
		return nil, 0
	}
	p, untilNs = q.parts[h[0].part], math.MaxInt64
	if len(h) > 1 {
		second := h[1]
		if len(h) > 2 && h[2].before(second) {
			second = h[2]
		}
		untilNs = second.ns
		if h[0].part < second.part && untilNs < math.MaxInt64 { // ties are its own
			untilNs++
		}
	}
	return p, untilNs
}

// next puts the heap right after the first partition's queue has moved on.
func (q *arrivals) next() {
	if p := q.first(); p.queue.len() > 0 {
		q.heap[0].ns = p.queue.firstNs()
		q.heap.down(0)
	} else {
		q.heap.pop()
	}
}

// arrivalHeap is a binary heap of arrivals, the earliest on top.
type arrivalHeap []arrival

func (q *arrivalHeap) push(a arrival) {
	h := append(*q, a)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !a.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = a
	*q = h
}

func (q *arrivalHeap) pop() {
	h := *q
	n := len(h) - 1
	h[0] = h[n]
	*q = h[:n]
	if n > 1 {
		h[:n].down(0)
	}
}

func (q arrivalHeap) down(i int) {
	h := q
	top := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(top) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = top
}

func (a arrival) before(b arrival) bool {
	return a.ns < b.ns || a.ns == b.ns && a.part < b.part
}

// started is a message in work whose id is not drawn yet.
type started struct {
	drawNs    int64
	partition *partition
	message   waiting
}

// drawQueue is a binary heap of started messages in the order of their draws:
// by draw time, ties by partition (topic, number), offset and delivery (MODEL 4).
type drawQueue []started

func (a *started) before(b *started) bool {
	if a.drawNs != b.drawNs {
		return a.drawNs < b.drawNs
	}
	if a.partition != b.partition {
		return a.partition.index < b.partition.index
	}
	if a.message.ordinal != b.message.ordinal {
		return a.message.ordinal < b.message.ordinal
	}
	if a.message.delivery != b.message.delivery {
		return a.message.delivery < b.message.delivery
	}
	if a.message.repeat != b.message.repeat {
		return b.message.repeat
	}
	return a.message.arrivalNs < b.message.arrivalNs || a.message.arrivalNs == b.message.arrivalNs && a.message.drawn < b.message.drawn
}

// order makes a heap of what stands in q.
func (q drawQueue) order() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

func (q *drawQueue) push(s started) {
	h := append(*q, s)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !s.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = s
	*q = h
}

func (q *drawQueue) pop() started {
	h := *q
	top, n := h[0], len(h)-1
	h[0] = h[n]
	*q = h[:n]
	if n > 1 {
		h[:n].down(0)
	}
	return top
}

func (q drawQueue) down(i int) {
	s := q[i]
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1].before(&q[child]) {
			child++
		}
		if !q[child].before(&s) {
			break
		}
		q[i] = q[child]
		i = child
	}
	q[i] = s
}
