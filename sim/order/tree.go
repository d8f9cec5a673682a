package order

// tree is a counted B+ tree: minutes in ascending order of their key, each node
// knowing how many elements lie under each child, so that "how many elements lie
// in later minutes" is a walk from the root to the minute. Keys arrive nearly
// ascending, so searches begin at the right; minutes are removed from the left only.
type tree struct {
	root *node
	path []step // from the root to the minute found last
}

// step is one branch taken on the way down.
type step struct {
	node *node
	at   int
}

const fanout = 64

type node struct {
	n       int
	keys    [fanout]int64   // the smallest key under each child
	counts  [fanout]int64   // the elements under each child
	kids    [fanout]*node   // of an inner node
	minutes [fanout]*minute // of a leaf
	leaf    bool
}

// find gives the minute with the key, an empty one when it is new, and the number
// of elements in later minutes. The path to it stays valid until the next find or
// drop.
func (t *tree) find(key int64) (m *minute, later int64) {
	if t.root == nil {
		t.root = &node{leaf: true}
	}
	t.path = t.path[:0]
	nd := t.root
	for {
		i := nd.n - 1
		for ; i >= 0 && nd.keys[i] > key; i-- {
			later += nd.counts[i]
		}
		if nd.leaf {
			if i >= 0 && nd.keys[i] == key {
				t.path = append(t.path, step{nd, i})
				return nd.minutes[i], later
			}
			m = new(minute)
			t.insert(nd, i+1, key, m)
			return m, later
		}
		if i < 0 { // smaller than everything: goes under the first child
			i = 0
			later -= nd.counts[0]
			nd.keys[0] = key
		}
		t.path = append(t.path, step{nd, i})
		nd = nd.kids[i]
	}
}

// insert puts a new minute at place i of the leaf to which the path leads, and
// completes the path.
func (t *tree) insert(leaf *node, i int, key int64, m *minute) {
	if leaf.n < fanout {
		leaf.open(i)
		leaf.keys[i], leaf.minutes[i] = key, m
		t.path = append(t.path, step{leaf, i})
		return
	}
	t.split(leaf, len(t.path), i == fanout)
	// The way down is another now; the leaf it ends at has room.
	t.path = t.path[:0]
	for leaf = t.root; !leaf.leaf; {
		at := leaf.below(key)
		t.path = append(t.path, step{leaf, at})
		leaf = leaf.kids[at]
	}
	t.insert(leaf, leaf.below(key)+1, key, m)
}

// below is the last child with a key at or below the given one, or the first
// child of an inner node when there is none, -1 in a leaf.
func (nd *node) below(key int64) int {
	i := nd.n - 1
	for i >= 0 && nd.keys[i] > key {
		i--
	}
	if !nd.leaf {
		i = max(i, 0)
	}
	return i
}

// open makes room for a child at place i.
func (nd *node) open(i int) {
	copy(nd.keys[i+1:nd.n+1], nd.keys[i:nd.n])
	copy(nd.counts[i+1:nd.n+1], nd.counts[i:nd.n])
	copy(nd.kids[i+1:nd.n+1], nd.kids[i:nd.n])
	copy(nd.minutes[i+1:nd.n+1], nd.minutes[i:nd.n])
	nd.counts[i], nd.kids[i], nd.minutes[i] = 0, nil, nil
	nd.n++
}

// split moves the upper half of a full node to a new right neighbour; depth is
// the number of steps of the path above it. When keys are being appended only the
// last child moves, which leaves full nodes behind.
func (t *tree) split(nd *node, depth int, appending bool) {
	keep := fanout / 2
	if appending {
		keep = fanout - 1
	}
	right := &node{leaf: nd.leaf, n: nd.n - keep}
	copy(right.keys[:], nd.keys[keep:nd.n])
	copy(right.counts[:], nd.counts[keep:nd.n])
	copy(right.kids[:], nd.kids[keep:nd.n])
	copy(right.minutes[:], nd.minutes[keep:nd.n])
	clear(nd.kids[keep:])
	clear(nd.minutes[keep:])
	nd.n = keep

	if depth == 0 {
		t.root = &node{}
		t.root.put(0, nd)
		t.root.put(1, right)
		return
	}
	parent := t.path[depth-1]
	if parent.node.n == fanout {
		t.split(parent.node, depth-1, parent.at == fanout-1)
		// The parent of nd may now be the new neighbour.
		parent.node, parent.at = t.parentOf(nd)
	}
	parent.node.counts[parent.at] = nd.total()
	parent.node.put(parent.at+1, right)
}

// put makes kid a child at place i.
func (nd *node) put(i int, kid *node) {
	nd.open(i)
	nd.keys[i], nd.counts[i], nd.kids[i] = kid.keys[0], kid.total(), kid
}

// parentOf finds the parent of a node by its smallest key.
func (t *tree) parentOf(kid *node) (*node, int) {
	nd := t.root
	for {
		i := nd.below(kid.keys[0])
		if nd.kids[i] == kid {
			return nd, i
		}
		nd = nd.kids[i]
	}
}

func (nd *node) total() (total int64) {
	for _, n := range nd.counts[:nd.n] {
		total += n
	}
	return total
}

// add counts n more elements under the minute found last.
func (t *tree) add(n int64) {
	for _, s := range t.path {
		s.node.counts[s.at] += n
	}
}

// drop removes the minutes with keys below key, each given to release first.
func (t *tree) drop(key int64, release func(*minute)) {
	t.path = t.path[:0]
	if t.root == nil {
		return
	}
	t.root.drop(key, release)
	for !t.root.leaf && t.root.n == 1 {
		t.root = t.root.kids[0]
	}
	if t.root.n == 0 {
		t.root = nil
	}
}

func (nd *node) drop(key int64, release func(*minute)) {
	gone := 0
	for ; gone < nd.n; gone++ {
		if nd.leaf {
			if nd.keys[gone] >= key {
				break
			}
			release(nd.minutes[gone])
			continue
		}
		kid := nd.kids[gone]
		kid.drop(key, release)
		if kid.n > 0 {
			nd.keys[gone], nd.counts[gone] = kid.keys[0], kid.total()
			break
		}
	}
	if gone == 0 {
		return
	}
	left := nd.n - gone
	copy(nd.keys[:], nd.keys[gone:nd.n])
	copy(nd.counts[:], nd.counts[gone:nd.n])
	copy(nd.kids[:], nd.kids[gone:nd.n])
	copy(nd.minutes[:], nd.minutes[gone:nd.n])
	clear(nd.kids[left:nd.n])
	clear(nd.minutes[left:nd.n])
	nd.n = left
}
