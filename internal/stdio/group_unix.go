//go:build unix

package stdio

import (
	"os/exec"
	"syscall"
)

// Group gives a child that is to be started a process group of its own, so that what it starts (npx starts node) ends with it
// and a terminal's interrupt reaches only us, who then end it properly. A group or a session that was chosen for it stays.
// What leaves the group, by setsid or setpgid, does not end with it.
func Group(cmd *exec.Cmd) {
	attr := new(syscall.SysProcAttr)
	if cmd.SysProcAttr != nil {
		*attr = *cmd.SysProcAttr // who made it may use it again
	}
	if !attr.Setsid {
		attr.Setpgid = true
	}
	cmd.SysProcAttr = attr
}

// Terminate asks the child's group to end, or the child alone if it leads none.
func Terminate(cmd *exec.Cmd) { signal(cmd, syscall.SIGTERM) }

// Kill kills the child's group, or the child alone if it leads none.
func Kill(cmd *exec.Cmd) { signal(cmd, syscall.SIGKILL) }

func signal(cmd *exec.Cmd, s syscall.Signal) {
	if syscall.Kill(-cmd.Process.Pid, s) != nil {
		_ = cmd.Process.Signal(s) // which knows whether it is over
	}
}
