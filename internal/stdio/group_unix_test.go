//go:build unix

package stdio

import (
	"os/exec"
	"syscall"
	"testing"
)

// TestGroupLeavesWhatTheHostChose: a session of its own is a group of its own, credentials stay, and who made the attributes may use them again.
func TestGroupLeavesWhatTheHostChose(t *testing.T) {
	for _, c := range []struct{ host, want *syscall.SysProcAttr }{
		{nil, &syscall.SysProcAttr{Setpgid: true}},
		{&syscall.SysProcAttr{Chroot: "/srv"}, &syscall.SysProcAttr{Chroot: "/srv", Setpgid: true}},
		{&syscall.SysProcAttr{Setsid: true}, &syscall.SysProcAttr{Setsid: true}},
		{&syscall.SysProcAttr{Setpgid: true, Pgid: 7}, &syscall.SysProcAttr{Setpgid: true, Pgid: 7}},
	} {
		cmd := &exec.Cmd{SysProcAttr: c.host}
		Group(cmd)
		got := cmd.SysProcAttr
		if got == c.host || got.Setpgid != c.want.Setpgid || got.Setsid != c.want.Setsid || got.Pgid != c.want.Pgid || got.Chroot != c.want.Chroot {
			t.Errorf("%+v of %+v", got, c.host)
		}
	}
}
