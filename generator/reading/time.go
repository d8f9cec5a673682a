package reading

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseTime reads a moment from text: 13 digits of milliseconds since 1970, or
// RFC 3339 with its zone. It gives ms since the Unix epoch.
func ParseTime(text string) (int64, error) {
	const want = "want 13 digits of milliseconds (1757901600000) or RFC 3339 with a zone (2025-09-15T10:00:00+08:00)"
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.UnixMilli(), nil
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err == nil && len(text) == 13 && ms > 0 {
		return ms, nil
	}
	digits := strings.TrimLeft(text, "0123456789") == "" && text != ""
	switch {
	case digits && len(text) == 10:
		return 0, fmt.Errorf("time %s looks like seconds: append 000; %s", text, want)
	case digits && (len(text) == 16 || len(text) == 19):
		return 0, fmt.Errorf("time %s has %d digits, too many for milliseconds: keep 13; %s", text, len(text), want)
	}
	for _, zoneless := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if _, err := time.Parse(zoneless, text); err == nil {
			return 0, fmt.Errorf("time %q has no zone or is not complete; %s", text, want)
		}
	}
	return 0, fmt.Errorf("time %q: %s", text, want)
}
