package parquet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FileWriter is a Writer whose capture is a file. The file takes its name only
// when it is whole: until Close it goes by .NAME.tmp in the same folder, a
// name that readers of captures pass over.
type FileWriter struct {
	*Writer
	file *os.File
	path string
}

// Create starts a capture file. The caller ends with Close, or Abort; it is
// fine to defer Abort and Close as well. A file of that name is replaced by
// Close.
func Create(path string, opts WriterOptions) (*FileWriter, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: this is a folder; name a file in it", path)
	}
	dir := filepath.Dir(path)
	temporary := filepath.Join(dir, "."+filepath.Base(path)+".tmp")
	f, err := os.Create(temporary)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no folder %s; make it first", path, dir)
	}
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(f, opts)
	if err != nil {
		f.Close()
		os.Remove(temporary)
		return nil, err
	}
	return &FileWriter{Writer: w, file: f, path: path}, nil
}

// Close finishes the file, brings it to the disk and gives it its name. After
// an error there is no file.
func (w *FileWriter) Close() error {
	err := w.Writer.Close()
	if err == nil {
		err = w.file.Sync()
	}
	if err != nil {
		w.Abort()
		return fmt.Errorf("%s: %w", w.path, err)
	}
	if err := w.file.Close(); err != nil {
		w.Abort()
		return err
	}
	temporary := w.file.Name()
	w.file = nil
	return os.Rename(temporary, w.path)
}

// Abort gives the capture up and removes what was written of it. After Close
// it does nothing.
func (w *FileWriter) Abort() {
	if w.file == nil {
		return
	}
	w.err = errClosed
	w.file.Close()
	os.Remove(w.file.Name())
	w.file = nil
}
