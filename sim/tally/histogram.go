package tally

// Bin counts the values from From on and below To.
type Bin struct{ From, To, Count int64 }

// Histogram counts values between edges, which ascend; the first bin starts at the
// smallest value and the last ends after the largest. Empty bins at either end are left
// out.
func (c *Counts) Histogram(edges []int64) []Bin {
	high, ok := c.Max()
	if !ok {
		return nil
	}
	low, _ := c.Min()
	bins := []Bin{{From: low}}
	for _, edge := range edges {
		if low < edge && edge <= high {
			bins[len(bins)-1].To = edge
			bins = append(bins, Bin{From: edge})
		}
	}
	bins[len(bins)-1].To = high + 1
	at := 0
	for first, counts := range c.spans {
		for len(counts) > 0 {
			for at < len(bins)-1 && first >= bins[at+1].From {
				at++
			}
			n := len(counts)
			if at < len(bins)-1 {
				n = int(min(uint64(n), uint64(bins[at+1].From)-uint64(first)))
			}
			for _, count := range counts[:n] {
				bins[at].Count += count
			}
			first, counts = first+int64(n), counts[n:]
		}
	}
	return bins
}
