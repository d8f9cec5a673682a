package redisstreams

import (
	"fmt"
	"strconv"
	"strings"

	"twindrift/generator"
	"twindrift/generator/redis"
)

// An id is ms<<seqBits | seq.
const (
	seqBits = 20
	maxSeq  = 1<<seqBits - 1
	endMs   = 1 << (63 - seqBits) // the first ms that has no ids: 2248-09-26
)

var _ generator.Layout = Layout{}

// Layout reads and writes the ids of entries as this package packs them.
type Layout struct{}

// OwnerMs is the entry's ms.
func (Layout) OwnerMs(id int64) int64 { return id >> seqBits }

// Seq is the entry's sequence number.
func (Layout) Seq(id int64) int64 { return id & maxSeq }

// Node is generator.NoNode: entries do not say who wrote them.
func (Layout) Node(int64) int64 { return generator.NoNode }

// Digits fills ownerMs and nodes, which are as long as ids, with OwnerMs and Node of each;
// nodes may be nil.
func (Layout) Digits(ids, ownerMs, nodes []int64) {
	ownerMs = ownerMs[:len(ids)]
	for i, id := range ids {
		ownerMs[i] = id >> seqBits
	}
	if nodes == nil {
		return
	}
	nodes = nodes[:len(ids)]
	for i := range nodes {
		nodes[i] = generator.NoNode
	}
}

// Name is how scenarios and the command line call the layout.
func (Layout) Name() string { return "redis-streams" }

// Text is the id as Redis writes it, ms-seq.
func (l Layout) Text(id int64) string {
	return strconv.FormatInt(l.OwnerMs(id), 10) + "-" + strconv.FormatInt(l.Seq(id), 10)
}

// Parse reads what Text writes of an id that is not negative: two decimal numbers that
// fit. A ms alone is the first id of it.
func (Layout) Parse(text string) (int64, error) {
	msText, seqText, both := strings.Cut(text, "-")
	ms, err := strconv.ParseUint(msText, 10, 64)
	seq := uint64(0)
	if both && err == nil {
		seq, err = strconv.ParseUint(seqText, 10, 64)
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("redis-streams: %q is no entry id: want ms-seq, like 1526919030474-55", text)
	case ms >= endMs:
		return 0, fmt.Errorf("redis-streams: %q: ms %d is too late, the last one is %d", text, ms, endMs-1)
	case seq > maxSeq:
		return 0, fmt.Errorf("redis-streams: %q: sequence number %d does not fit, the last one is %d", text, seq, maxSeq)
	}
	return int64(ms<<seqBits | seq), nil
}

// fits says why an entry's id is not to be packed; nil where it is.
func fits(id redis.EntryID) error {
	if id.Ms < endMs && id.Seq <= maxSeq {
		return nil
	}
	return unfit(id)
}

func unfit(id redis.EntryID) error {
	if id.Ms >= endMs {
		return errTooLate
	}
	return fmt.Errorf("redis-streams: entry %v: the sequence number does not fit into an id, which has room for %d; drawing cannot go on", id, maxSeq)
}

// pack is the id of an entry that fits.
func pack(id redis.EntryID) int64 { return int64(id.Ms<<seqBits | id.Seq) }
