package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"twindrift/sim/delay"
)

const withFiles = `
sites:
  - name: a
    link:
      delay: empirical:@delays/a.parquet#lag_ms
      topics: {t: 'mixture:(1*1s|1*empirical:@/abs.parquet#wait:us)'}
    consumers:
      - {node: 1, service: 'empirical:@b.parquet#s_ns'}
  - name: b
    consumers:
      - {node: 2, handling: 'daily:(00:00=empirical:@b.parquet#h_ns)'}
`

// Files are named from the scenario's folder, each is read once, and what is
// read is sampled.
func TestReadDelays(t *testing.T) {
	s, err := Parse("with-files", []byte(withFiles))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	read := func(r delay.Reference) (*delay.Observed, error) {
		asked = append(asked, fmt.Sprintf("%s#%s*%d", r.Path, r.Column, r.UnitNs))
		o := &delay.Observed{}
		o.Add([]int64{int64(len(asked))})
		return o, nil
	}
	for range 2 {
		if err := s.ReadDelays("dir", read); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"dir/delays/a.parquet#lag_ms*1000000", "/abs.parquet#wait*1000", "dir/b.parquet#s_ns*1", "dir/b.parquet#h_ns*1"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked for\n%v, want\n%v", asked, want)
	}
	topic := s.Sites[0].Link.Topics["t"]
	for i, d := range []delay.Dist{s.Sites[0].Link.Delay, topic, s.Sites[0].Consumers[0].Service, s.Sites[1].Consumers[0].Handling} {
		if _, unread := d.Unread(); unread || d.Min() != int64(i+1) {
			t.Errorf("%v: unread %v, least %d", d, unread, d.Min())
		}
	}
}

func TestReadDelaysErrors(t *testing.T) {
	s, err := Parse("with-files", []byte(withFiles))
	if err != nil {
		t.Fatal(err)
	}
	err = s.ReadDelays("", func(r delay.Reference) (*delay.Observed, error) {
		if strings.HasPrefix(r.Path, "b") {
			return nil, errors.New(r.Path + " is broken")
		}
		return &delay.Observed{}, nil
	})
	want := `sites[0].link.delay: empirical:@delays/a.parquet#lag_ms: there is no value in the column
sites[0].link.topics.t: empirical:@/abs.parquet#wait:us: there is no value in the column
sites[0].consumers[0].service: empirical:@b.parquet#s_ns: b.parquet is broken
sites[1].consumers[0].handling: empirical:@b.parquet#h_ns: b.parquet is broken`
	if err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}
