package scenario

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// place is where something stands in a file.
type place struct{ line, column int }

// describe says what kind of node there is.
func describe(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode:
		return "a block of fields"
	case *ast.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", n.GetToken().Value)
}

// placeOf is where a path stands, or the nearest part of the file around it.
func (d *decoder) placeOf(path string) place {
	for path != "" {
		if at, ok := d.at[path]; ok {
			return at
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return d.at[""]
}

func placeOfNode(n ast.Node) place {
	switch t := n.(type) {
	case *ast.MappingNode:
		if !t.IsFlowStyle && len(t.Values) > 0 {
			return placeOfNode(t.Values[0].Key)
		}
	case *ast.MappingKeyNode:
		return placeOfNode(t.Value)
	}
	if n == nil {
		return place{}
	}
	return placeOfToken(n.GetToken())
}

func placeOfToken(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{line: t.Position.Line, column: t.Position.Column}
}
