//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// apart gives the process a group of its own, so that what it starts itself (a wrapper
// script its Java) is killed with it. An interrupt from the terminal does not reach it
// then; it ends when its input does.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the process and its group. It must not be called after Wait has returned.
func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
