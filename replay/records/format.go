package records

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Format is how a file holds its records.
type Format string

// The formats.
const (
	Detect       Format = ""              // by the first line
	CSV          Format = "csv"           // rows of separated values
	NDJSON       Format = "ndjson"        // a JSON value a line: kcat -J, kaf
	JSON         Format = "json"          // JSON values one after the other, or arrays of them: rpk
	PrefixedJSON Format = "prefixed-json" // plain fields and a JSON value on each line
	Log          Format = "log"           // lines cut up by a pattern
)

// Formats lists those that can be asked for by name.
var Formats = []Format{CSV, NDJSON, JSON, PrefixedJSON, Log}

func checkFormat(f Format) error {
	if f == Detect || slices.Contains(Formats, f) {
		return nil
	}
	names := make([]string, len(Formats))
	for i, known := range Formats {
		names[i] = string(known)
	}
	return fmt.Errorf("format %q is not known; the formats are %s", f, strings.Join(names, ", "))
}

// detect tells the format from the first line that is not empty.
func detect(in *bufio.Reader) Format {
	head, _ := in.Peek(in.Size())
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, whole := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return CSV
	}
	switch line[0] {
	case '{':
		if whole && json.Valid(line) {
			return NDJSON
		}
		return JSON
	case '[':
		if rest := bytes.TrimSpace(head[1:]); len(rest) > 0 && bytes.IndexByte([]byte(`{[]"`), rest[0]) >= 0 {
			return JSON
		}
	}
	if prefix, value := splitPrefix(line); value != nil && !bytes.ContainsAny(prefix, `,;"`) && json.Valid(value) {
		return PrefixedJSON
	}
	return CSV
}

// newDecoder opens the records of a file in the format that it has or is said
// to have.
func newDecoder(in *bufio.Reader, o *Options, m *mapping, pattern *regexp.Regexp) (decoder, Format, error) {
	f := o.Format
	switch {
	case f != Detect:
	case pattern != nil:
		f = Log
	case o.Records != "":
		f = JSON
	default:
		f = detect(in)
	}
	switch f {
	case NDJSON:
		return newNDJSON(in, m), f, nil
	case JSON:
		return newJSON(in, o.Records, m), f, nil
	case PrefixedJSON:
		return newPrefixed(in, m), f, nil
	case Log:
		d, err := newLog(in, pattern, m)
		return d, f, err
	}
	d, err := newCSV(in, o.Separator, !o.NoHeader, m)
	return d, f, err
}
