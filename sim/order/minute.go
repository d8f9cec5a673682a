package order

// moments counts how many elements stand at each second of one minute and, within
// a second, at each millisecond, and adds up as it goes how many pairs of elements
// share a cell. A query "how many are later than this one" walks from the
// millisecond up to the minute and so answers all four grains in one go.

const (
	secondsInMinute = 60
	secondsInTen    = 10
	tensInMinute    = secondsInMinute / secondsInTen
	minuteMs        = 60_000
	secondMs        = 1000
)

// minute holds the elements of one minute.
type minute struct {
	n       int64
	tens    [tensInMinute]int64
	seconds [secondsInMinute]int64
	ms      [secondsInMinute]*millis
}

// laterTens is how many elements lie in later 10 s cells of the minute than second s.
func (m *minute) laterTens(s int) (later int64) {
	for _, n := range m.tens[s/secondsInTen+1:] {
		later += n
	}
	return later
}

// laterSeconds is how many elements lie in later seconds of the 10 s cell of s.
func (m *minute) laterSeconds(s int) (later int64) {
	for _, n := range m.seconds[s+1 : (s/secondsInTen+1)*secondsInTen] {
		later += n
	}
	return later
}

// millis holds the elements of one second by millisecond: the first few as a
// plain list, more as one count for each millisecond. Clocks that are far off
// leave many seconds with a single element, which then cost 64 bytes each.
type millis struct {
	dense *denseMillis
	n     int // of few, when dense is nil
	few   [24]uint16
}

// later is how many elements lie after millisecond ms.
func (b *millis) later(ms int) (later int64) {
	d := b.dense
	if d == nil {
		for _, m := range b.few[:b.n] {
			if int(m) > ms {
				later++
			}
		}
		return later
	}
	return d.later(ms)
}

// add puts n elements at millisecond ms and tells how many were there before. When
// the list of the first few is full it goes over to counts, from spare if there
// are some.
func (b *millis) add(ms int, n int64, spare *[]*denseMillis) (before int64) {
	if b.dense != nil {
		return b.dense.add(ms, n)
	}
	if n > int64(len(b.few)-b.n) {
		b.dense = takeSpare(spare)
		for _, m := range b.few[:b.n] {
			b.dense.add(int(m), 1)
		}
		return b.dense.add(ms, n)
	}
	for _, m := range b.few[:b.n] {
		if int(m) == ms {
			before++
		}
	}
	for range n {
		b.few[b.n] = uint16(ms)
		b.n++
	}
	return before
}

// takeSpare takes a zeroed value from the list of spare ones, or makes one.
func takeSpare[T any](spare *[]*T) *T {
	last := len(*spare) - 1
	if last < 0 {
		return new(T)
	}
	v := (*spare)[last]
	*spare = (*spare)[:last]
	return v
}
