package external

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"twindrift/generator"
)

// The frames byte for byte, as the package comment says them.
func TestEncode(t *testing.T) {
	c := generator.Calls{EventMs: []int64{1_757_901_600_000, -1}, NowMs: []int64{1_757_901_600_250, 2}, AtNs: []int64{0, 0}, Partition: []int32{1, 0}}
	number := []int32{300, 4}
	const want = `{"event_ms":1757901600000,"now_ms":1757901600250,"node":1,"partition":4}
{"event_ms":-1,"now_ms":2,"node":1,"partition":300}
`
	if got := (&ndjson{}).encode(nil, c, 1, number); string(got) != want {
		t.Errorf("lines\n%swant\n%s", got, want)
	}
	frame := []byte{
		2, 0, 0, 0,
		0x00, 0xb5, 0x19, 0x4b, 0x99, 1, 0, 0, 0xfa, 0xb5, 0x19, 0x4b, 0x99, 1, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0,
		255, 255, 255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x2c, 1, 0, 0,
	}
	if got := (&binaryFrames{}).encode(nil, c, 1, number); !bytes.Equal(got, frame) {
		t.Errorf("frame\n% x\nwant\n% x", got, frame)
	}
}

func TestAnswerLines(t *testing.T) {
	for _, c := range []struct {
		line   string
		id     int64
		status int32
		err    string
	}{
		{`{"id":"638935272001000000"}`, 638935272001000000, 0, ""},
		{`{"id":638935272001000001}`, 638935272001000001, 0, ""},
		{`{"id":9223372036854775807,"status":0}`, math.MaxInt64, 0, ""},
		{`{"id":"-9223372036854775808"}`, math.MinInt64, 0, ""},
		{`{"id":"-9223372036854775807"}`, -math.MaxInt64, 0, ""},
		{` { "status" : 0 , "id" : -5 } `, -5, 0, ""},
		{"{\"id\": \"0\", \"status\": 0}\r\n", 0, 0, ""},
		{`{"id":null,"status":-3}`, 0, -3, ""},
		{`{"id":12,"status":3,"why":"full"}`, 0, 3, ""},
		{`{"status":2}`, 0, 2, ""},
		{`{"id":1,"shard":[1,2]}`, 1, 0, ""},

		{`{"id":9223372036854775808}`, 0, 0, "the id 9223372036854775808 is no 64-bit integer"},
		{`{"id":99999999999999999999}`, 0, 0, "no 64-bit integer"},
		{`{"id":1.5}`, 0, 0, "no 64-bit integer"},
		{`{"id":"12a"}`, 0, 0, "invalid number"},
		{`{"id":"007"}`, 0, 0, "invalid number"},
		{`{"id":""}`, 0, 0, "invalid number"},
		{`{"id":"1}`, 0, 0, "unexpected end"},
		{`{"id":true}`, 0, 0, "cannot unmarshal"},
		{`{}`, 0, 0, "there is no id"},
		{`null`, 0, 0, "there is no id"},
		{``, 0, 0, "unexpected end"},
		{`17`, 0, 0, "cannot unmarshal"},
		{`{"id":1}{"id":2}`, 0, 0, "after top-level value"},
		{`{"id":1,"status":0.5}`, 0, 0, "cannot unmarshal"},
	} {
		id, status, err := anyAnswer([]byte(c.line))
		if id != c.id || status != c.status || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: id %d, status %d, error %v; want %d, %d, %q", c.line, id, status, err, c.id, c.status, c.err)
		}
	}
	for line, usual := range map[string]bool{
		`{"id":"638935272001000000"}`: true, `{"id":9223372036854775807,"status":0}`: true, `{"id": "1", "status": 0}` + "\n": true,
		`{"id":9223372036854775808}`: false, `{"id":"-9223372036854775808"}`: false, `{"id":007}`: false, `{"id":"1}`: false, `{"id":1,"status":-2147483648}`: true, `{"id":1,"status":2147483648}`: false,
	} {
		if _, _, ok := usualAnswer([]byte(line)); ok != usual {
			t.Errorf("%s is usual: %v", line, ok)
		}
	}
}

// What is read the fast way reads the same the other way.
func FuzzAnswerLine(f *testing.F) {
	for _, line := range []string{`{"id":"638935272001000000"}`, `{"id": 9223372036854775807, "status": 0}`, `{"id":-0}`, `{"id":5,"status":-1}`, `{"id":007}`, "{\"id\":1\n}\n"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		id, status, ok := usualAnswer(line)
		if !ok {
			return
		}
		slowID, slowStatus, err := anyAnswer(line)
		if err != nil || slowID != id || slowStatus != status {
			t.Errorf("%q: id %d, status %d; as JSON %d, %d, %v", line, id, status, slowID, slowStatus, err)
		}
	})
}

// Any bytes give an answer or an error, and never more than they hold.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x02\x00\x00\x00"), 2)
	f.Add([]byte("\x01\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 1)
	f.Add([]byte("{\"id\":1}\n{\"id\":\"2\"}\n"), 2)
	f.Fuzz(func(t *testing.T, answer []byte, n int) {
		n = 1 + int(uint(n)%100)
		for _, framing := range []framing{&binaryFrames{}, &ndjson{}} {
			ids, kinds := make([]int64, n), make([]generator.Kind, n)
			out := bufio.NewReaderSize(bytes.NewReader(answer), 512)
			got, err := framing.decode(out, ids, kinds)
			var bad *answerError
			if (err == nil) != (got == n) || err != nil && !errors.As(err, &bad) && err != io.EOF {
				t.Fatalf("%d of %d answers, error %v", got, n, err)
			}
			if _, is := framing.(*binaryFrames); !is || err != nil {
				continue
			}
			for i, id := range ids {
				row := answer[4+answerRow*i:]
				refused := binary.LittleEndian.Uint32(row[8:]) != 0
				if kinds[i].Refused() != refused || !refused && id != int64(binary.LittleEndian.Uint64(row)) {
					t.Fatalf("answer %d: id %d (%v)", i, id, kinds[i])
				}
			}
		}
	})
}
