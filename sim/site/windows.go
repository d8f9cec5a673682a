package site

// Window is a stretch of virtual time: From <= t < To, in ns.
type Window struct{ From, To int64 }

// windows are stretches in which something is held up, ascending by From.
type windows []Window

// after is t, or where t falls into windows the end of the last of them.
func (w windows) after(t int64) int64 {
	for _, v := range w {
		if v.From <= t && t < v.To {
			t = v.To
		}
	}
	return t
}
