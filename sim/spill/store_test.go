package spill

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func newStore(t *testing.T, limit int64) *Store {
	t.Helper()
	s, err := New(limit, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Pieces of any length come back as they went, whatever was read or dropped
// between, and pages are used again.
func TestPiecesComeBack(t *testing.T) {
	store := newStore(t, 1)
	o := store.Owner()
	rapid.Check(t, func(t *rapid.T) {
		var kept []Kept
		var want [][]int64
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(kept) > 0 && rapid.Bool().Draw(t, "read") {
				i := rapid.IntRange(0, len(kept)-1).Draw(t, "piece")
				if rapid.IntRange(0, 3).Draw(t, "drop") == 0 {
					o.Drop(&kept[i])
				} else if got := o.Read(&kept[i], []int64{7}); got[0] != 7 || !slices.Equal(got[1:], want[i]) {
					t.Fatalf("%v, want 7 and %v", got, want[i])
				}
				kept, want = slices.Delete(kept, i, i+1), slices.Delete(want, i, i+1)
				continue
			}
			words := rapid.SliceOfN(rapid.Int64(), 0, 3*store.pageWords).Draw(t, "words")
			k, ok := o.Write(words)
			if !ok || k.Len() != len(words) {
				t.Fatalf("%d words kept of %d: %v", k.Len(), len(words), store.Err())
			}
			kept, want = append(kept, k), append(want, words)
		}
		for i := range kept {
			if got := o.Read(&kept[i], nil); !slices.Equal(got, want[i]) {
				t.Fatalf("%v, want %v", got, want[i])
			}
		}
	})
	if int64(len(store.free)) != store.pages {
		t.Errorf("%d of %d pages are free when all was read", len(store.free), store.pages)
	}
	if store.pages > 40*4 {
		t.Errorf("%d pages for 40 pieces at a time", store.pages)
	}
}

// Owners in goroutines of their own do not read each other's pieces.
func TestOwnersSideBySide(t *testing.T) {
	store := newStore(t, 1)
	var wait sync.WaitGroup
	for n := range int64(4) {
		o := store.Owner()
		wait.Go(func() {
			for i := range int64(200) {
				words := []int64{n, i, n * i}
				k, ok := o.Write(words)
				if got := o.Read(&k, nil); !ok || !slices.Equal(got, words) {
					t.Errorf("%v, want %v", got, words)
				}
			}
		})
	}
	wait.Wait()
}

// Nothing is written within the budget; past it the largest are, until the
// owner holds half its share.
func TestShed(t *testing.T) {
	store := newStore(t, 4000)
	o, other := store.Owner(), store.Owner()
	var written []int64
	shed := func(sizes ...int64) []int64 {
		written = nil
		Shed(o, sizes, func(n int64) int64 { return n }, func(n int64) bool {
			written = append(written, n)
			return true
		})
		return written
	}
	if got := shed(3000, 900); len(got) > 0 {
		t.Errorf("%v written within the budget", got)
	}
	other.Holds(2000)
	if got := shed(500, 900, 400, 800); !slices.Equal(got, []int64{900, 800}) {
		t.Errorf("%v written of 2600 bytes, of which 1000 may stay", got)
	}
	if store.held.Load() != 2900 {
		t.Errorf("%d bytes held, want 2900", store.held.Load())
	}
	if got := shed(500, 400); len(got) > 0 {
		t.Errorf("%v written when there was room again", got)
	}
}

func TestNoRoom(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	if _, err := New(1, missing); err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "--temp-dir") {
		t.Errorf("error %v, want one that names the folder and the way out", err)
	}
	store := newStore(t, 1)
	o := store.Owner()
	k, _ := o.Write([]int64{1, 2, 3})
	store.file.Close() // as a disk that is gone
	if _, ok := o.Write([]int64{4}); ok || store.Err() == nil || !strings.Contains(store.Err().Error(), "--memory") {
		t.Errorf("written to a closed file; error %v", store.Err())
	}
	if got := o.Read(&k, nil); !slices.Equal(got, make([]int64, 3)) {
		t.Errorf("%v read from a closed file", got)
	}
}

// The file is gone when the store is closed, and where the system allows it
// even before, for a process that is killed.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	s, err := New(1, dir)
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := os.ReadDir(dir); len(names) > 0 && runtime.GOOS != "windows" {
		t.Errorf("%v stands while the store is in use", names)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("%v is left", names)
	}
}

// Without a store there is no budget.
func TestNoStore(t *testing.T) {
	var s *Store
	o := s.Owner()
	if o.Holds(1<<60) != 0 || o.Err() != nil || s.Err() != nil || s.Written() != 0 || s.Close() != nil {
		t.Error("a nil store is not without limits")
	}
	Shed(o, []int{1}, func(int) int64 { return 1 << 60 }, func(int) bool { t.Error("written"); return true })
}
