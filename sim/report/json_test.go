package report

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"twindrift/sim/result"
)

func TestJSON(t *testing.T) {
	var got bytes.Buffer
	if err := JSON(&got, marketOpen()); err != nil {
		t.Fatal(err)
	}
	golden(t, "burst.json", got.Bytes())
	var empty bytes.Buffer
	if err := JSON(&empty, new(result.Result)); err != nil {
		t.Fatal(err)
	}
	golden(t, "nothing.json", empty.Bytes())
}

func TestJSONLeavesTheResultAlone(t *testing.T) {
	r := empty()
	if err := JSON(new(bytes.Buffer), r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(empty(), r); diff != "" {
		t.Errorf("changed (-before +after):\n%s", diff)
	}
}

func TestReadJSONGivesBackWhatJSONWrote(t *testing.T) {
	for name, r := range made() {
		var first, second bytes.Buffer
		if err := JSON(&first, r); err != nil {
			t.Fatal(err)
		}
		back, err := ReadJSON(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		scenario := cmpopts.IgnoreFields(result.Result{}, "Scenario")
		if diff := cmp.Diff(r, back, scenario, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s differs (-written +read):\n%s", name, diff)
		}
		if err := JSON(&second, back); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: written again it differs:\n%s", name, cmp.Diff(first.String(), second.String()))
		}
	}
}

func TestReadJSONGivesBackAnyResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := randomResult(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)))
		r.Format, r.Version = result.Format, result.Version
		var file bytes.Buffer
		if err := JSON(&file, r); err != nil {
			t.Fatal(err)
		}
		back, err := ReadJSON(&file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, back, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("differs (-written +read):\n%s", diff)
		}
	})
}

func TestTextOfAResultFileIsThatOfTheRun(t *testing.T) {
	for name, r := range made() {
		var file, of, again bytes.Buffer
		if err := errors.Join(JSON(&file, r), Text(&of, r, TextOptions{})); err != nil {
			t.Fatal(err)
		}
		back, err := ReadJSON(&file)
		if err != nil {
			t.Fatal(err)
		}
		if err := Text(&again, back, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(of.String(), again.String()); diff != "" {
			t.Errorf("%s differs (-run +file):\n%s", name, diff)
		}
	}
}

func TestReadJSONRefuses(t *testing.T) {
	var file bytes.Buffer
	if err := JSON(&file, evening("east", "west")); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	changed := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("no %q in a result", from)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, c := range map[string]struct {
		text, want string
		is         error
	}{
		"empty file":    {"", "it is empty", ErrNotResult},
		"no JSON":       {"{\n  \"format\": oops\n}", "line 2, column 13", ErrNotResult},
		"other JSON":    {`{"format":"npm"}`, `format "npm"`, ErrNotResult},
		"an array":      {`[1]`, "not a twindrift result: no array can be here (line 1, column 1)", ErrNotResult},
		"later version": {changed(`"version": 1`, `"version": 2`), "reads 1", ErrVersion},
		"cut short":     {good[:len(good)/2], "line", ErrNotResult},
		"two results":   {good + good, "after top-level value", ErrNotResult},
		"unknown field": {changed(`"messages"`, `"mesages"`), `"mesages"`, nil},
		"wrong type":    {changed(`"messages": 360000`, `"messages": "many"`), "result: input.messages: no string can be here (line 22,", nil},
		"fraction":      {changed(`"messages": 360000`, `"messages": 0.5`), "0.5", nil},
		"missing site":  {changed("\"east\",\n    \"west\"", "\"east\",\n    \"north\""), `"north"`, nil},
		"unnamed site":  {changed("\"east\",\n    \"west\"", "\"east\""), "1 site_names for 2 sites", nil},
		"unknown pair":  {changed(`"a": "east"`, `"a": "north"`), `"north"`, nil},
		"missing pair":  {changed("\"pair_names\": [\n    \"east-west\"", "\"pair_names\": [\n    \"a-b\""), `"a-b"`, nil},
	} {
		_, err := ReadJSON(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want one with %q (%v)", name, err, c.want, c.is)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	var file bytes.Buffer
	if err := JSON(&file, empty()); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(`{"format":"twindrift-result","version":1,"site_names":["a","b"],"sites":{"a":{"push":{"stored":1}},"b":{"lag":[{"max_lag_ms":2000}]}},` +
		`"pair_names":["a-b"],"between":{"a-b":{"a":"a","b":"b","both":1,"different_second":1}},"input":{"messages":1}}`))
	f.Add([]byte(`{"format":"twindrift-result","version":1,"site_names":["a"],"sites":{"a":{}}}`))
	f.Add([]byte(`{"format":"twindrift-result","version":1,"input":{"messages":1}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := ReadJSON(bytes.NewReader(file))
		if err != nil {
			return
		}
		if err := Text(new(bytes.Buffer), r, TextOptions{}); err != nil {
			t.Errorf("a result that could be read has no text: %v", err)
		}
	})
}
