package recipe

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// weights gives the probability of each key.
func (k *keys) weights(path string) ([]float64, error) {
	switch {
	case len(k.Weights) > 0 && (k.Count != 0 || k.Skew != 0):
		return nil, faultf(path, "keys take either weights or count and skew")
	case len(k.Weights) > 0:
		if w, ok := normalised(k.Weights); ok {
			return w, nil
		}
		return nil, faultf(path+".weights", "weights must be numbers from 0 up, not all 0")
	case k.Count < 1 || k.Count > maxKeys:
		return nil, faultf(path+".count", "count, the number of keys, must be 1 to %d", maxKeys)
	case !(k.Skew >= 0 && k.Skew <= 20):
		return nil, faultf(path+".skew", "skew must be 0 (all keys alike) to 20")
	}
	w := make([]float64, k.Count)
	for i := range w {
		w[i] = math.Pow(float64(i+1), -k.Skew)
	}
	w, _ = normalised(w)
	return w, nil
}

// normalised scales numbers so that they add up to 1; not ok if they cannot be
// shares of anything.
func normalised(w []float64) (shares []float64, ok bool) {
	sum := 0.0
	for _, v := range w {
		if !(v >= 0) || math.IsInf(v, 0) {
			return nil, false
		}
		sum += v
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, false
	}
	shares = make([]float64, len(w))
	for i, v := range w {
		shares[i] = v / sum
	}
	return shares, true
}

// keySpace is the keys of a topic.
type keySpace struct {
	hash            []uint64 // xxhash64 of the key's text
	bytes           []int32
	partitionShares []float64
	tables          []aliasTable // the keys of each partition
}

// newKeySpace spreads keys with the given probabilities over n partitions.
func newKeySpace(topic string, weights []float64, n int) *keySpace {
	s := &keySpace{
		hash:            make([]uint64, len(weights)),
		bytes:           make([]int32, len(weights)),
		partitionShares: make([]float64, n),
		tables:          make([]aliasTable, n),
	}
	members := make([][]int32, n)
	for i, w := range weights {
		key := fmt.Appendf(nil, "%s-%d", topic, i+1)
		s.hash[i], s.bytes[i] = xxhash.Sum64(key), int32(len(key))
		p := int(murmur2(key)&0x7fffffff) % n
		members[p] = append(members[p], int32(i))
		s.partitionShares[p] += w
	}
	for p := range s.tables {
		s.tables[p] = newAliasTable(members[p], weights)
	}
	return s
}

// aliasTable draws one of its members by their weights in constant time
// (Walker's alias method, tables built as Vose does).
type aliasTable []aliasEntry

// aliasEntry gives own where the fraction of the draw is below split, else
// other.
type aliasEntry struct {
	split      uint64
	own, other int32
}

func newAliasTable(members []int32, weights []float64) aliasTable {
	sum := 0.0
	for _, m := range members {
		sum += weights[m]
	}
	if sum == 0 {
		return nil
	}
	t := make(aliasTable, len(members))
	scaled := make([]float64, len(members))
	var small, large []int
	for i, m := range members {
		t[i] = aliasEntry{math.MaxUint64, m, m}
		scaled[i] = weights[m] / sum * float64(len(members))
		if scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		t[s].split, t[s].other = uint64(scaled[s]*0x1p63)<<1, members[l]
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	return t
}

// draw turns a uniform number into a member.
func (t aliasTable) draw(u uint64) int32 {
	i, fraction := bits.Mul64(u, uint64(len(t)))
	if fraction < t[i].split {
		return t[i].own
	}
	return t[i].other
}

// murmur2 is the hash by which Kafka's default partitioner spreads keys
// (org.apache.kafka.common.utils.Utils.murmur2).
func murmur2(key []byte) uint32 {
	const m = 0x5bd1e995
	h := uint32(0x9747b28c) ^ uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := uint32(key[0]) | uint32(key[1])<<8 | uint32(key[2])<<16 | uint32(key[3])<<24
		k *= m
		k ^= k >> 24
		h = h*m ^ k*m
	}
	switch len(key) {
	case 3:
		h ^= uint32(key[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(key[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(key[0])) * m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
