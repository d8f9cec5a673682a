package secondslot

// Digits fills ownerMs and nodes, which are as long as ids, with OwnerMs and
// Node of each; nodes may be nil.
func (l Layout) Digits(ids, ownerMs, nodes []int64) {
	ownerMs = ownerMs[:len(ids)]
	if nodes == nil {
		for i, id := range ids {
			if id < 0 {
				ownerMs[i] = l.OwnerMs(id)
				continue
			}
			ownerMs[i] = int64(uint64(id)/msTicks) - Epoch/msTicks - l.UTCOffsetMs
		}
		return
	}
	nodes = nodes[:len(ids)]
	for i, id := range ids {
		if id < 0 {
			ownerMs[i], nodes[i] = l.OwnerMs(id), l.Node(id)
			continue
		}
		u := uint64(id)
		ownerMs[i] = int64(u/msTicks) - Epoch/msTicks - l.UTCOffsetMs
		nodes[i] = int64(u / nodeTicks % 10)
	}
}
