//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// setGroup gives the child a process group of its own, so that what it starts (npx starts node) ends with it
// and a terminal's interrupt reaches only us, who then end it properly.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
