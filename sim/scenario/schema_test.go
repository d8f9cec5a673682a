package scenario

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"twindrift/generator/catalog"
	"twindrift/sim/delay"
	"twindrift/sim/duration"
)

// object is a JSON object whose fields keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name)
		b.Write(name)
		b.WriteByte(':')
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

const durationPattern = `([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h|d)`

func makeSchema(t *testing.T) string {
	comments := fieldComments(t)
	whole := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "twindrift scenario"},
	}
	whole = append(whole, structSchema(reflect.TypeFor[Scenario](), comments)...)
	var names []string
	for _, form := range delay.Usage() {
		if name, _, hasValues := strings.Cut(form, ":"); hasValues {
			names = append(names, name)
		}
	}
	whole = append(whole, member{"$defs", object{
		{"duration", object{
			{"type", "string"},
			{"description", "A duration with its unit: 300ms, 15m, 1d12h."},
			{"pattern", `^[+-]?(` + durationPattern + `)+$`},
		}},
		{"moment", object{
			{"type", "string"},
			{"description", "A time after the capture's start (10m), or a date and time (2026-03-03T20:00:00+08:00)."},
			{"pattern", `^([+-]?(` + durationPattern + `)+|[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt].+)$`},
		}},
		{"delay", object{
			{"description", "A duration or a distribution: " + strings.Join(delay.Usage(), ", ") + "; or mixtures and days as a block."},
			{"anyOf", []any{
				object{{"type", "string"}, {"pattern", `^((` + durationPattern + `)+|(` + strings.Join(names, "|") + `):.+)$`}},
				append(structSchema(reflect.TypeFor[delayBlock](), comments), member{"minProperties", 1}, member{"maxProperties", 1}),
			}},
		}},
	}})
	text, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

func structSchema(typ reflect.Type, comments map[string]string) object {
	var properties object
	var required []string
	for _, f := range reflect.VisibleFields(typ) {
		o := object{{"description", comments[typ.Name()+"."+f.Name]}}
		properties = append(properties, member{fieldName(f), append(o, typeSchema(f.Type, f.Tag, comments)...)})
		if f.Tag.Get("required") == "true" {
			required = append(required, fieldName(f))
		}
	}
	o := object{{"type", "object"}, {"additionalProperties", false}}
	if required != nil {
		o = append(o, member{"required", required})
	}
	return append(o, member{"properties", properties})
}

func typeSchema(typ reflect.Type, tag reflect.StructTag, comments map[string]string) object {
	switch typ {
	case reflect.TypeFor[duration.Duration]():
		return object{{"$ref", "#/$defs/duration"}}
	case reflect.TypeFor[Moment]():
		return object{{"$ref", "#/$defs/moment"}}
	case reflect.TypeFor[delay.Dist]():
		return object{{"$ref", "#/$defs/delay"}}
	}
	switch typ.Kind() {
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Pointer:
		return typeSchema(typ.Elem(), tag, comments)
	case reflect.Struct:
		return structSchema(typ, comments)
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", typeSchema(typ.Elem(), "", comments)}}
	case reflect.Slice:
		o := object{{"type", "array"}, {"items", typeSchema(typ.Elem(), tag, comments)}}
		if n, err := strconv.Atoi(tag.Get("length")); err == nil {
			o = append(o, member{"minItems", n}, member{"maxItems", n})
		}
		return o
	case reflect.String:
		o := object{{"type", "string"}}
		if enum, ok := tag.Lookup("enum"); ok {
			o = append(o, member{"enum", strings.Split(enum, ",")})
		}
		return o
	}
	o := object{{"type", "integer"}}
	if typ.Kind() == reflect.Float64 {
		o[0].value = "number"
	}
	if text, ok := tag.Lookup("min"); ok {
		o = append(o, member{"minimum", json.Number(text)})
	}
	if text, ok := tag.Lookup("above"); ok {
		o = append(o, member{"exclusiveMinimum", json.Number(text)})
	}
	if text, ok := tag.Lookup("max"); ok {
		o = append(o, member{"maximum", json.Number(text)})
	}
	return o
}

