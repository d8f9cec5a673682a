package records

import (
	"bufio"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// logLines cuts lines up by a regular expression. Its groups are the fields:
// by name, or $1, $2, ... .
type logLines struct {
	lines   lines
	pattern *regexp.Regexp
	group   [targets]int // 0 where there is none
}

func newLog(in *bufio.Reader, pattern *regexp.Regexp, m *mapping) (*logLines, error) {
	d := &logLines{lines: lines{in: in}, pattern: pattern}
	for t := range targets {
		for _, name := range m.names[t] {
			if d.group[t] = groupNamed(pattern, name); d.group[t] > 0 {
				break
			}
		}
		if d.group[t] == 0 && (m.given[t] || t == timestamp) {
			return nil, fmt.Errorf("the pattern has no group for the %v (looked for %s); write (?P<%v>...) around it, or say --map %v=$1",
				t, strings.Join(m.names[t], ", "), t, t)
		}
	}
	return d, nil
}

// groupNamed gives the number of a group; 0 where there is none.
func groupNamed(pattern *regexp.Regexp, name string) int {
	if i := slices.Index(pattern.SubexpNames(), name); i > 0 {
		return i
	}
	if n, ok := lineField(name); ok && n <= pattern.NumSubexp() {
		return n
	}
	return 0
}

var errNoMatch = errors.New("the line does not match the pattern")

func (d *logLines) next(r *record) error {
	line, err := d.lines.readFilled()
	if err != nil {
		return err
	}
	*r = record{line: d.lines.line}
	text := string(line)
	at := d.pattern.FindStringSubmatchIndex(text)
	if at == nil {
		return &badRecord{line: r.line, err: errNoMatch}
	}
	for t, g := range d.group {
		if g > 0 && at[2*g] >= 0 {
			r.set(target(t), text[at[2*g]:at[2*g+1]])
		}
	}
	return nil
}
