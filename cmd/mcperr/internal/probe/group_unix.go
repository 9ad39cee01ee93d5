//go:build unix

package probe

import (
	"os/exec"
	"syscall"
)

// setGroup gives the child a process group of its own, so that what it starts ends with it and a terminal's interrupt reaches only us.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
