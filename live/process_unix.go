//go:build unix

package live

import (
	"os/exec"
	"syscall"
)

// group gives the command a process group of its own, so that its children can be ended with it.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
