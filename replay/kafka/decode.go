package kafka

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"twindrift/replay"
)

// decoder makes chunks of what was fetched.
type decoder struct {
	walker
	library bool
}

// decode fills a chunk.
func (d *decoder) decode(f *fetched, c *Chunk) error {
	c.reset(f.part.index, f.from)
	if f.gap.Reason != "" {
		c.gap(f.gap.To, f.gap.Reason)
		return nil
	}
	if d.library || f.old {
		return d.decodeByLibrary(f, c)
	}
	err := d.walk(f.raw, f.part.End, f.aborted, c)
	if errors.Is(err, errOldFormat) { // behind batches of the new one
		c.reset(f.part.index, f.from)
		return d.decodeByLibrary(f, c)
	}
	return err
}

// decodeByLibrary has the client library decode the records, of any format.
func (d *decoder) decodeByLibrary(f *fetched, c *Chunk) error {
	rp := kmsg.NewFetchResponseTopicPartition()
	rp.Partition, rp.RecordBatches = f.part.Number, f.raw
	for _, a := range f.aborted {
		t := kmsg.NewFetchResponseTopicPartitionAbortedTransaction()
		t.ProducerID, t.FirstOffset = a.producer, a.first
		rp.AbortedTransactions = append(rp.AbortedTransactions, t)
	}
	fp, next := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{
		Offset: f.from, IsolationLevel: isolation(d.committed), Topic: f.part.Topic, Partition: f.part.Number,
	}, &rp, d.decompressor, nil)
	if fp.Err != nil {
		return fp.Err
	}
	for _, r := range fp.Records {
		if r.Offset >= f.part.End {
			break
		}
		ms, kind := r.Timestamp.UnixMilli(), r.Attrs.TimestampType()
		if kind < 0 || ms == replay.NoTimestamp && kind != replay.TimestampLogAppend {
			ms, kind = replay.NoTimestamp, replay.TimestampNone
		}
		keyLen, valueLen := length(r.Key), length(r.Value)
		c.moveTo(r.Offset)
		c.add(r.Offset, ms, kind, r.Key, keyLen, valueLen)
		c.Next = r.Offset + 1
		if d.keys {
			c.Keys = append(c.Keys, r.Key...)
		}
		if d.values {
			c.Values = append(c.Values, r.Value...)
		}
		if d.headers {
			for _, h := range r.Headers {
				c.Headers = append(c.Headers, replay.Header{Key: []byte(h.Key), Value: h.Value})
			}
			c.HeaderCounts = append(c.HeaderCounts, int32(len(r.Headers)))
		}
	}
	if next <= f.from {
		return fmt.Errorf("%w at offset %d: the library makes nothing of %d bytes", ErrCorrupt, f.from, len(f.raw))
	}
	c.moveTo(min(next, f.part.End))
	return nil
}

// libraryNext is the offset at which a fetch goes on after what the library decodes.
func libraryNext(p *reading, rp *kmsg.FetchResponseTopicPartition, committed bool) (int64, error) {
	fp, next := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{
		Offset: p.next, IsolationLevel: isolation(committed), Topic: p.Topic, Partition: p.Number,
	}, rp, kgo.DefaultDecompressor(), nil)
	if fp.Err != nil {
		return next, fmt.Errorf("at offset %d: %w", p.next, fp.Err)
	}
	return next, nil
}

func isolation(committed bool) kgo.IsolationLevel {
	if committed {
		return kgo.ReadCommitted()
	}
	return kgo.ReadUncommitted()
}

func length(b []byte) int32 {
	if b == nil {
		return replay.NullLen
	}
	return int32(len(b))
}
