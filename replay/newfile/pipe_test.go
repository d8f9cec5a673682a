//go:build unix

package newfile

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no ordinary file is written into, and is there afterwards, also after Abort.
func TestNoOrdinaryFileStaysWhatItIs(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, end := range []func(*File) error{(*File).Finish, func(f *File) error { f.Abort(); return nil }} {
		read := make(chan string)
		go func() {
			b, _ := os.ReadFile(pipe)
			read <- string(b)
		}()
		err := end(create(t, pipe, "one"))
		if got := <-read; got != "one" || err != nil {
			t.Errorf("%q came out of the pipe: %v", got, err)
		}
		if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != os.ModeNamedPipe || len(files(t, dir)) != 1 {
			t.Errorf("the pipe has become %v: %v", info.Mode(), err)
		}
	}
}

// What the process has open as a file keeps what is in it.
func TestStreamIsAddedTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := create(t, path, "before, ")
	if err := create(t, fmt.Sprintf("/dev/fd/%d", log.file.Fd()), "one").Finish(); err != nil {
		t.Fatal(err)
	}
	if err := log.Finish(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "before, one" {
		t.Errorf("%q", got)
	}
}
