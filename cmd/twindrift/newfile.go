package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// newFile is a file that takes its name when it is whole; until then it goes by
// .NAME.tmp in the same folder. What is no ordinary file (/dev/null, a named
// pipe) is written to directly.
type newFile struct {
	*os.File
	path string // the name to take; empty when it is written to directly
	done bool
}

func createFile(path string) (*newFile, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, errors.New("this is a folder; name a file in it")
	}
	if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &newFile{File: f}, err
	}
	dir := filepath.Dir(path)
	f, err := os.Create(filepath.Join(dir, "."+filepath.Base(path)+".tmp"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s; make it first", dir)
	}
	return &newFile{File: f, path: path}, err
}

// notAnInput refuses to write over what the command reads; flag names the output.
func (t *terminal) notAnInput(flag, path string) error {
	for _, read := range t.reads {
		if sameFile(read, path) {
			return usagef("%s is both read and written; say another name after %s", path, flag)
		}
	}
	return nil
}

// sameFile tells whether two paths lead to one file. Devices are not meant: a
// terminal is read and written.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

func (f *newFile) finish() error {
	if f.done {
		return nil
	}
	if err := f.Close(); err != nil {
		return err
	}
	f.done = true
	if f.path == "" {
		return nil
	}
	return os.Rename(f.Name(), f.path)
}

func (f *newFile) abort() {
	if f.done {
		return
	}
	f.done = true
	f.Close()
	if f.path != "" {
		os.Remove(f.Name())
	}
}
