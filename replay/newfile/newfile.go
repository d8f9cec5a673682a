// Package newfile makes files that take their name when they are whole.
package newfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File goes by .NAME.tmp in the folder of its name, a name that readers of captures pass
// over, until Finish. What is no ordinary file (/dev/null, a named pipe) is written to
// directly and stays what it is, and what the process has open (/dev/stdout) is added to. The
// caller ends with Finish or Abort; it is fine to defer Abort and Finish as well.
type File struct {
	name string // as it was asked for
	path string // the name to take; empty when it is written to directly
	file *os.File
	done bool
}

// Create starts a file. Errors do not say its name, but what is wrong with it.
func Create(name string) (*File, error) {
	if name == "-" {
		return nil, errors.New("name a file (./- is one of that name)")
	}
	if isStream(name) { // a file that it goes to may have something in it
		return open(name, os.O_WRONLY|os.O_APPEND)
	}
	path, err := filepath.EvalSymlinks(name)
	if err != nil { // there is none yet
		path = name
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, errors.New("this is a folder; name a file in it")
	}
	if err == nil && !info.Mode().IsRegular() {
		return open(name, os.O_WRONLY)
	}
	dir := filepath.Dir(path)
	f, err := os.Create(filepath.Join(dir, "."+filepath.Base(path)+".tmp"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s; make it first", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("folder %s takes no file of this name: %w; name another", dir, reason(err))
	}
	return &File{name: name, path: path, file: f}, nil
}

// open is a file that is written to directly.
func open(name string, flag int) (*File, error) {
	f, err := os.OpenFile(name, flag, 0)
	if err != nil {
		return nil, reason(err)
	}
	return &File{name: name, file: f}, nil
}

// isStream says whether a name is that of something which the process has open.
func isStream(name string) bool {
	return name == "/dev/stdout" || name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// Write writes (io.Writer). Errors say the name that was asked for.
func (f *File) Write(p []byte) (n int, err error) {
	n, err = f.file.Write(p)
	return n, f.named("write", err)
}

// named is an error of the file by the name that was asked for.
func (f *File) named(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: f.name, Err: reason(err)}
}

// reason is an error without the paths that it is about.
func reason(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if between, ok := errors.AsType[*os.LinkError](err); ok {
		return between.Err
	}
	return err
}

// Finish brings the file to the disk and gives it its name, in place of a file that has it.
// After an error there is no file.
func (f *File) Finish() error {
	if f.done {
		return nil
	}
	if f.path == "" {
		f.done = true
		return f.named("close", f.file.Close())
	}
	if err := f.file.Sync(); err != nil {
		f.Abort()
		return f.named("sync", err)
	}
	f.done = true
	if err := f.file.Close(); err != nil {
		os.Remove(f.file.Name())
		return f.named("close", err)
	}
	if err := os.Rename(f.file.Name(), f.path); err != nil {
		os.Remove(f.file.Name())
		return f.named("rename", err)
	}
	return nil
}

// Abort gives the file up and removes what was written of it. After Finish it does nothing.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.file.Close()
	if f.path != "" {
		os.Remove(f.file.Name())
	}
}
