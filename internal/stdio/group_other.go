//go:build !unix

package stdio

import "os/exec"

// Group does nothing here: without process groups only the child itself can be ended.
func Group(*exec.Cmd) {}

// Terminate kills the child.
func Terminate(cmd *exec.Cmd) { Kill(cmd) }

// Kill kills the child.
func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