// fieldComments are the comments of struct fields, "Scenario.Seed" to text,
// that begin with the field's name in files.
func fieldComments(t *testing.T) map[string]string {
	comments := map[string]string{}
	for _, name := range []string{"scenario.go", "generator.go", "traffic.go", "trouble.go", "delayblock.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		commentsOf(file, comments)
	}
	return comments
}

// commentsOf adds the comments of a file.
func commentsOf(file *ast.File, comments map[string]string) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range fields.Fields.List {
			tag, _ := strconv.Unquote(f.Tag.Value)
			name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
			text := strings.Join(strings.Fields(f.Doc.Text()), " ")
			for _, goName := range []string{f.Names[0].Name, "Assignor"} {
				if rest, ok := strings.CutPrefix(text, goName+" "); ok {
					text = name + " " + rest
				}
			}
			comments[spec.Name.Name+"."+f.Names[0].Name] = text
		}
		return true
	})
}

func TestSchemaIsOfTheStructs(t *testing.T) { golden(t, "schema.json", makeSchema(t)) }

// Independently of how the schema is made: its fields are those of the
// structs, level by level, and each says what it means.
func TestSchemaHasTheFields(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	fields := 0
	var compare func(path string, schema map[string]any, typ reflect.Type)
	compare = func(path string, schema map[string]any, typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			if items, ok := schema["items"].(map[string]any); ok {
				schema = items
			}
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || schema["$ref"] != nil {
			return
		}
		properties, _ := schema["properties"].(map[string]any)
		if schema["additionalProperties"] != false || len(properties) != typ.NumField() {
			t.Errorf("%q: the schema has %d fields, the struct %d", path, len(properties), typ.NumField())
		}
		for i := range typ.NumField() {
			name := fieldName(typ.Field(i))
			field, ok := properties[name].(map[string]any)
			if text, _ := field["description"].(string); !ok || len(text) < 20 || !strings.HasSuffix(text, ".") {
				t.Errorf("%s: missing from the schema, or without a description: %v", join(path, name), field)
				continue
			}
			fields++
			compare(join(path, name), field, typ.Field(i).Type)
		}
	}
	compare("", schema, reflect.TypeFor[Scenario]())
	if fields < 30 {
		t.Errorf("only %d fields compared", fields)
	}
}

// The description of the generator's name lists every generator there is.
func TestSchemaNamesGenerators(t *testing.T) {
	for _, e := range catalog.Entries() {
		if !bytes.Contains(Schema(), []byte(e.Name)) || !bytes.Contains(Schema(), []byte(e.Variant)) {
			t.Errorf("the comments of Generator do not name %s, %s", e.Name, e.Variant)
		}
	}
}

func TestSchemaAgreesWithParse(t *testing.T) {
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Default().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	good := map[string][]byte{"init.yaml": Init(), "default": resolved}
	for _, file := range []string{"testdata/everything.yaml", "testdata/everything.golden"} {
		if good[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range good {
		value, err := fromYAML(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: the schema refuses it: %v", name, err)
		}
	}

	// What single fields can be wrong in, the schema refuses too.
	beyond := strings.Fields(`alias_loop alias_unknown assign_contradiction assign_explicit_without bad_name
		deadline_below_ms delay_block_time delay_block_weight delay_mixture delay_too_long generator_name generator_offset generator_offset_below_ms generator_offset_below_s
		generator_variant merge_key negative_deadline no_consumers no_name no_sites observed_delay partition_overflow
		partition_syntax partition_twice rule_empty rule_mod same_name same_pair_name second_document
		store_empty store_twice tag
		threshold_number threshold_operator traffic_before traffic_burst_empty traffic_only traffic_shift traffic_spread
		traffic_window`)
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		value, err := fromYAML(text)
		if err != nil || slices.Contains(beyond, strings.TrimSuffix(filepath.Base(file), ".yaml")) {
			continue
		}
		refused++
		if schema.Validate(value) == nil {
			t.Errorf("%s: the schema takes it", file)
		}
	}
	if refused < 25 {
		t.Errorf("the schema was tried on %d bad files only", refused)
	}
}

// fromYAML is a YAML document as a schema validator sees it.
func fromYAML(text []byte) (any, error) {
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
}
