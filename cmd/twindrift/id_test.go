package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// The inputs of reference vectors, drawn by the command, give the vectors byte
// for byte: with a restart, with timestamps in a wrong unit, past a day's end.
func TestIDDrawGivesTheVectors(t *testing.T) {
	for _, name := range []string{"restart-replay", "odd-timestamps", "day-end"} {
		f, err := os.Open("../../generator/secondslot/testdata/" + name + ".csv.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		var in, out, errw bytes.Buffer
		for line := range bytes.Lines(want) {
			if !bytes.HasPrefix(line, []byte("reset")) {
				line = append(bytes.Clone(line[:bytes.LastIndexByte(line, ',')]), '\n')
			}
			in.Write(line)
		}
		if status := Main([]string{"id", "draw"}, &in, &out, &errw); status != exitOK || errw.Len() > 0 {
			t.Fatalf("%s: status %d, stderr %q", name, status, &errw)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s: the output is not the vector", name)
		}
	}
}
