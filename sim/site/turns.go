package site

import "math"

// turns are the partitions with waiting messages where one message of each is in work
// at a time. What it says of a partition in work is looked up anew when its turn comes,
// since messages that come again keep partitions busy too.
type turns struct {
	parts []*partition // ascending
	later arrivalHeap  // by the moment from which the next message can go
	now   arrivalHeap  // those that could go at a moment, by the arrival of their first message
	atNs  int64        // that moment
}

func (q *turns) reset(parts []*partition) {
	q.parts, q.later, q.now, q.atNs = parts, q.later[:0], q.now[:0], math.MinInt64
	for i := range parts {
		q.wait(i)
	}
}

// wait puts a partition with waiting messages behind its message in work.
func (q *turns) wait(part int) {
	if p := q.parts[part]; p.queue.len() > 0 {
		q.later.push(arrival{max(p.queue.firstNs(), p.freeNs), part})
	}
}

// next is a moment from which a message can go, the first unless that has gone by;
// math.MaxInt64 when none waits.
func (q *turns) next() int64 {
	if q.ready() {
		return q.atNs
	}
	return q.nextLater()
}

// nextLater is the first moment at which one of later can go.
func (q *turns) nextLater() int64 {
	for len(q.later) > 0 {
		top := &q.later[0]
		freeNs := q.parts[top.part].freeNs
		if freeNs <= top.ns {
			return top.ns
		}
		top.ns = freeNs
		q.later.down(0)
	}
	return math.MaxInt64
}

// ready says whether the top of now can go.
func (q *turns) ready() bool {
	for len(q.now) > 0 {
		part := q.now[0].part
		if q.parts[part].freeNs <= q.atNs {
			return true
		}
		q.now.pop()
		q.wait(part)
	}
	return false
}

// first is the partition of the earliest arrival among those that can go at a moment,
// which is not before that of the last call; nil where none can.
func (q *turns) first(atNs int64) *partition {
	q.atNs = atNs
	for len(q.later) > 0 && q.nextLater() <= atNs {
		part := q.later[0].part
		q.later.pop()
		q.now.push(arrival{q.parts[part].queue.firstNs(), part})
	}
	if !q.ready() {
		return nil
	}
	return q.parts[q.now[0].part]
}

// gone says that the first partition's queue has moved on.
func (q *turns) gone() {
	part := q.now[0].part
	q.now.pop()
	q.wait(part)
}
