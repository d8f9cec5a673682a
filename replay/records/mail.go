package records

import (
	"fmt"
	"net/mail"
	"strings"
	"time"
)

// mailDate reads the dates of mail headers (RFC 5322, and what RFC 822 had
// before it).
type mailDate struct{}

// mailZones are the zones that RFC 5322, 4.3 gives names, in hours.
var mailZones = map[string]int{
	"UT": 0, "UTC": 0, "GMT": 0, "Z": 0,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}

func (mailDate) parse(text string) (int64, error) {
	t, err := mail.ParseDate(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a mail date like Mon, 02 Jan 2006 15:04:05 -0700", text)
	}
	// A zone that is a name has come out as the library thinks best; as the
	// machine's own zone, even.
	if name, _ := t.Zone(); name != "" && name[0] != '+' && name[0] != '-' && !hasOffset(text) {
		hours, ok := mailZones[name]
		if !ok {
			return 0, fmt.Errorf("%q: what zone %s is meant is not known", text, name)
		}
		wall := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
		t = wall.Add(-time.Duration(hours) * time.Hour)
	}
	return t.UnixMilli(), nil
}

// hasOffset tells whether a mail date has a zone in digits.
func hasOffset(text string) bool {
	i := strings.IndexAny(text, "+-")
	return i >= 0 && len(text) >= i+5
}

func (mailDate) String() string { return "mail date" }
