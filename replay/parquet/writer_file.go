package parquet

import (
	"fmt"

	"twindrift/replay/newfile"
)

// FileWriter is a Writer whose capture is a file, which takes its name when it is whole:
// see newfile.File.
type FileWriter struct {
	*Writer
	file *newfile.File
	path string
}

// Create starts a capture file. The caller ends with Close, or Abort; it is
// fine to defer Abort and Close as well. A file of that name is replaced by
// Close.
func Create(path string, opts WriterOptions) (*FileWriter, error) {
	f, err := newfile.Create(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w, err := NewWriter(f, opts)
	if err != nil {
		f.Abort()
		return nil, err
	}
	return &FileWriter{Writer: w, file: f, path: path}, nil
}

// Close finishes the file, brings it to the disk and gives it its name. After
// an error there is no file.
func (w *FileWriter) Close() error {
	err := w.Writer.Close()
	if err == nil {
		err = w.file.Finish()
	}
	if err != nil {
		w.Abort()
		return fmt.Errorf("%s: %w", w.path, err)
	}
	return nil
}

// Abort gives the capture up and removes what was written of it. After Close
// it does nothing.
func (w *FileWriter) Abort() {
	w.err = errClosed
	w.file.Abort()
}
