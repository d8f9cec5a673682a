package order

// A minute counts the elements at each second and, within a second, at each
// millisecond. A query "how many are later than this one" walks from the
// millisecond up to the minute and so answers all four grains in one go.
//
// Both minutes and seconds start as a plain list and go over to counts when it is
// full, since clocks that are far off leave many minutes with a single element.

const (
	secondsInMinute = 60
	secondsInTen    = 10
	tensInMinute    = secondsInMinute / secondsInTen
	minuteMs        = 60_000
	tenMs           = 10_000
	secondMs        = 1000
)

// moment is a time within its minute.
type moment struct{ second, ms int }

// minute holds the elements of one minute: 64 bytes while they are few.
type minute struct {
	n     int64
	few   few // milliseconds within the minute, while dense is nil
	dense *denseMinute
}

// denseMinute holds counts of the elements of one minute.
type denseMinute struct {
	tens    [tensInMinute]int64
	seconds [secondsInMinute]int64
	ms      [secondsInMinute]*millis
}

// laterCells tells how many elements of the minute lie in a later 10 s cell than a
// moment, and in a later second of the minute.
func (m *minute) laterCells(second int) (byTen, bySecond int64) {
	ten := second / secondsInTen
	if m.dense == nil {
		return m.few.count((ten+1)*tenMs, minuteMs), m.few.count((second+1)*secondMs, minuteMs)
	}
	for _, n := range m.dense.tens[ten+1:] {
		byTen += n
	}
	bySecond = byTen
	for _, n := range m.dense.seconds[second+1 : (ten+1)*secondsInTen] {
		bySecond += n
	}
	return byTen, bySecond
}

// laterInSecond is how many elements lie in the moment's second after its millisecond.
func (m *minute) laterInSecond(at moment) int64 {
	if m.dense == nil {
		start := at.second * secondMs
		return m.few.count(start+at.ms+1, start+secondMs)
	}
	block := m.dense.ms[at.second]
	if block == nil {
		return 0
	}
	return block.later(at.ms)
}

// shared tells how many elements share a cell, at each grain.
type shared struct{ ms, second, ten, minute int64 }

// add puts n elements at a moment and tells how many were there before.
func (m *minute) add(at moment, n int64, spare *spare) shared {
	before := shared{minute: m.n}
	m.n += n
	if m.dense == nil {
		start, ten := at.second*secondMs, at.second/secondsInTen*tenMs
		if m.few.put(start+at.ms, n) {
			before.ms = m.few.count(start+at.ms, start+at.ms+1) - n
			before.second = m.few.count(start, start+secondMs) - n
			before.ten = m.few.count(ten, ten+tenMs) - n
			return before
		}
		m.crowd(spare)
	}
	before.ms, before.second, before.ten = m.dense.add(at, n, spare)
	return before
}

// crowd goes over to dense counts.
func (m *minute) crowd(spare *spare) {
	m.dense = take(&spare.minutes)
	for _, ms := range m.few.all() {
		m.dense.add(moment{int(ms) / secondMs, int(ms) % secondMs}, 1, spare)
	}
}

func (d *denseMinute) add(at moment, n int64, spare *spare) (ms, second, ten int64) {
	block := d.block(at.second)
	second, ten = d.seconds[at.second], d.tens[at.second/secondsInTen]
	d.seconds[at.second] = second + n
	d.tens[at.second/secondsInTen] = ten + n
	return block.add(at.ms, n, spare), second, ten
}

// block finds or makes the block of a second.
func (d *denseMinute) block(second int) *millis {
	block := d.ms[second]
	if block == nil {
		block = new(millis)
		d.ms[second] = block
	}
	return block
}

// crowdSecond has a second counted densely, and gives its counts.
func (m *minute) crowdSecond(second int, spare *spare) *denseMillis {
	if m.dense == nil {
		m.crowd(spare)
	}
	block := m.dense.block(second)
	if block.dense == nil {
		block.crowd(spare)
	}
	return block.dense
}

// denseSecond are the counts of a second, nil while they are not dense.
func (m *minute) denseSecond(second int) *denseMillis {
	if m.dense == nil || m.dense.ms[second] == nil {
		return nil
	}
	return m.dense.ms[second].dense
}

// addedSecond accounts for n elements that the counts of a dense second hold already,
// and tells how many were there before; it does not know about those of one ms.
func (m *minute) addedSecond(second int, n int64) shared {
	d := m.dense
	block := d.ms[second].dense
	block.n += n
	before := shared{minute: m.n, second: d.seconds[second], ten: d.tens[second/secondsInTen]}
	m.n += n
	d.seconds[second] += n
	d.tens[second/secondsInTen] += n
	return before
}

// millis holds the elements of one second by millisecond.
type millis struct {
	few   few // while dense is nil
	dense *denseMillis
}

// later is how many elements lie after millisecond ms.
func (b *millis) later(ms int) int64 {
	if b.dense == nil {
		return b.few.count(ms+1, secondMs)
	}
	return b.dense.later(ms)
}

// add puts n elements at millisecond ms and tells how many were there before.
func (b *millis) add(ms int, n int64, spare *spare) (before int64) {
	if b.dense == nil {
		if b.few.put(ms, n) {
			return b.few.count(ms, ms+1) - n
		}
		b.crowd(spare)
	}
	return b.dense.add(ms, n)
}

// crowd goes over to dense counts.
func (b *millis) crowd(spare *spare) {
	b.dense = take(&spare.millis)
	for _, m := range b.few.all() {
		b.dense.add(int(m), 1)
	}
}

// few is a list of milliseconds, in any order.
type few struct {
	n    uint16
	list [23]uint16
}

func (f *few) all() []uint16 { return f.list[:f.n] }

// put appends ms n times, unless there is no room for that.
func (f *few) put(ms int, n int64) bool {
	if n > int64(len(f.list))-int64(f.n) {
		return false
	}
	for range n {
		f.list[f.n] = uint16(ms)
		f.n++
	}
	return true
}

// count is how many lie at from or later and before to.
func (f *few) count(from, to int) (n int64) {
	for _, ms := range f.list[:f.n] {
		if from <= int(ms) && int(ms) < to {
			n++
		}
	}
	return n
}

// spare keeps the memory of minutes that are done with, all zero, for later ones.
type spare struct {
	minutes []*denseMinute
	millis  []*denseMillis
}

// take takes a zero value from a list of spare ones, or makes one.
func take[T any](list *[]*T) *T {
	last := len(*list) - 1
	if last < 0 {
		return new(T)
	}
	v := (*list)[last]
	*list = (*list)[:last]
	return v
}

// keep takes the memory of a minute that is done with.
func (s *spare) keep(m *minute) {
	d := m.dense
	if d == nil {
		return
	}
	for _, block := range d.ms {
		if block == nil {
			continue
		}
		if block.dense != nil {
			*block.dense = denseMillis{}
			s.millis = append(s.millis, block.dense)
		}
		*block = millis{}
	}
	*d = denseMinute{ms: d.ms}
	s.minutes = append(s.minutes, d)
}
