// Package java holds the second-slot generator's benchmark in Java, and compares what it
// prints with what twindrift bench does.
package java

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// need skips a test where a program is not there; with CI=true it fails.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal(program + " is not installed")
		}
		t.Skip(program + " is not installed")
	}
}

// It prints a line a round that counts, named as twindrift bench names them.
func TestSecondSlotBench(t *testing.T) {
	need(t, "java")
	need(t, "javac")
	classes := t.TempDir()
	slot := filepath.Join("..", "..", "external", "example", "java", "SecondSlot.java")
	if out, err := exec.Command("javac", "-Xlint:all", "-Werror", "-d", classes, slot, "SecondSlotBench.java").CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	out, err := exec.Command("java", "-Xmx256m", "-cp", classes, "SecondSlotBench",
		"--ids", "9001", "--rounds", "2", "--warm-up", "1", "--threads", "1,2").CombinedOutput()
	if err != nil {
		t.Fatalf("java: %v\n%s", err, out)
	}
	var want strings.Builder
	for _, seconds := range []string{"own", "shared", "one"} {
		for threads := 1; threads <= 2; threads++ {
			for range 2 {
				fmt.Fprintf(&want, `BenchmarkDraw/generator=second-slot/variant=java/seconds=%s/threads=%d-[0-9]+\t%d\t[0-9.]+ ns/op\t0 duplicates\n`,
					seconds, threads, 9001/threads*threads)
			}
		}
	}
	if !regexp.MustCompile("^" + want.String() + "$").Match(out) {
		t.Errorf("it prints\n%swant\n%s", out, want.String())
	}
}

func TestCompare(t *testing.T) {
	need(t, "awk")
	var lines strings.Builder
	for _, l := range []struct {
		variant string
		ns      []float64
		more    string
	}{{"published", []float64{9, 10, 100}, ""}, {"corrected", []float64{4, 6}, ""}, {"java", []float64{30, 5, 20}, "\t3 duplicates"}} {
		for _, ns := range l.ns {
			fmt.Fprintf(&lines, "BenchmarkDraw/generator=second-slot/variant=%s/seconds=own/threads=100-2\t1000\t%.2f ns/op%s\n", l.variant, ns, l.more)
		}
	}
	awk := exec.Command("awk", "-f", "compare.awk")
	awk.Stdin = strings.NewReader(lines.String())
	out, err := awk.CombinedOutput()
	if err != nil {
		t.Fatalf("awk: %v\n%s", err, out)
	}
	const want = `ns an id by the wall clock, median of the rounds; in brackets, Java's time to Go's
  seconds threads      Java       Go, published       Go, corrected Java: twice
  own         100      20.0       10.0 ( 2.00x)        5.0 ( 4.00x)           9
`
	if string(out) != want {
		t.Errorf("it prints\n%swant\n%s", out, want)
	}
}
