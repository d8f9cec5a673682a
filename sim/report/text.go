package report

import (
	"io"

	"twindrift/sim/result"
)

// TextOptions say how Text is to look. The zero value is fine.
type TextOptions struct {
	Width    int      // columns; 0 means 80, and less is taken as 80
	Color    bool     // with ANSI colours, for terminals only
	Captures []string // where the messages came from, for the head line
}

// Text writes a result for people.
func Text(w io.Writer, r *result.Result, opts TextOptions) error {
	return nil
}
