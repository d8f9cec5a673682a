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
	chunk   Chunk
}

func (d *decoder) decode(f *fetched) error {
	d.chunk.reset(f.part.index, f.from)
	if f.gap.Reason != "" {
		d.chunk.gap(f.gap.To, f.gap.Reason)
		return nil
	}
	d.chunk.Bytes = int64(len(f.raw))
	if d.library || f.old {
		return d.decodeByLibrary(f)
	}
	err := d.walk(f.raw, f.part.End, f.aborted, &d.chunk)
	if errors.Is(err, errOldFormat) { // behind batches of the new one
		d.chunk.reset(f.part.index, f.from)
		return d.decodeByLibrary(f)
	}
	return err
}

// decodeByLibrary has the client library decode the records, of any format.
func (d *decoder) decodeByLibrary(f *fetched) error {
	rp := kmsg.NewFetchResponseTopicPartition()
	rp.Partition, rp.RecordBatches = f.part.Number, f.raw
	for _, a := range f.aborted {
		t := kmsg.NewFetchResponseTopicPartitionAbortedTransaction()
		t.ProducerID, t.FirstOffset = a.producer, a.first
		rp.AbortedTransactions = append(rp.AbortedTransactions, t)
	}
	c := &d.chunk
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
	}
	if next <= f.from {
		return fmt.Errorf("%w at offset %d: the library makes nothing of %d bytes", ErrCorrupt, f.from, len(f.raw))
	}
	c.moveTo(min(next, f.part.End))
	return nil
}

// libraryNext is the offset at which a fetch goes on after what the library decodes.
func libraryNext(p *reading, rp *kmsg.FetchResponseTopicPartition, committed bool) int64 {
	_, next := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{
		Offset: p.next, IsolationLevel: isolation(committed), Topic: p.Topic, Partition: p.Number,
	}, rp, kgo.DefaultDecompressor(), nil)
	return next
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
