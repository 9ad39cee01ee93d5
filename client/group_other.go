//go:build !unix

package client

import "os/exec"

// Without process groups only the child itself can be ended.
func setGroup(*exec.Cmd) {}

func terminateGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
