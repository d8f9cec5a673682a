package order

import "math"

// timeline is the set of elements seen so far, by time. It answers how many of
// them are later than a given time at each grain, and keeps the count of tied
// pairs at each grain. The minute used last stays at hand, and with it the number
// of elements in later minutes, which cannot change as long as that minute is the
// only one that grows.
type timeline struct {
	minutes tree

	hot      *minute
	hotStart int64  // ms; wraps around at the ends of int64, differences stay right
	hotFirst int64  // hotStart, or the smallest int64 when that is later
	hotWidth uint64 // ms from hotFirst to the end of the minute or of int64
	hotLater int64  // elements in minutes after the hot one
	hotAdded int64  // elements added to the hot minute that the tree does not know of yet

	n     int64         // elements, those released included
	maxMs int64         // the latest of them
	tied  [Grains]int64 // pairs in one cell

	floorMinute int64
	hasFloor    bool
	spare       spare
}

// locate makes the minute of a time the hot one.
func (t *timeline) locate(ms int64) moment {
	if t.hot == nil || uint64(ms-t.hotFirst) >= t.hotWidth {
		t.heat(floorDiv(ms, minuteMs))
	}
	r := uint32(ms - t.hotStart)
	return moment{int(r / secondMs), int(r % secondMs)}
}

// heat makes the minute with the given key the hot one.
func (t *timeline) heat(key int64) {
	t.cool()
	t.hot, t.hotLater = t.minutes.find(key)
	t.hotStart = key * minuteMs
	t.hotFirst, t.hotWidth = t.hotStart, minuteMs
	if key == floorDiv(math.MinInt64, minuteMs) {
		t.hotFirst = math.MinInt64
		t.hotWidth = uint64(t.hotStart + minuteMs - math.MinInt64)
	} else if left := uint64(math.MaxInt64 - t.hotStart); left < minuteMs {
		t.hotWidth = left + 1
	}
}

// cool tells the tree what the hot minute got.
func (t *timeline) cool() {
	if t.hotAdded > 0 {
		t.minutes.add(t.hotAdded)
		t.hotAdded = 0
	}
}

// later tells at each grain how many elements lie in a later cell than a time, the
// moment at of the hot minute.
func (t *timeline) later(ms int64, at moment) (byMs, bySecond, byTen, byMinute int64) {
	if uint64(t.maxMs-ms) >= uint64(secondMs-at.ms) { // unless all that is later is in the same second
		byTen, bySecond = t.hot.laterCells(at.second)
		byMinute = t.hotLater
		byTen += byMinute
		bySecond += byMinute
	}
	return bySecond + t.hot.laterInSecond(at), bySecond, byTen, byMinute
}

// laterThanSecond is later at the grains from one second up; the grain of 1 ms
// stays 0.
func (t *timeline) laterThanSecond(second int64) (later [Grains]int64) {
	key := floorDiv(second, secondsInMinute)
	if t.hot == nil || t.hotStart != key*minuteMs {
		t.heat(key)
	}
	byTen, bySecond := t.hot.laterCells(int(second - key*secondsInMinute))
	return [Grains]int64{0, t.hotLater + bySecond, t.hotLater + byTen, t.hotLater}
}

// isLatest tells whether no element lies after a time.
func (t *timeline) isLatest(ms int64) bool { return ms >= t.maxMs || t.n == 0 }

// add puts n elements at a time, the moment at of the hot minute.
func (t *timeline) add(ms int64, at moment, n int64) {
	if t.isLatest(ms) {
		t.maxMs = ms
	}
	before := t.hot.add(at, n, &t.spare)
	t.tied[0] += n * before.ms
	t.tied[1] += n * before.second
	t.tied[2] += n * before.ten
	t.tied[3] += n * before.minute
	if n > 1 {
		among := choose2(n)
		for g := range t.tied {
			t.tied[g] += among
		}
	}
	t.hotAdded += n
	t.n += n
}

// denseSecond are the counts of the second in which a time, the moment at of the hot
// minute, lies, and its start; nil while they are not dense, and at the ends of int64.
func (t *timeline) denseSecond(ms int64, at moment) (block *denseMillis, start int64) {
	start = ms - int64(at.ms)
	if start > ms || start > math.MaxInt64-secondMs {
		return nil, 0
	}
	return t.hot.denseSecond(at.second), start
}

// addedSecond accounts for n elements that a dense second of the hot minute has just
// got, the latest of them at maxMs: tied pairs among them and with those before at
// the grain of 1 ms, and the sum of what was later in the second at each. It adds
// the discordant pairs.
func (t *timeline) addedSecond(second int, maxMs, n, tied, later int64, discordant *[Grains]int64) {
	byTen, bySecond := t.hot.laterCells(second)
	discordant[0] += later + n*(bySecond+t.hotLater)
	discordant[1] += n * (bySecond + t.hotLater)
	discordant[2] += n * (byTen + t.hotLater)
	discordant[3] += n * t.hotLater

	if t.n == 0 || maxMs > t.maxMs {
		t.maxMs = maxMs
	}
	before := t.hot.addedSecond(second, n)
	among := choose2(n)
	t.tied[0] += tied
	t.tied[1] += n*before.second + among
	t.tied[2] += n*before.ten + among
	t.tied[3] += n*before.minute + among
	t.hotAdded += n
	t.n += n
}

// release forgets the minutes that lie wholly below a time; their tied pairs stay
// counted.
func (t *timeline) release(floorMs int64) {
	key := floorDiv(floorMs, minuteMs)
	if t.hasFloor && key <= t.floorMinute {
		return
	}
	t.floorMinute, t.hasFloor = key, true
	t.cool()
	t.hot = nil
	t.minutes.drop(key, t.spare.keep)
}
