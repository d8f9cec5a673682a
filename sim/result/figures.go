package result

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Figure is one number of a result.
type Figure struct {
	Path  string   // as in thresholds: sites.east.order.tau_b["1s"]
	Value *float64 // nil where it is not defined; whole numbers are exact up to 2^53
}

// Figures are the numbers of the sites and between them that luck can change,
// in the order of the result. Left out are what was asked for or cannot change
// (node numbers, deadlines, the input), moments, and what is a list of its own:
// histograms, series by the minute, witnesses. Two results of one scenario have
// the same figures, but for counts by cause, of which each has those that occur.
func Figures(r *Result) []Figure { return walkFigures(r).figures }

// CountsByName are the paths of the maps of a result that hold counts by cause,
// node and the like: what such a map does not name, has occurred 0 times.
func CountsByName(r *Result) []string { return walkFigures(r).counts }

func walkFigures(r *Result) *figureWalk {
	w := new(figureWalk)
	for _, name := range r.SiteNames {
		w.follow(reflect.ValueOf(r.Sites[name]), Under("sites", name), false)
	}
	for _, name := range r.PairNames {
		w.follow(reflect.ValueOf(r.Between[name]), Under("between", name), false)
	}
	return w
}

// Under is the path of what has a name below another path, in the form that
// thresholds are written in: a.b, a["b c"].
func Under(path, name string) string {
	switch {
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || name == "":
		return fmt.Sprintf("%s[%q]", path, name)
	case path == "":
		return name
	}
	return path + "." + name
}

// fixed are the fields, by their names in JSON, that are no figures: they are
// as the scenario says, or moments.
var fixed = map[string]bool{
	"node": true, "deadline_ms": true, "per_second": true, "utc_offset_ms": true,
	"threshold": true, "start_ms": true, "end_ms": true,
	"second": true, "first_second": true, "first_not_full": true,
}

// tables are the lists, by their names in JSON, whose elements have figures: the
// processes of a site. Rows of other lists are told by what stands in them, as
// those of deadlines are, and not by their number.
var tables = map[string]bool{"consumers": true, "nodes": true}

// figureWalk collects the figures below a value.
type figureWalk struct {
	figures []Figure
	counts  []string // maps of counts
}

// follow goes on from v, which path leads to; absent says that v only stands
// for its type.
func (w *figureWalk) follow(v reflect.Value, path string, absent bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			w.follow(reflect.Zero(v.Type().Elem()), path, true)
		} else {
			w.follow(v.Elem(), path, absent)
		}
	case reflect.Struct:
		w.fields(v, path, absent)
	case reflect.Map:
		w.named(v, path, absent)
	case reflect.Int, reflect.Int32, reflect.Int64:
		w.add(path, float64(v.Int()), absent)
	case reflect.Float64:
		w.add(path, v.Float(), absent)
	}
}

func (w *figureWalk) add(path string, value float64, absent bool) {
	f := Figure{Path: path}
	if !absent {
		f.Value = &value
	}
	w.figures = append(w.figures, f)
}

func (w *figureWalk) fields(v reflect.Value, path string, absent bool) {
	for i := range v.NumField() {
		of := v.Type().Field(i)
		name, _, _ := strings.Cut(of.Tag.Get("json"), ",")
		switch field := v.Field(i); {
		case of.Anonymous:
			w.follow(field, path, absent)
		case fixed[name]:
		case field.Kind() != reflect.Slice:
			w.follow(field, Under(path, name), absent)
		case tables[name]:
			for k := range field.Len() {
				w.follow(field.Index(k), fmt.Sprintf("%s[%d]", Under(path, name), k), absent)
			}
		}
	}
}

// named goes over a map by the order of its keys.
func (w *figureWalk) named(v reflect.Value, path string, absent bool) {
	if v.Type().Elem().Kind() == reflect.Int64 {
		w.counts = append(w.counts, path)
	}
	keys := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		keys[key.String()] = v.MapIndex(key)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		w.follow(keys[key], Under(path, key), absent)
	}
}
