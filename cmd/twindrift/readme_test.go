package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The README is run: `console` blocks hold commands behind "$ " and what they
// print; a block that names a file after its language ("yaml recipe.yaml") is
// that file. A line "..." in the output stands for any lines.

// step is one command of a document, or one file.
type step struct {
	line   int
	file   string // to be written, with text as its content
	text   string // the command
	output string // what the document says it prints; empty says nothing
}

// steps takes a document apart. Commands in other blocks would not be run, so
// they are an error.
func steps(document string) ([]step, error) {
	var all []step
	var fence, lang, file string
	var body []string
	start := 0
	lines := bufio.NewScanner(strings.NewReader(document))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		mark, ok := strings.CutPrefix(line, "```")
		switch {
		case fence == "" && ok:
			fence, start, body = "```", n, nil
			lang, file, _ = strings.Cut(mark, " ")
		case fence != "" && line == fence:
			fence = ""
			switch {
			case lang == "console":
				all = append(all, session(start, body)...)
			case lang == "sh" || lang == "bash" || lang == "shell":
				return nil, fmt.Errorf("line %d: commands in a block of %q are not tested: use console", start, lang)
			case file != "":
				all = append(all, step{line: start, file: file, text: strings.Join(body, "\n") + "\n"})
			}
		case fence != "":
			body = append(body, line)
		}
	}
	if fence != "" {
		return nil, fmt.Errorf("line %d: the block has no end", start)
	}
	return all, nil
}

// session takes the body of one console block apart.
func session(start int, body []string) (all []step) {
	more := false
	for i, line := range body {
		command, ok := strings.CutPrefix(line, "$ ")
		switch {
		case ok:
			all = append(all, step{line: start + 1 + i, text: command})
		case len(all) == 0: // output of nothing: shown as such
			all = append(all, step{line: start + 1 + i, text: "", output: line + "\n"})
		case more:
			all[len(all)-1].text += "\n" + line
		default:
			all[len(all)-1].output += line + "\n"
		}
		more = (ok || more) && strings.HasSuffix(line, `\`)
	}
	return all
}

// shows tells whether got is what a document shows, where a line "..." stands
// for any lines. White space at the end of a line does not count.
func shows(document, got string) bool {
	pattern := `\A`
	for line := range strings.Lines(document) {
		if line = strings.TrimRight(line, " \n"); line == "..." {
			pattern += `(?:.*\n)*?`
		} else {
			pattern += regexp.QuoteMeta(line) + `[ ]*\n`
		}
	}
	return regexp.MustCompile(pattern + `\z`).MatchString(got)
}

// notRun are the beginnings of commands that cannot be run in a test.
var notRun = []string{"git clone ", "cd twindrift", "go install "}

// check does one step in a folder.
// In commands, localhost:9092 stands for broker.
func (s step) check(dir string, targets []string, broker string) error {
	if s.file != "" {
		return os.WriteFile(filepath.Join(dir, filepath.Base(s.file)), []byte(s.text), 0o666)
	}
	name, rest, _ := strings.Cut(s.text, " ")
	switch {
	case name == "twindrift":
	case name == "make":
		if target, _, _ := strings.Cut(rest, " "); !slices.Contains(targets, target) {
			return fmt.Errorf("the Makefile has no target %q", target)
		}
		return nil
	case slices.ContainsFunc(notRun, func(p string) bool { return strings.HasPrefix(s.text, p) }):
		return nil
	default:
		return fmt.Errorf("begins with neither twindrift nor make")
	}
	c := exec.Command("bash", "-euo", "pipefail", "-c", strings.ReplaceAll(s.text, "localhost:9092", broker))
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if s.output != "" && !shows(s.output, string(out)) {
		return fmt.Errorf("does not print\n%sbut\n%.2000s", s.output, out)
	}
	if strings.HasPrefix(s.text, "twindrift completion") {
		return nil // its words are those of cobra
	}
	for line := range strings.Lines(string(out)) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			return fmt.Errorf("prints a line of %d columns: %s", n, line)
		}
	}
	return nil
}

// makeTargets lists the targets of a Makefile that its help shows.
func makeTargets(makefile string) (targets []string) {
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllStringSubmatch(makefile, -1) {
		targets = append(targets, m[1])
	}
	return targets
}

// What make help prints fits 80 columns, as all else does.
func TestMakeHelpFits(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):.*## (.*)$`).FindAllStringSubmatch(string(makefile), -1) {
		if line := fmt.Sprintf("make %-11s %s", m[1], m[2]); len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

func TestReadmeCommandsRun(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	all, err := steps(string(readme))
	if err != nil {
		t.Fatalf("README.md: %v", err)
	}
	dir, commands, broker := t.TempDir(), 0, exampleBrokers(t)
	for _, s := range all {
		if err := s.check(dir, makeTargets(string(makefile)), broker); err != nil {
			t.Errorf("README.md:%d: %s%s: %v", s.line, s.text, s.file, err)
		}
		if strings.HasPrefix(s.text, "twindrift ") {
			commands++
		}
	}
	if commands == 0 {
		t.Error("README.md shows no command")
	}
}

// The check of a document is seen to fail.
func TestDocumentCheckCanFail(t *testing.T) {
	block := func(lines ...string) string { return "```console\n" + strings.Join(lines, "\n") + "\n```\n" }
	for _, c := range []struct{ name, document, want string }{
		{"fine", block("$ twindrift --version >/dev/null", "$ make run", "$ git clone https://example.org/twindrift"), ""},
		{"fails", block("$ twindrift frobnicate"), "exit status 2"},
		{"fails in a pipe", block("$ twindrift frobnicate | cat"), "exit status 2"},
		{"no such target", block("$ make coffee"), `no target "coffee"`},
		{"a command nobody runs", block("$ curl example.org"), "neither twindrift nor make"},
		{"output without a command", block("output"), "neither twindrift nor make"},
		{"continued", block(`$ twindrift \`, "  frobnicate"), "frobnicate"},
		{"output as shown", block("$ twindrift completion bash --help", "Generate the autocompletion script for the bash shell.", "..."), ""},
		{"another output", block("$ twindrift completion bash --help", "Generate coffee.", "..."), "does not print"},
		{"no end", "```console\n$ make run\n", "no end"},
		{"another language", "```sh\ntwindrift frobnicate\n```\n", "use console"},
		{"a file", "```json a.json\n{}\n```\n" + block("$ twindrift --version <a.json >/dev/null"), ""},
		{"no such file", block("$ twindrift --version <a.json"), "a.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			all, err := steps(c.document)
			for _, s := range all {
				if err == nil {
					err = s.check(dir, []string{"run", "test"}, "")
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
