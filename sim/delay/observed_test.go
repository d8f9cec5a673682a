package delay

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func loaded(t interface{ Fatal(...any) }, text string, ns []int64) Dist {
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err = d.Load(func(Reference) (*Observed, error) {
		o := &Observed{}
		for part := range slices.Chunk(ns, 3) {
			o.Add(part)
		}
		return o, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Observed delays are sampled as if they stood sorted in a list, every one as
// likely as the others.
func TestObserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, maxNs)), 1, 300).Draw(t, "ns")
		d := loaded(t, "empirical:@x.parquet#lag_ns", ns)
		slices.Sort(ns)
		us := append(rapid.SliceOf(rapid.Uint64()).Draw(t, "words"), words(301)...)
		us = append(us, 0, math.MaxUint64)
		for lead := range uint64(1 << 12) {
			us = append(us, lead<<52, lead<<52-1)
		}
		for _, u := range us {
			rank, _ := bits.Mul64(u, uint64(len(ns)))
			if got := d.Sample(u); got != ns[rank] {
				t.Fatalf("at %#x: %d, want %d", u, got, ns[rank])
			}
		}
		if d.Min() != ns[0] {
			t.Fatalf("the least is %d, want %d", d.Min(), ns[0])
		}
	})
}

// Past 2^20 different values all but the ends are rounded: within 1 part in
// 65536, and still in order.
func TestObservedInBoundedMemory(t *testing.T) {
	const n = 3 << 20
	var o Observed
	ns := make([]int64, n)
	x := uint64(1)
	for i := range ns {
		x = x*6364136223846793005 + 1442695040888963407
		ns[i] = int64(x>>12>>(x>>59)) % (maxNs + 1)
	}
	o.Add(ns)
	r := o.rank()
	slices.Sort(ns)
	if got := len(r.ns); got > 52<<15 {
		t.Errorf("%d values are kept", got)
	}
	d := Dist{seen: &seen{ranks: r}}
	for i, u := range words(n) {
		got := rankSample(&d, u)
		if off := math.Abs(float64(got - ns[i])); off > float64(ns[i])/65536 {
			t.Fatalf("value %d is %d, want %d", i, got, ns[i])
		}
	}
	if rankSample(&d, 0) != ns[0] || rankSample(&d, math.MaxUint64) != ns[n-1] {
		t.Error("the ends are not exact")
	}
}

func TestObservedCuts(t *testing.T) {
	var o Observed
	o.Add([]int64{-5, maxNs + 1, 7})
	r := o.rank()
	if o.Cut != 2 || !slices.Equal(r.ns, []int64{0, 7, maxNs}) || o.Len() != 3 {
		t.Errorf("%d cut, %v", o.Cut, r.ns)
	}
}

func TestLoad(t *testing.T) {
	text := "mixture:(1*daily:(01:00=empirical:@a.parquet#lag:us;02:00=1s)|1*empirical:@b.parquet#wait_s)"
	d := mustParse(t, text)
	if r, ok := d.Unread(); !ok || r != (Reference{"a.parquet", "lag", 1e3}) {
		t.Errorf("unread is %v, %v", r, ok)
	}
	var asked []Reference
	values := map[string]int64{"a.parquet": 5e6, "b.parquet": 7e6}
	read := func(r Reference) (*Observed, error) {
		asked = append(asked, r)
		o := &Observed{}
		o.Add([]int64{values[r.Path]})
		return o, nil
	}
	whole, err := d.Load(read)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(asked, []Reference{{"a.parquet", "lag", 1e3}, {"b.parquet", "wait_s", 1e9}}) {
		t.Errorf("asked for %v", asked)
	}
	if _, unread := whole.Unread(); unread || whole.String() != text || whole.Min() != 5e6 {
		t.Errorf("%v, unread %v, least %d", whole, unread, whole.Min())
	}
	for u, want := range map[uint64]int64{0: 5e6, math.MaxUint64: 7e6} {
		if got := whole.SampleAt(u, 5_400_000); got != want {
			t.Errorf("at %#x: %d, want %d", u, got, want)
		}
	}
	if _, unread := d.Unread(); !unread {
		t.Error("Load has changed what it was called on")
	}

	asked = nil
	if again, err := whole.Load(read); err != nil || !again.Equal(whole) || asked != nil {
		t.Errorf("read twice: %v, %v", asked, err)
	}
	broken := errors.New("broken")
	for want, read := range map[error]func(Reference) (*Observed, error){
		broken:      func(Reference) (*Observed, error) { return nil, broken },
		ErrNoValues: func(Reference) (*Observed, error) { return &Observed{}, nil },
	} {
		if _, err := d.Load(read); !errors.Is(err, want) {
			t.Errorf("the error is %v, want %v", err, want)
		}
	}
}
