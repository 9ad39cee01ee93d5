//go:build !unix

package live

import "os/exec"

func group(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
