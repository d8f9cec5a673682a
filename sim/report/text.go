package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"twindrift/sim/result"
)

// TextOptions say how Text is to look. The zero value is fine.
type TextOptions struct {
	Width    int      // columns; overriding the default and least, 80
	Color    bool     // with ANSI colours, for terminals only
	Captures []string // where the messages came from, for the head line
}

// Text writes a result for people: first which thresholds hold, where there are
// any, then what was found, in a few sentences, then the figures part by part,
// with the sites side by side, then what the words mean. No line is longer than opts.Width.
func Text(w io.Writer, r *result.Result, opts TextOptions) error {
	if err := complete(r); err != nil {
		return err
	}
	t := &text{
		told:     map[string]bool{},
		page:     page{width: max(opts.Width, 80), color: opts.Color},
		Result:   r,
		scenario: generic(r.Scenario),
	}
	for _, name := range r.SiteNames {
		t.sites = append(t.sites, r.Sites[name])
	}
	for _, name := range r.PairNames {
		t.pairs = append(t.pairs, r.Between[name])
	}
	t.head(opts.Captures)
	t.thresholds()
	t.verdict()
	t.replications()
	t.input()
	if r.Input.Messages > 0 && len(t.sites) > 0 {
		t.setup()
		t.order()
		if t.slotted() {
			t.overflow()
		} else {
			t.offsetsOfOthers()
		}
		t.push()
		t.duplicates()
		t.costs()
		t.between()
		t.definitions()
	}
	_, err := w.Write(t.Bytes())
	return err
}

// text is one report being written.
type text struct {
	page
	*result.Result
	scenario any // as maps, lists and json.Number
	sites    []*result.Site
	pairs    []*result.Between
	told     map[string]bool // causes that have been explained
}

func (t *text) head(captures []string) {
	from := ""
	switch len(captures) {
	case 0:
	case 1:
		from = " of " + short(filepath.Base(captures[0]), 36)
	default:
		from = fmt.Sprintf(" of %d captures", len(captures))
	}
	t.styled(bold, fmt.Sprintf("twindrift: %s%s through %s",
		counted(t.Input.Messages, "message"), from, counted(int64(len(t.sites)), "site")))
}

// generator says which algorithm made the ids.
func (t *text) generator() string {
	if len(t.sites) == 0 {
		return "no generator"
	}
	return t.sites[0].Generator
}

// perSecond is how many ids a node can draw for one second, 0 if unlimited.
func (t *text) perSecond() int64 {
	if len(t.sites) == 0 {
		return 0
	}
	return t.sites[0].PerSecond
}

// generic gives a scenario the form that it has after JSON, whichever it had.
func generic(scenario any) any {
	bytes, err := json.Marshal(scenario)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(bytes)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// at is what the scenario holds at a path of names and indexes; nil if nothing.
func (t *text) at(path ...any) any {
	v := t.scenario
	for _, step := range path {
		switch at := v.(type) {
		case map[string]any:
			name, _ := step.(string)
			v = at[name]
		case []any:
			i, ok := step.(int)
			if !ok || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}

// said is a simple value of the scenario in words; empty if there is none.
func (t *text) said(path ...any) string {
	switch v := t.at(path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// bySite gives each site a column.
func (t *text) bySite() []span[*result.Site] {
	var spans []span[*result.Site]
	for _, s := range t.sites {
		spans = append(spans, span[*result.Site]{name: s.Name, things: []*result.Site{s}})
	}
	return spans
}

// siteShape is the shape of tables with one column a site.
var siteShape = shape{column: 22, abreast: 2}

// grains are the grains of time at which order is measured, as keys and for
// people.
var grains = [...]struct{ key, name string }{
	{"1ms", "at 1 ms"}, {"1s", "at 1 s"}, {"10s", "at 10 s"}, {"60s", "at 60 s"},
}
