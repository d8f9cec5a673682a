package redisstreams

// writeAuto leaves the id to the server (XADD *), whose clock is that of the site.
func (g *Generator) writeAuto(c call) (entry, error) {
	return g.answer(g.server.AddAuto(c.atNs, g.stream(0), c.clockMs))
}
