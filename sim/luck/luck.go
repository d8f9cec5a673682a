// Package luck gives every message its random words: what link, service and
// handling take for it, and whether the business filter keeps it.
//
// A word is a pure function of (seed, replication, purpose, site, topic,
// partition, offset, delivery), by the counter-based generator of package
// philox; there is no stream to keep in step. The word for the filter leaves
// site and delivery out: a business filter judges the message, so what it
// drops, it drops at every site and every time. So two scenarios that differ in
// one thing see the same luck everywhere else, and nothing depends on the
// order in which messages are worked on. Sites and topics count by name:
// adding a site or a topic changes no other's luck.
package luck

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"twindrift/replay/philox"
)

// The purposes: what the words of a delivery are for.
const (
	Link     = iota // delay of the link to the site
	Service         // service time of the consumer
	Handling        // delay between start and draw
	Filter          // whether the business filter keeps the message
	Again           // whether the message is delivered once more
	Purposes        // how many there are
)

// Stream gives the words of one partition at one site. It is a value without
// state: it may be copied and used by any goroutine.
type Stream struct {
	seed        uint64
	site        uint64 // partition and site, hashed
	message     uint64 // partition alone, hashed
	replication uint64
	filter      uint64 // where the filter's words start
}

// New is the stream of a partition at a site. No site has an empty name.
func New(seed uint64, site, topic string, partition int32) Stream {
	s := Stream{
		seed:    seed,
		site:    hash(site, topic, partition),
		message: hash("", topic, partition),
	}
	return s.Replication(0)
}

// hash makes a number of a partition at a site. Every name is preceded by its
// length, so that no two partitions are one text.
func hash(site, topic string, partition int32) uint64 {
	b := make([]byte, 0, len(site)+len(topic)+20)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(site)))
	b = append(b, site...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(topic)))
	b = append(b, topic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(partition))
	return xxhash.Sum64(b)
}

// Replication is the stream of the same partition and site in another
// replication of the run; 0 is the run itself.
func (s Stream) Replication(n uint32) Stream {
	s.replication = uint64(n)
	s.filter = philox.Block([4]uint64{2: s.replication}, [2]uint64{s.seed, s.message})[0]
	return s
}

// Words are the words of one delivery, by purpose. The first delivery of a
// message is 0.
func (s *Stream) Words(offset int64, delivery int32) (w [Purposes]uint64) {
	w[Link], w[Service], w[Handling], w[Again] = philox.Words(uint64(offset), uint64(uint32(delivery)), s.replication, 0, s.seed, s.site)
	w[Filter] = s.filterWord(offset)
	return w
}

// filterWord is number offset of the SplitMix64 sequence that starts at
// s.filter: one more block a message would buy nothing here. (Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, which
// tests it with BigCrush.)
func (s *Stream) filterWord(offset int64) uint64 {
	z := s.filter + uint64(offset)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Fill sets words[purpose][i] to the words of the first delivery of offsets[i]. Each
// of words must be at least as long as offsets.
func (s *Stream) Fill(offsets []int64, words *[Purposes][]uint64) {
	n := len(offsets)
	link, service, handling, again, filter := words[Link][:n], words[Service][:n], words[Handling][:n], words[Again][:n], words[Filter][:n]
	for i, offset := range offsets {
		link[i], service[i], handling[i], again[i] = philox.Words(uint64(offset), 0, s.replication, 0, s.seed, s.site)
		filter[i] = s.filterWord(offset)
	}
}

// FillLink is Fill for the words of the link alone.
func (s *Stream) FillLink(offsets []int64, link []uint64) {
	philox.FirstWords(offsets, s.replication, s.seed, s.site, link)
}
