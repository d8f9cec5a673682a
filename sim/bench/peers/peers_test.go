// Package peers holds twindrift against what people would use in its place (compare.py).
package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// python makes a command of Python's that leaves no compiled files behind; without Python
// the test is skipped, or fails with CI=true.
func python(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal("python3 is not installed")
		}
		t.Skip("python3 is not installed")
	}
	c := exec.Command("python3", arguments...)
	c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	return c
}

// Timing, table and agreement need nothing but Python, and have tests there.
func TestUnittests(t *testing.T) {
	if out, err := python(t, "-m", "unittest", "discover", "-p", "*_test.py").CombinedOutput(); err != nil {
		t.Errorf("python3 -m unittest: %v\n%s", err, out)
	}
}

// The peers themselves need packages (make test-peers); here it is seen that they compile.
func TestPeersCompile(t *testing.T) {
	sources, err := filepath.Glob("*.py")
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	const compile = "import sys\nfor name in sys.argv[1:]: compile(open(name).read(), name, 'exec')"
	if out, err := python(t, append([]string{"-c", compile}, sources...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
