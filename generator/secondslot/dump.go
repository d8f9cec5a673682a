package secondslot

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A dump is the slots of a process as the monitors of the published generator write them:
// CSV with a line slot,word for each slot (0 to 86,399; the 64-bit word in decimal), of
// which those with the word 0 may be left out; or all words as little endian int64.

// dumpBytes is the length of a dump in binary.
const dumpBytes = secondsPerDay * 8

// dumpHeader is the first line of a dump as CSV.
const dumpHeader = "slot,word"

// WriteDump writes the slots as CSV, without those that were never used.
func (g *Generator) WriteDump(to io.Writer) error { return writeDump(to, &g.slots) }

// ReadDump replaces the slots by those of a dump, of either form: one of exactly 691,200
// bytes that does not begin as CSV is binary. After an error the slots are as they were.
func (g *Generator) ReadDump(from io.Reader) error {
	slots, err := readDump(from)
	if err != nil {
		return err
	}
	g.slots = *slots
	return nil
}

// WriteDump writes what each second of the day has given out on the latest day that it
// was drawn for, in the form of the published slots: nothing is in it of days before.
func (c *Corrected) WriteDump(to io.Writer) error {
	var slots [secondsPerDay]uint64
	for day, counters := range c.days {
		for second, word := range counters {
			if before, _, _ := unpack(slots[second]); word&countMask > 0 && (slots[second] == 0 || before < day) {
				slots[second] = pack(day, 0, word&countMask)
			}
		}
	}
	return writeDump(to, &slots)
}

// ReadDump begins with what a process has given out whose slots were dumped, a published
// one or one of this form: none of it is given again. A slot tells of one day; what the
// second has given out on the days before that are kept is not known, and taken for all.
// A published process may have handed out undrawn ids, which no slot knows.
func (c *Corrected) ReadDump(from io.Reader) error {
	slots, err := readDump(from)
	if err != nil {
		return err
	}
	c.days, c.last, c.newest, c.any = map[uint64]*dayCounters{}, nil, 0, false
	for second, slot := range slots {
		if slot == 0 {
			continue
		}
		day, jump, next := unpack(slot)
		c.newest, c.any = max(c.newest, day), true
		if jump > 0 {
			next = c.perSecond
		}
		*c.word(day*secondsPerDay + uint64(second)) = min(next, c.perSecond)
		for back := uint64(1); back <= min(uint64(c.cfg.KeepDays), day); back++ {
			*c.word((day-back)*secondsPerDay + uint64(second)) = c.perSecond
		}
	}
	return nil
}

func writeDump(to io.Writer, slots *[secondsPerDay]uint64) error {
	w := bufio.NewWriter(to)
	w.WriteString(dumpHeader + "\n")
	var line []byte
	for slot, word := range slots {
		if word == 0 {
			continue
		}
		line = strconv.AppendInt(line[:0], int64(slot), 10)
		line = append(line, ',')
		line = strconv.AppendInt(line, int64(word), 10)
		w.Write(append(line, '\n'))
	}
	return w.Flush()
}

// readDump reads a dump of either form.
func readDump(from io.Reader) (*[secondsPerDay]uint64, error) {
	r := bufio.NewReaderSize(from, dumpBytes+1)
	all, err := r.Peek(dumpBytes + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	slots := new([secondsPerDay]uint64)
	if len(all) == dumpBytes && !isCSV(all) {
		for slot := range slots {
			slots[slot] = binary.LittleEndian.Uint64(all[8*slot:])
		}
		return slots, nil
	}
	return slots, readCSV(r, slots)
}

// isCSV says whether a dump begins with the header or a slot's number.
func isCSV(dump []byte) bool {
	line, _, _ := strings.Cut(string(dump[:64]), "\n")
	slot, _, ok := strings.Cut(line, ",")
	if _, err := strconv.Atoi(slot); err == nil && ok {
		return true
	}
	return strings.TrimRight(line, "\r") == dumpHeader
}

func readCSV(from io.Reader, slots *[secondsPerDay]uint64) error {
	lines := bufio.NewScanner(from)
	var seen [secondsPerDay]bool
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || n == 1 && line == dumpHeader {
			continue
		}
		first, second, ok := strings.Cut(line, ",")
		slot, err := strconv.Atoi(strings.TrimSpace(first))
		switch {
		case !ok || err != nil:
			return fmt.Errorf("line %d: %.40q is not a slot and a word, as 3600,86918033408", n, line)
		case slot < 0 || slot >= secondsPerDay:
			return fmt.Errorf("line %d: slot %d: want 0 to %d, the second of the day", n, slot, secondsPerDay-1)
		case seen[slot]:
			return fmt.Errorf("line %d: slot %d is there a second time", n, slot)
		}
		seen[slot] = true
		word, err := strconv.ParseInt(strings.TrimSpace(second), 10, 64)
		if err != nil {
			return fmt.Errorf("line %d: word %.40q is no 64-bit number", n, second)
		}
		slots[slot] = uint64(word)
	}
	return lines.Err()
}
