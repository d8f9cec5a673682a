package site

import "slices"

// waiting is a message that has been appended and has not been started.
type waiting struct {
	arrivalNs  int64
	eventMs    int64
	appendMs   int64
	offset     int64
	ordinal    int64
	delivery   int32 // how often it was started before
	drawn      int32 // how often it drew an id, or was filtered, before
	serviceNs  int64
	handlingNs int64
	state      State
	repeat     bool // it comes by chance, not from the log; never in a queue
	recurs     bool // it comes once more by chance; of one that has been started
}

// queue is messages of one partition that wait, in the order in which they go: no
// later row arrives earlier. They stand in columns of one length.
type queue struct {
	head int // rows before it have been started

	arrivalNs, eventMs, appendMs, offset, ordinal []int64

	// What is 0 for nearly all: rows past the end of such a column have 0.
	state                 []State
	delivery, drawn       []int32
	serviceNs, handlingNs []int64
}

// len is how many messages wait.
func (q *queue) len() int { return len(q.arrivalNs) - q.head }

// firstNs is the arrival of the first message; there is one.
func (q *queue) firstNs() int64 { return q.arrivalNs[q.head] }

// first is the first message; there is one.
func (q *queue) first() waiting { return q.at(q.head) }

// at is the message in row i.
func (q *queue) at(i int) waiting {
	return waiting{
		arrivalNs: q.arrivalNs[i], eventMs: q.eventMs[i], appendMs: q.appendMs[i], offset: q.offset[i], ordinal: q.ordinal[i],
		delivery: orZero(q.delivery, i), drawn: orZero(q.drawn, i), state: orZero(q.state, i),
		serviceNs: orZero(q.serviceNs, i), handlingNs: orZero(q.handlingNs, i),
	}
}

// add puts a message behind the others.
func (q *queue) add(m *waiting) {
	n := len(q.arrivalNs)
	q.arrivalNs, q.eventMs, q.appendMs = append(q.arrivalNs, m.arrivalNs), append(q.eventMs, m.eventMs), append(q.appendMs, m.appendMs)
	q.offset, q.ordinal = append(q.offset, m.offset), append(q.ordinal, m.ordinal)
	q.state = appendRare(q.state, n, m.state)
	q.delivery, q.drawn = appendRare(q.delivery, n, m.delivery), appendRare(q.drawn, n, m.drawn)
	q.work(n, m)
}

// work sets how long the last message, row i, keeps its worker and when it draws.
func (q *queue) work(i int, m *waiting) {
	q.serviceNs, q.handlingNs = appendRare(q.serviceNs, i, m.serviceNs), appendRare(q.handlingNs, i, m.handlingNs)
}

// addAll puts the rows from..to of another queue behind the others.
func (q *queue) addAll(o *queue, from, to int) {
	for i := from; i < to; i++ {
		m := o.at(i)
		q.add(&m)
	}
}

// reserve makes room for n messages in an empty queue.
func (q *queue) reserve(n int) {
	q.arrivalNs, q.eventMs, q.appendMs = make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n)
	q.offset, q.ordinal = make([]int64, 0, n), make([]int64, 0, n)
}

// clear empties the queue and keeps its memory.
func (q *queue) clear() { q.drop(len(q.arrivalNs)) }

// compact drops the messages that have been started, unless they are few.
func (q *queue) compact() {
	if q.head*2 >= len(q.arrivalNs) {
		q.drop(q.head)
	}
}

// drop drops the first n rows; those that have been started are among them.
func (q *queue) drop(n int) {
	q.head = 0
	q.arrivalNs, q.eventMs, q.appendMs = drop(q.arrivalNs, n), drop(q.eventMs, n), drop(q.appendMs, n)
	q.offset, q.ordinal, q.state = drop(q.offset, n), drop(q.ordinal, n), drop(q.state, n)
	q.delivery, q.drawn = drop(q.delivery, n), drop(q.drawn, n)
	q.serviceNs, q.handlingNs = drop(q.serviceNs, n), drop(q.handlingNs, n)
}

func drop[T any](s []T, n int) []T { return s[:copy(s, s[min(n, len(s)):])] }

// orZero is row i of a column that may end before it.
func orZero[T any](column []T, i int) (v T) {
	if i < len(column) {
		v = column[i]
	}
	return v
}

// appendRare makes v row i of a column that ends before it.
func appendRare[T comparable](column []T, i int, v T) []T {
	if v == *new(T) {
		return column
	}
	return append(zeros(column, i), v)
}

// zeros lengthens a column to n rows.
func zeros[T any](column []T, n int) []T {
	from := len(column)
	column = slices.Grow(column, n-from)[:n]
	clear(column[from:])
	return column
}
