// Package reading says in words and numbers what the ids of entries in a Redis
// stream say: for programs (Reading, as JSON), and for people.
package reading

import (
	"fmt"
	"strconv"
	"time"

	"twindrift/generator/reading"
	"twindrift/generator/redisstreams"
)

var (
	layout redisstreams.Layout

	_ reading.Reader = Reader{}
)

// perPartition is how many numbers of a ms a partition has with partition-coded.
const perPartition = 1000

// Reader reads ids as Redis writes them, ms-seq.
type Reader struct{}

// Reading is what one id says.
type Reading struct {
	ID       string `json:"id"`
	Layout   string `json:"layout"`
	OwnerUTC string `json:"owner_utc"` // RFC 3339, with ms
	OwnerMs  int64  `json:"owner_ms"`
	Sequence int64  `json:"sequence"`
	Packed   string `json:"packed"` // the number that stands for it in Parquet files
}

// Parse reads ms-seq, or a ms alone, which is its first id.
func (Reader) Parse(text string) (int64, error) {
	id, err := layout.Parse(text)
	if err == nil {
		return id, nil
	}
	if packed, e := strconv.ParseInt(text, 10, 64); e == nil && packed > 0 {
		return 0, fmt.Errorf("%w; if it is a packed number, as in Parquet files, the id is %s", err, layout.Text(packed))
	}
	return 0, err
}

// Of is a Reading.
func (Reader) Of(id int64) any {
	return Reading{layout.Text(id), layout.Name(), utc(layout.OwnerMs(id)), layout.OwnerMs(id), layout.Seq(id), strconv.FormatInt(id, 10)}
}

func utc(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// Text writes what an id says, in lines of at most 80 columns.
func (Reader) Text(id int64) string {
	var l reading.Lines
	seq := layout.Seq(id)
	fmt.Fprintln(&l, layout.Text(id))
	l.Line("layout", "%s, ms-seq", layout.Name())
	l.Line("owner time", "%s", utc(layout.OwnerMs(id)))
	l.Line("", "%d ms", layout.OwnerMs(id))
	l.Line("sequence", "%d", seq)
	l.Line("", "partition %d, number %d of it, if the id is partition-coded", seq/perPartition, seq%perPartition)
	l.Line("packed", "%d, in Parquet files of a run", id)
	if id == 0 {
		l.Wrapped("but", zero)
	}
	return l.String()
}

// Encode makes the id of a time and a sequence number; entries say no node.
func (Reader) Encode(ms, _, seq int64) (text, note string, err error) {
	switch {
	case ms < 0:
		return "", "", fmt.Errorf("redis-streams: time %d ms: no entry is of a time before 1970", ms)
	case seq < 0:
		return "", "", fmt.Errorf("redis-streams: sequence number %d: want 0 or more", seq)
	}
	id, err := layout.Parse(fmt.Sprintf("%d-%d", ms, seq))
	if err != nil {
		return "", "", err
	}
	if id == 0 {
		note = zero
	}
	return layout.Text(id), note, nil
}
