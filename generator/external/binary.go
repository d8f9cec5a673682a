package external

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math/bits"

	"twindrift/generator"
)

// Bytes of a message in a request, and of its answer.
const (
	requestRow = 24
	answerRow  = 12
)

// binaryFrames is the binary framing.
type binaryFrames struct{ refused int32 }

func (b *binaryFrames) refusedStatus() int32 { return b.refused }

func (b *binaryFrames) encode(buf []byte, c generator.Calls, node int32, number []int32) []byte {
	le := binary.LittleEndian
	buf = le.AppendUint32(buf, uint32(c.Len()))
	for i, ms := range c.EventMs {
		buf = le.AppendUint64(buf, uint64(ms))
		buf = le.AppendUint64(buf, uint64(c.NowMs[i]))
		buf = le.AppendUint32(buf, uint32(node))
		buf = le.AppendUint32(buf, uint32(partition(c.Partition[i], number)))
	}
	return buf
}

func (b *binaryFrames) decode(out *bufio.Reader, ids []int64, kinds []generator.Kind) (int, error) {
	head, err := out.Peek(4)
	if err != nil {
		return 0, err
	}
	if count := binary.LittleEndian.Uint32(head); count != uint32(len(ids)) {
		return 0, wrongCount(out, count, uint32(len(ids)))
	}
	out.Discard(4)
	for done := 0; done < len(ids); {
		// What is there already, or the next row.
		rows, err := out.Peek(answerRow * max(1, min(len(ids)-done, out.Buffered()/answerRow)))
		if err != nil {
			return done, err
		}
		for at := 0; at < len(rows); at += answerRow {
			row := rows[at : at+answerRow]
			id, status := int64(binary.LittleEndian.Uint64(row)), int32(binary.LittleEndian.Uint32(row[8:]))
			ids[done], kinds[done] = outcome(id, status, &b.refused)
			done++
		}
		out.Discard(len(rows))
	}
	return len(ids), nil
}

// wrongCount tells a wrong number of answers from bytes that are no answer at all.
func wrongCount(out *bufio.Reader, got, want uint32) error {
	switch {
	case bits.ReverseBytes32(got) == want:
		return &answerError{fmt.Sprintf("the count of %d is written as big endian", want), adviceFrame}
	case got <= maxBatch:
		return &answerError{fmt.Sprintf("%d ids for %d messages", got, want), adviceCount}
	}
	begin, _ := out.Peek(min(out.Buffered(), 4*cut))
	return &answerError{fmt.Sprintf("the count %d makes no sense; as text, the answer begins with %s", got, quoted(begin)), adviceFrame}
}
