package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"twindrift/replay"
	"twindrift/replay/parquet"
)

// Input is a file to import.
type Input struct {
	Name  string // for errors, and for the topic
	Bytes int64  // 0 where it is not known
	Open  func() (io.ReadCloser, error)
}

// File is the input that a path names.
func File(path string) (Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Input{}, err
	}
	if info.IsDir() {
		return Input{}, fmt.Errorf("%s is a folder; name the files in it", path)
	}
	return Input{Name: path, Bytes: info.Size(), Open: func() (io.ReadCloser, error) { return os.Open(path) }}, nil
}

// topicOf is the topic of an input whose records have none: its name without
// directories, up to the first point.
func topicOf(name string) string {
	stem, _, _ := strings.Cut(strings.TrimLeft(filepath.Base(name), "."), ".")
	if stem == "" || stem == "-" {
		return "stdin"
	}
	return stem
}

// WriterColumns says which optional columns a capture needs for the options to
// be carried out.
func (o *Options) WriterColumns() (w parquet.WriterOptions, err error) {
	s, err := o.resolve()
	if err != nil {
		return w, err
	}
	w.Keys, w.Values = o.Keys, o.Values
	w.ProcessedAt, w.MessageID = s.mapping.given[processedAt], s.mapping.given[messageID]
	return w, nil
}

// Output takes the messages of an import. A *parquet.Writer is one.
type Output interface {
	// Partition gives the number of a partition in Batch.Partition.
	Partition(topic string, number int32) int32
	WritePayload(*replay.Batch, parquet.Payload) error
}

// batchRows is how many messages go to the writer at a time.
const batchRows = 8192

// Import reads the inputs one after the other and writes their messages to
// out, which must take the columns that WriterColumns gave. Records without an
// offset get the next one of their partition. progress, which may be nil, is
// called now and then with the bytes read so far. After an error the capture
// is not whole; the summary says how far it came.
func Import(ctx context.Context, inputs []Input, out Output, o Options, progress func(done int64)) (*Summary, error) {
	s, err := o.resolve()
	if err != nil {
		return nil, err
	}
	i := &importer{settings: s, ctx: ctx, out: out, progress: progress, summary: &Summary{}}
	for _, in := range inputs {
		if err := i.file(in); err != nil {
			return i.summary, fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	if err := i.flush(); err != nil {
		return i.summary, err
	}
	return i.summary, nil
}

// importer carries messages from decoders to the writer.
type importer struct {
	*settings
	ctx      context.Context
	out      Output
	progress func(done int64)
	done     int64 // bytes read
	batch    replay.Batch
	payload  parquet.Payload
	next     []int64 // by partition: the offset of the next record that has none
	summary  *Summary
}

// countedReader counts the bytes of an input.
type countedReader struct {
	in   io.Reader
	done *int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	*c.done += int64(n)
	return n, err
}

func (i *importer) file(in Input) error {
	f, err := in.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	src, err := newSource(&countedReader{f, &i.done})
	if err != nil {
		return err
	}
	defer src.close()
	m := i.mapping // the decoder settles it for this file
	d, format, err := newDecoder(src.Reader, i.Options, &m, i.pattern)
	if err != nil {
		return err
	}
	topic := i.Topic
	if topic == "" {
		topic = topicOf(in.Name)
	}
	r := i.newReader(topic, &m)
	sum := &FileSummary{Name: in.Name, Format: format}
	i.summary.Files = append(i.summary.Files, sum)
	err = i.records(d, r, sum)
	sum.finish(r)
	return err
}

// records reads one file to its end.
func (i *importer) records(d decoder, r *reader, sum *FileSummary) error {
	var rec record
	var m message
	for n := 1; ; n++ {
		if n%batchRows == 0 {
			if err := i.ctx.Err(); err != nil {
				return err
			}
			if i.progress != nil {
				i.progress(i.done)
			}
		}
		err := d.next(&rec)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = r.message(&rec, &m)
		}
		switch {
		case err != nil:
			err = i.passOver(err, sum)
		case m.timestamp != replay.NoTimestamp && (m.timestamp < i.from || m.timestamp >= i.to):
			sum.Outside++
		default:
			err = i.add(&rec, &m, sum)
		}
		if err != nil {
			return err
		}
	}
}

// passOver counts a record that cannot be taken, or gives the error back.
func (i *importer) passOver(err error, sum *FileSummary) error {
	if _, ok := errors.AsType[*badRecord](err); !ok {
		return err
	}
	if _, ok := errors.AsType[noTimestamp](err); ok {
		if i.NullTimestamps == Fail {
			return fmt.Errorf("%w; --null-timestamps skip leaves such records out, none keeps them without a timestamp", err)
		}
		sum.WithoutTimestamp++
		return nil
	}
	if i.BadRows == Fail {
		return fmt.Errorf("%w; --bad-rows skip leaves such records out", err)
	}
	if sum.Bad++; sum.Bad == 1 {
		sum.FirstBad = err.Error()
	}
	return nil
}

// add puts a message into the batch, and the batch to the writer when it is
// full.
func (i *importer) add(rec *record, m *message, sum *FileSummary) error {
	p := i.out.Partition(m.topic, m.partition)
	if int(p) == len(i.next) {
		i.next = append(i.next, 0)
	}
	if !m.hasOffset {
		m.offset = i.next[p]
	}
	if m.offset < i.next[p] {
		return fmt.Errorf("line %d: topic %q partition %d: offset %d comes after offset %d; sort the records, or say --map offset= to number them as they come",
			rec.line, m.topic, m.partition, m.offset, i.next[p]-1)
	}
	i.next[p] = m.offset + 1

	b := &i.batch
	b.Partition = append(b.Partition, p)
	b.Offset = append(b.Offset, m.offset)
	b.TimestampMs = append(b.TimestampMs, m.timestamp)
	b.TimestampType = append(b.TimestampType, m.kind)
	b.KeyHash = append(b.KeyHash, m.keyHash)
	b.KeyLen = append(b.KeyLen, m.keyLen)
	b.ValueLen = append(b.ValueLen, m.valueLen)
	if i.mapping.given[processedAt] {
		b.ProcessedAtMs = append(b.ProcessedAtMs, m.processedAt)
	}
	if i.mapping.given[messageID] {
		b.MessageID = append(b.MessageID, m.messageID)
	}
	if i.Keys {
		i.payload.Keys = append(i.payload.Keys, rec.fields[key].text...)
	}
	if i.Values && rec.fields[value].has == present {
		i.payload.Values = append(i.payload.Values, rec.fields[value].text...)
	}
	sum.count(m)
	i.summary.Messages++
	if b.Len() == batchRows {
		return i.flush()
	}
	return nil
}

func (i *importer) flush() error {
	err := i.out.WritePayload(&i.batch, i.payload)
	i.batch.Reset()
	i.payload.Keys, i.payload.Values = i.payload.Keys[:0], i.payload.Values[:0]
	return err
}
