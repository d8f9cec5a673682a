package spill

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Owner is one user of a Store. It belongs to one goroutine. A nil Owner has
// all the memory it wants.
type Owner struct {
	store *Store
	held  int64
	bytes []byte // scratch
}

// Owner makes a further owner. Of a nil store it is nil.
func (s *Store) Owner() *Owner {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owners++
	return &Owner{store: s}
}

// Err is Store.Err; nil of a nil Owner.
func (o *Owner) Err() error {
	if o == nil {
		return nil
	}
	return o.store.Err()
}

// PageWords is how long a piece is best, or a multiple of it.
func (o *Owner) PageWords() int { return o.store.pageWords }

// Kept is a piece on disk. The zero value is an empty one.
type Kept struct {
	pages []int64
	n     int
}

// Len is the number of words.
func (k *Kept) Len() int { return k.n }

// Holds says how many bytes the owner holds in memory now, and gives how many
// of them it should write: none while all owners together keep to the budget,
// else what goes beyond half of its equal share.
func (o *Owner) Holds(bytes int64) (excess int64) {
	if o == nil {
		return 0
	}
	all := o.store.held.Add(bytes - o.held)
	o.held = bytes
	if all <= o.store.limit || o.store.Err() != nil {
		return 0
	}
	return max(0, bytes-o.store.limit/o.store.owners/2)
}

// Shed tells the store what the owner holds, size bytes in each of things, and
// where that is too much has the largest written, which says whether it was.
func Shed[T any](o *Owner, things []T, size func(T) int64, write func(T) bool) {
	if o == nil {
		return
	}
	var held int64
	for _, t := range things {
		held += size(t)
	}
	excess := o.Holds(held)
	if excess == 0 {
		return
	}
	slices.SortStableFunc(things, func(a, b T) int { return cmp.Compare(size(b), size(a)) })
	worth := int64(o.store.pageWords) * wordBytes / leastPerPage
	for _, t := range things {
		bytes := size(t)
		if excess <= 0 || bytes < worth || !write(t) {
			break
		}
		excess -= bytes
		held -= bytes
	}
	o.Holds(held)
}

// Write puts words on disk. Where that fails it says false and keeps nothing;
// Store.Err tells why.
func (o *Owner) Write(words []int64) (Kept, bool) {
	s, k := o.store, Kept{n: len(words)}
	for page := range slices.Chunk(words, s.pageWords) {
		o.bytes = o.bytes[:0]
		for _, w := range page {
			o.bytes = binary.LittleEndian.AppendUint64(o.bytes, uint64(w))
		}
		at := s.take()
		k.pages = append(k.pages, at)
		if _, err := s.file.WriteAt(o.bytes, s.offset(at)); err != nil {
			s.fail("writing", err)
			s.giveBack(k.pages)
			return Kept{}, false
		}
	}
	s.written.Add(int64(len(words)) * wordBytes)
	return k, true
}

// Read appends a piece to words and takes it off the disk. Where that fails the
// words are zeros, and Store.Err tells why.
func (o *Owner) Read(k *Kept, words []int64) []int64 {
	s := o.store
	words = slices.Grow(words, k.n)
	for _, at := range k.pages {
		n := min(k.n, s.pageWords)
		k.n -= n
		o.bytes = slices.Grow(o.bytes[:0], n*wordBytes)[:n*wordBytes]
		if _, err := s.file.ReadAt(o.bytes, s.offset(at)); err != nil {
			s.fail("reading back", err)
			clear(o.bytes)
		}
		for b := o.bytes; len(b) > 0; b = b[wordBytes:] {
			words = append(words, int64(binary.LittleEndian.Uint64(b)))
		}
	}
	o.Drop(k)
	return words
}

// Drop takes a piece off the disk unread.
func (o *Owner) Drop(k *Kept) {
	o.store.giveBack(k.pages)
	*k = Kept{}
}
