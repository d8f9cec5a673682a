//go:build !unix

package external

import "os/exec"

func apart(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { cmd.Process.Kill() }
