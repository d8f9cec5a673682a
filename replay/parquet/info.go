package parquet

// FileInfo says how a file of a capture was understood.
type FileInfo struct {
	Path      string
	Bytes     int64
	Rows      int64
	RowGroups int
	CreatedBy string            // as the file says
	Columns   map[string]string // column of a capture: column of the file
	Time      string            // type of the timestamp column, and the unit taken where the type has none
}

// Files lists the files of the capture, in the order in which they are read.
// Files without rows are not there.
func (c *Capture) Files() []FileInfo {
	var list []FileInfo
	for _, in := range c.inputs {
		meta := in.pq.Metadata()
		info := FileInfo{
			Path: in.name, Bytes: in.size, Rows: meta.NumRows, RowGroups: len(meta.RowGroups),
			CreatedBy: meta.CreatedBy, Columns: map[string]string{},
		}
		for r, has := range in.layout.has {
			if has {
				info.Columns[names[r][0]] = joinPath(in.layout.columns[r].Path)
			}
		}
		t := in.layout.time
		info.Time = typeName(t.element)
		if (t.plain || t.text) && t.unit.name != "" {
			info.Time += " in " + t.unit.name
		}
		list = append(list, info)
	}
	return list
}
