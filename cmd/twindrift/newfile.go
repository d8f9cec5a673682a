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
