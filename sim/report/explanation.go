package report

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"twindrift/generator"
	"twindrift/sim/result"
)

// ExplanationJSON writes an explanation as JSON writes a result.
func ExplanationJSON(w io.Writer, x *result.Explanation) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(withoutNil(reflect.ValueOf(x)).Interface())
}

// story is the text of an explanation.
type story struct {
	page
	*result.Explanation
}

// copiesTold is how many holders of an id the text names at a site; JSON has
// more.
const copiesTold = 5

// Explanation writes an explanation for people.
func Explanation(w io.Writer, x *result.Explanation, opts TextOptions) error {
	s := &story{page{width: max(opts.Width, 80), color: opts.Color}, x}
	if !x.Found {
		s.notFound()
	} else {
		for i := range x.IDs {
			s.id(&x.IDs[i])
		}
		for i := range x.Messages {
			s.message(&x.Messages[i])
		}
		if x.OtherMessages > 0 && len(x.Messages) > 0 && x.Asked == x.IDs[0].ID {
			s.line("")
			s.wrap("", fmt.Sprintf("%s with this id not told here; --messages N tells of more, and 'twindrift explain TOPIC/PARTITION@OFFSET' of one.",
				counted(x.OtherMessages, "more message")))
		}
	}
	s.line("")
	s.wrap("", fmt.Sprintf("Times are UTC, where they are not called local (%s). Ids by %s.", zone(x.UTCOffsetMs), x.Generator))
	_, err := w.Write(s.Bytes())
	return err
}

// notFound tells what is there instead.
func (s *story) notFound() {
	s.heading(s.Asked + " is not in this run")
	s.field("", s.Missing)
	for _, id := range s.IDs {
		s.field("its digits", s.digits(&id.Digits))
	}
	for _, near := range []struct {
		label string
		w     *result.Witness
	}{{"next below", s.Below}, {"next above", s.Above}} {
		if near.w == nil {
			if s.Below != nil || s.Above != nil {
				s.field(near.label, "none")
			}
			continue
		}
		s.field(near.label, withID(near.w))
		s.field("", times(near.w))
	}
}

// withID names a delivery and its id.
func withID(w *result.Witness) string {
	who := fmt.Sprintf("%s at %s, node %d", messageName(w.Topic, w.Partition, w.Offset), w.Site, w.Node)
	switch {
	case w.ID != "":
		return withDetail(who+": id "+w.ID, w.Detail)
	case strings.HasPrefix(w.Detail, "no id"): // refused
		return who + ": " + w.Detail
	}
	return withDetail(who+": no id (filtered)", w.Detail)
}

// field writes a labelled text, below its label where that is long.
func (s *story) field(label, text string) {
	if text == "" {
		return
	}
	if columns(label) > 11 {
		s.line("  " + label)
		label = ""
	}
	s.wrap("  "+left(label, 12), text)
}

func (s *story) digits(d *result.Digits) string {
	text := clock(d.OwnerSecondMs/1000) + " UTC"
	at, err := time.Parse(time.RFC3339, d.OwnerLocal)
	switch name, _, _ := strings.Cut(s.Generator, " "); {
	case err == nil && strings.Contains(d.OwnerLocal, "."): // those that say the ms say UTC
		text = moment(at.UnixMilli()) + " UTC"
	case sayLocalTime(name):
		text = fmt.Sprintf("%s local (%s)", clock(d.OwnerSecondMs/1000+s.UTCOffsetMs/1000), text)
	}
	if d.Node != generator.NoNode {
		text += fmt.Sprintf(", node %d", d.Node)
	}
	text += fmt.Sprintf(", sequence %d", d.Sequence)
	if d.Rest != 0 {
		text += fmt.Sprintf(" and %d over: not on the step, so no id of this generator", d.Rest)
	}
	return text
}

// id tells who has an id, and why more than one.
func (s *story) id(id *result.ExplainedID) {
	s.heading("ID " + id.ID)
	s.field("digits", s.digits(&id.Digits))
	for i := range id.Sites {
		s.field(short(id.Sites[i].Site, 11), atSite(&id.Sites[i]))
	}
	for i := range id.Between {
		b := &id.Between[i]
		s.field("between", fmt.Sprintf("%s and %s have it for different messages: %s on top of their own (%s)",
			b.A, b.B, copies(b.ExtraCopies), byCauses(b.ByCause)))
	}
	for _, rule := range id.Causes {
		s.field(rule.Cause, rule.Text)
	}
	for i := range id.Sites {
		if at := &id.Sites[i]; at.Stored > 1 {
			s.copies("who has it at "+at.Site, at.Copies, at.Stored)
		}
	}
	for i := range id.Between {
		b := &id.Between[i]
		copies := append([]result.IDCopy{{Witness: b.Original}}, b.Copies...)
		s.copies("who has it at "+b.A+" and "+b.B, copies, b.ExtraCopies+1)
	}
}

func atSite(at *result.IDAtSite) string {
	var text string
	switch at.Stored {
	case 0:
		text = "nobody has it"
	case 1:
		text = "stored once with it"
	default:
		text = fmt.Sprintf("stored %s times with it, %s: %s", count(at.Stored), copies(at.ExtraCopies), byCauses(at.ByCause))
	}
	if at.NotStored > 0 {
		text += fmt.Sprintf("; %s of topics that are not stored", count(at.NotStored))
	}
	return text
}

// byCauses names causes, the most frequent first, with their counts if there
// are several.
func byCauses(counts map[string]int64) string {
	causes := byCount(counts)
	if len(causes) > 1 {
		for i, cause := range causes {
			causes[i] = cause + " " + count(counts[cause])
		}
	}
	return and(causes)
}

func (s *story) copies(title string, copies []result.IDCopy, all int64) {
	s.line("")
	s.line("  " + title)
	shown := copies[:min(len(copies), copiesTold)]
	for i := range shown {
		c := &shown[i]
		s.wrap("    ", fmt.Sprintf("%s at %s, node %d; %s", messageName(c.Topic, c.Partition, c.Offset), c.Site, c.Node, role(c)))
		s.wrap("      ", times(&c.Witness))
	}
	if n := all - int64(len(shown)); n > 0 {
		s.line(fmt.Sprintf("    and %s more", count(n)))
	}
}

// role says whether a copy is the original, or why it has the id too.
func role(c *result.IDCopy) string {
	switch {
	case c.Cause == "":
		return withDetail("original", c.Detail)
	case strings.HasSuffix(c.Detail, c.Cause):
		return "extra copy: " + c.Cause
	}
	return withDetail("extra copy: "+c.Cause, c.Detail)
}
