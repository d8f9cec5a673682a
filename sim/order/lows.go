package order

import "math"

// lows keeps the elements of a sequence that no later one has undercut, the latest
// of each y: so it knows, for the next element, the last one before it that is not
// greater. Their y ascend.
type lows struct {
	list []low // those before head are done with
	head int
	kept []low // scratch
}

type low struct{ at, yMs int64 }

// add takes the next element and gives the position of the last one before it with
// a y at or below its own, -1 when all are greater.
func (l *lows) add(at, yMs int64) (notGreater int64) {
	top := len(l.list) - 1
	for top >= l.head && l.list[top].yMs > yMs {
		top--
	}
	if top < l.head {
		l.push(top+1, low{at, yMs})
		return -1
	}
	notGreater = l.list[top].at
	if l.list[top].yMs == yMs {
		l.list[top].at = at
		l.list = l.list[:top+1]
		return notGreater
	}
	l.push(top+1, low{at, yMs})
	return notGreater
}

// at is the position of the element at a place of the list, -1 where that is before
// its first.
func (l *lows) at(place int) int64 {
	if place < l.head {
		return -1
	}
	return l.list[place].at
}

// addBlock takes the elements of a sorted block, the first of which stands at a
// position. Of these it keeps the last one, the last before it that is not greater, and
// so on; of equals the first that is found.
func (l *lows) addBlock(b *Block, first int64) {
	kept := l.kept[:0]
	lowest := int64(math.MaxInt64)
	for k := len(b.ysMs); k > 0; k = int(b.notGreater[k-1]) {
		if y := b.ysMs[k-1]; y < lowest {
			lowest = y
			kept = append(kept, low{first + int64(k) - 1, y})
		}
	}
	top := len(l.list) - 1
	for top >= l.head && l.list[top].yMs >= lowest {
		top--
	}
	l.list = l.list[:top+1]
	for i := len(kept) - 1; i >= 0; i-- {
		l.push(len(l.list), kept[i])
	}
	l.kept = kept
}

// push puts an element at a place and drops those from there on, moving the live
// ones down when there is no room and half of the slice is done with.
func (l *lows) push(place int, e low) {
	l.list = l.list[:place]
	if place == cap(l.list) && l.head > place/2 {
		l.list = l.list[:copy(l.list, l.list[l.head:])]
		l.head = 0
	}
	l.list = append(l.list, e)
}

// release forgets what no element at or above the floor has to look for: all but
// the last element at or below it.
func (l *lows) release(floorMs int64) {
	for l.head < len(l.list)-1 && l.list[l.head+1].yMs <= floorMs {
		l.head++
	}
}
