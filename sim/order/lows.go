package order

// lows keeps the elements of a sequence that no later one has undercut, the latest
// of each y: so it knows, for the next element, the last one before it that is not
// greater. Their y ascend.
type lows struct {
	list []low // those before head are done with
	head int
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
