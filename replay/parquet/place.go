package parquet

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// place is what a file's path says of its messages.
type place struct {
	topic     string
	partition int32
	start     int64 // first offset; -1 if the path does not say
	end       int64 // last offset; -1 if the path does not say

	topicFrom, partitionFrom placeSource
}

// placeSource says how a topic or partition was come by.
type placeSource int

const (
	byDefault placeSource = iota // the file's name without extensions; 0
	byPath
)

// File names that sinks give: Confluent's for S3 and HDFS, Aiven's.
var (
	hdfsName  = regexp.MustCompile(`^(.+)\+(\d+)\+(\d+)\+(\d+)$`) // topic+partition+start+end
	s3Name    = regexp.MustCompile(`^(.+)\+(\d+)\+(\d+)$`)        // topic+partition+start
	aivenName = regexp.MustCompile(`^(.+)-(\d+)-(\d+)$`)          // topic-partition-start
	dateName  = regexp.MustCompile(`(^|\D)\d{4}-\d{2}-\d{2}$`)    // something-2026-01-31 is no partition 1
)

// placeOf reads a path: the file's name first, then key=value folders, and for
// partition=3 without a topic the folder above it.
func placeOf(path string) place {
	stem := stemOf(path)
	p := place{topic: stem, start: -1, end: -1}
	dir := filepath.ToSlash(filepath.Dir(path))
	for dir != "." && dir != "/" && dir != "" {
		parent, folder := splitFolder(dir)
		p.readFolder(folder, parent)
		dir = parent
	}
	p.readName(stem)
	return p
}

func splitFolder(dir string) (parent, folder string) {
	i := strings.LastIndexByte(dir, '/')
	if i < 0 {
		return "", dir
	}
	return dir[:i], dir[i+1:]
}

func (p *place) readFolder(folder, parent string) {
	key, value, ok := strings.Cut(folder, "=")
	if !ok {
		return
	}
	switch key = strings.ToLower(key); {
	case slices.Contains(names[topicRole], key):
		if v, err := url.PathUnescape(value); err == nil {
			value = v
		}
		p.topic, p.topicFrom = value, byPath
	case slices.Contains(names[partitionRole], key):
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 0 {
			return
		}
		p.partition, p.partitionFrom = int32(n), byPath
		if _, above := splitFolder(parent); p.topicFrom == byDefault && above != "" && !strings.Contains(above, "=") {
			p.topic, p.topicFrom = above, byPath
		}
	}
}

func (p *place) readName(stem string) {
	m := hdfsName.FindStringSubmatch(stem)
	if m == nil {
		m = s3Name.FindStringSubmatch(stem)
	}
	if m == nil && !dateName.MatchString(stem) {
		m = aivenName.FindStringSubmatch(stem)
	}
	if m == nil {
		return
	}
	partition, err := strconv.ParseInt(m[2], 10, 32)
	if err != nil {
		return
	}
	start, err := strconv.ParseInt(m[3], 10, 64)
	if err != nil {
		return
	}
	if len(m) > 4 {
		if p.end, err = strconv.ParseInt(m[4], 10, 64); err != nil {
			return
		}
	}
	p.topic, p.partition, p.start = m[1], int32(partition), start
	p.topicFrom, p.partitionFrom = byPath, byPath
}

// extensions are what stemOf cuts off: those of Parquet files and of the codecs
// that sinks put before them.
var extensions = []string{".parquet", ".parq", ".pq", ".snappy", ".gz", ".gzip", ".zst", ".zstd", ".lz4", ".br", ".brotli"}

// stemOf is a file's name without its extensions.
func stemOf(path string) string {
	name := filepath.Base(path)
	for {
		ext := strings.ToLower(filepath.Ext(name))
		if !slices.Contains(extensions, ext) || len(ext) == len(name) {
			return name
		}
		name = name[:len(name)-len(ext)]
	}
}
