package parquet

import "slices"

// pieceRows is the rows of a slab, those of each piece together and in the
// order that they had.
type pieceRows struct {
	bounds    []int32 // piece i has rows bounds[i] to bounds[i+1]
	offset    []int64
	timestamp []int64
	types     []int8
	buffers   struct {
		offset, timestamp []int64
		types             []int8
	}
}

// byPiece sorts the rows of a slab. The result is valid until the next call.
func (r *pieceRows) byPiece(s *slab, pieces int) *pieceRows {
	r.bounds = slices.Grow(r.bounds[:0], pieces+2)[:pieces+2]
	clear(r.bounds)
	for _, at := range s.piece {
		r.bounds[at+2]++
	}
	for i := 2; i < len(r.bounds); i++ {
		r.bounds[i] += r.bounds[i-1]
	}
	first := s.piece[0]
	if int(r.bounds[first+2]-r.bounds[first+1]) == s.n {
		r.offset, r.timestamp, r.types = s.offset, s.timestamp, s.types
		copy(r.bounds, r.bounds[1:])
		return r
	}
	b := &r.buffers
	b.offset = slices.Grow(b.offset[:0], s.n)[:s.n]
	b.timestamp = slices.Grow(b.timestamp[:0], s.n)[:s.n]
	next := r.bounds[1:] // grows to the bounds after it
	for i, at := range s.piece {
		to := next[at]
		next[at]++
		b.offset[to] = s.offset[i]
		b.timestamp[to] = s.timestamp[i]
	}
	r.offset, r.timestamp, r.types = b.offset, b.timestamp, nil
	if s.types != nil {
		b.types = slices.Grow(b.types[:0], s.n)[:s.n]
		copy(next, r.bounds[:pieces])
		for i, at := range s.piece {
			b.types[next[at]] = s.types[i]
			next[at]++
		}
		r.types = b.types
	}
	return r
}
