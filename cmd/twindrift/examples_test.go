package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kgo"
)

// exampleLines are the examples of a command and of all below it, each with
// the path of its command.
func exampleLines(c *cobra.Command) (lines [][2]string) {
	example := strings.ReplaceAll(c.Example, "\\\n", "") // a command over several lines
	for line := range strings.Lines(example) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, [2]string{c.CommandPath(), line})
		}
	}
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" && sub.Name() != "help" {
			lines = append(lines, exampleLines(sub)...)
		}
	}
	return lines
}

// TestHelpExamplesRun runs every example of every --help as it is written, in a
// folder with datasets/, as in the root of the repository, a capture in
// captures/, the files of testdata/examples (of these, bin holds stand-ins for
// other programs), brokers that are localhost:9092 and those of client.properties,
// and what other examples make: one that fails gets another turn once others have
// run.
func TestHelpExamplesRun(t *testing.T) {
	dir := t.TempDir()
	samples := os.DirFS("../../datasets")
	captures, err := fs.ReadFile(samples, "evening.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]fs.FS{
		".":        os.DirFS("testdata/examples"),
		"datasets": samples,
		"captures": fstest.MapFS{"evening.parquet": {Data: captures}},
	} {
		if err := os.CopyFS(filepath.Join(dir, to), from); err != nil {
			t.Fatal(err)
		}
	}
	broker := exampleBrokers(t)
	if err := os.WriteFile(filepath.Join(dir, "client.properties"), []byte("bootstrap.servers="+broker+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	left := exampleLines(newRoot(&terminal{}))
	if len(left) == 0 {
		t.Fatal("no command has an example")
	}
	for tried := -1; len(left) != tried; {
		tried = len(left)
		var failed [][2]string
		for _, example := range left {
			example[1] = strings.ReplaceAll(example[1], "localhost:9092", broker)
			if err := runExample(dir, example); err != nil {
				failed = append(failed, example)
			}
		}
		left = failed
	}
	for _, example := range left {
		t.Error(runExample(dir, example))
	}
}

// exampleBrokers have topics with messages of now.
func exampleBrokers(t *testing.T) string {
	c := brokers(t, "orders", 2)
	if err := c.CreateTopic("push-east", 1, nil); err != nil {
		t.Fatal(err)
	}
	produceTo(t, c, "push-east", 1, 10)
	p, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for range 10 {
		if err := p.ProduceSync(t.Context(), &kgo.Record{Topic: "orders", Value: []byte("new")}).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	return c.ListenAddrs()[0]
}

func runExample(dir string, example [2]string) error {
	command := example[1]
	if !strings.Contains(command, example[0]) {
		return fmt.Errorf("example of %s does not call it: %s", example[0], command)
	}
	run := exec.Command("bash", "-euo", "pipefail", "-c", command)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, out)
	}
	return nil
}

// Every command that does something shows how it is called.
func TestEveryCommandHasAnExample(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if name := c.Name(); name == "completion" || name == "help" {
			return
		}
		if !c.HasSubCommands() && c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&terminal{}))
}
