package external

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"twindrift/generator"
)

// ndjson is the framing of one JSON object a line.
type ndjson struct{ refused int32 }

func (n *ndjson) refusedStatus() int32 { return n.refused }

func (n *ndjson) encode(buf []byte, c generator.Calls, node int32, number []int32) []byte {
	for i, ms := range c.EventMs {
		buf = strconv.AppendInt(append(buf, `{"event_ms":`...), ms, 10)
		buf = strconv.AppendInt(append(buf, `,"now_ms":`...), c.NowMs[i], 10)
		buf = strconv.AppendInt(append(buf, `,"node":`...), int64(node), 10)
		buf = strconv.AppendInt(append(buf, `,"partition":`...), int64(partition(c.Partition[i], number)), 10)
		buf = append(buf, "}\n"...)
	}
	return buf
}

func (n *ndjson) decode(out *bufio.Reader, ids []int64, kinds []generator.Kind) (int, error) {
	for i := range ids {
		line, err := out.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return i, &answerError{fmt.Sprintf("a line of more than %d bytes, %s", len(line), quoted(line[:4*cut])), adviceLine}
		case err != nil && len(bytes.TrimSpace(line)) > 0: // ended within a line
			return i, &answerError{"the line " + quoted(line) + " has no end", adviceLine}
		case err != nil:
			return i, err
		}
		id, status, ok := usualAnswer(line)
		if !ok {
			if id, status, err = anyAnswer(line); err != nil {
				line = bytes.TrimRight(line, "\r\n")
				return i, &answerError{fmt.Sprintf("the line %s: %v", quoted(line), err), adviceLine}
			}
		}
		ids[i], kinds[i] = outcome(id, status, &n.refused)
	}
	return len(ids), nil
}

// anyAnswer reads an answer in any form that JSON allows.
func anyAnswer(line []byte) (id int64, status int32, err error) {
	var answer struct {
		ID     json.Number `json:"id"` // an integer, or a string of one
		Status int32       `json:"status"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, 0, err
	}
	switch {
	case answer.Status != 0:
		return 0, answer.Status, nil
	case answer.ID == "":
		return 0, 0, errors.New("there is no id")
	}
	if id, err = strconv.ParseInt(string(answer.ID), 10, 64); err != nil {
		return 0, 0, fmt.Errorf("the id %s is no 64-bit integer", answer.ID)
	}
	return id, 0, nil
}

// usualAnswer reads an answer as programs mostly write it, at a tenth of the cost: an id,
// and perhaps a status. Where it is not ok, anyAnswer has to look.
func usualAnswer(line []byte) (id int64, status int32, ok bool) {
	at := scanner{rest: line, ok: true}
	at.skip("{")
	at.skip(`"id"`)
	at.skip(":")
	quotes := at.skipIf('"')
	id = at.integer()
	if quotes {
		at.exactly('"')
	}
	if at.space(); at.skipIf(',') {
		at.skip(`"status"`)
		at.skip(":")
		n := at.integer()
		if status = int32(n); int64(status) != n {
			at.ok = false
		}
	}
	if status != 0 {
		id = 0
	}
	at.skip("}")
	return id, status, at.ok && len(at.rest) == 0
}

// scanner goes through a line; ok says that all was there so far.
type scanner struct {
	rest []byte
	ok   bool
}

func (s *scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == '\r' || s.rest[0] == '\n') {
		s.rest = s.rest[1:]
	}
}

// skip goes behind a text, and spaces around it.
func (s *scanner) skip(text string) {
	s.space()
	if s.ok = s.ok && len(s.rest) >= len(text) && string(s.rest[:len(text)]) == text; s.ok {
		s.rest = s.rest[len(text):]
		s.space()
	}
}

func (s *scanner) skipIf(c byte) bool {
	if len(s.rest) == 0 || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) exactly(c byte) { s.ok = s.skipIf(c) && s.ok }

// integer goes behind a 64-bit number without leading zeros (all but the smallest).
func (s *scanner) integer() int64 {
	minus := s.skipIf('-')
	n, digits := uint64(0), 0
	for ; digits < len(s.rest) && digits < 20 && s.rest[digits]-'0' <= 9; digits++ {
		n = n*10 + uint64(s.rest[digits]-'0')
	}
	// 19 digits cannot run over a uint64.
	s.ok = s.ok && digits > 0 && digits < 20 && n <= math.MaxInt64 && (digits == 1 || s.rest[0] != '0')
	s.rest = s.rest[digits:]
	if minus {
		return -int64(n)
	}
	return int64(n)
}
