package reading

import (
	"fmt"
	"time"
)

// Local writes the second of a moment in a local time: RFC 3339, but that an
// offset with seconds has them too, which RFC 3339 has no room for. Both are in
// milliseconds.
func Local(ms, utcOffsetMs int64) string {
	zone := Zone(utcOffsetMs)
	if utcOffsetMs == 0 {
		zone = "Z"
	}
	return time.UnixMilli(ms+utcOffsetMs).UTC().Format("2006-01-02T15:04:05") + zone
}

// Zone writes local time less UTC: +08:00, or +08:05:10 where it has seconds.
func Zone(utcOffsetMs int64) string {
	sign, s := '+', utcOffsetMs/1000
	if s < 0 {
		sign, s = '-', -s
	}
	zone := fmt.Sprintf("%c%02d:%02d", sign, s/3600, s/60%60)
	if s%60 != 0 {
		zone += fmt.Sprintf(":%02d", s%60)
	}
	return zone
}
