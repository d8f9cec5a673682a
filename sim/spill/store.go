package spill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
)

// Store is a temporary file of pages and the budget of those who use it. All
// its methods may be called from several goroutines.
type Store struct {
	limit     int64 // bytes that may be held in memory
	pageWords int
	held      atomic.Int64 // bytes held by all owners
	written   atomic.Int64 // bytes, all told
	failure   atomic.Pointer[error]

	mu     sync.Mutex
	file   *os.File
	stays  bool // the file has a name and must be removed
	free   []int64
	pages  int64
	owners int64
}

const (
	wordBytes    = 8
	mostPerPage  = 4096 // words
	leastPerPage = 16
)

// New makes a store in the folder dir, overriding the default, that for
// temporary files, for owners that hold at most limit bytes in memory. Nothing
// is left of it after Close, or after the process has ended.
func New(limit int64, dir string) (*Store, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	f, err := os.CreateTemp(dir, "twindrift-*.spill")
	if err != nil {
		if at, ok := errors.AsType[*fs.PathError](err); ok { // the name made up is of no use
			err = at.Err
		}
		return nil, fmt.Errorf("folder %s, for what does not fit into memory: %w; name another (--temp-dir)", dir, err)
	}
	s := &Store{limit: limit, file: f}
	s.pageWords = int(min(max(limit/wordBytes/256, leastPerPage), mostPerPage))
	s.stays = os.Remove(f.Name()) != nil // an open file may not be removable everywhere
	return s, nil
}

// Close gives the disk back. A nil store has nothing to close.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	err := s.file.Close()
	if s.stays {
		if e := os.Remove(s.file.Name()); err == nil {
			err = e
		}
	}
	return err
}

// Err is the first reason for which something could not be written or read
// back; results are worth nothing then. A nil store has none.
func (s *Store) Err() error {
	if s == nil {
		return nil
	}
	if p := s.failure.Load(); p != nil {
		return *p
	}
	return nil
}

// Written is how many bytes have gone to disk so far.
func (s *Store) Written() int64 {
	if s == nil {
		return 0
	}
	return s.written.Load()
}

func (s *Store) fail(doing string, err error) {
	err = fmt.Errorf("%s what does not fit into memory: %w; give the run more of it (--memory), or another folder (--temp-dir)", doing, err)
	s.failure.CompareAndSwap(nil, &err)
}

// take gives the number of a free page.
func (s *Store) take() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		page := s.free[n-1]
		s.free = s.free[:n-1]
		return page
	}
	s.pages++
	return s.pages - 1
}

func (s *Store) giveBack(pages []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, pages...)
}

// offset is where a page stands in the file.
func (s *Store) offset(page int64) int64 { return page * int64(s.pageWords) * wordBytes }
