package proto_test

import (
	"testing"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// Only the newest of the versions spoken has no handshake.
func TestModern(t *testing.T) {
	for _, v := range interpret.Versions() {
		if proto.Modern(v) != (v == interpret.Version20260728) {
			t.Errorf("%s: %v", v, proto.Modern(v))
		}
	}
	for v, want := range map[string]bool{"2027-01-01": true, "": false, "DRAFT-2026-v1": false, "zzzz-zz-zz": false, "2026-07-281": false, "20260728--": false} {
		if proto.Modern(v) != want {
			t.Errorf("%q: %v", v, !want)
		}
	}
}

// Whatever a header carries is read as it was meant, and is a header.
func FuzzHeader(f *testing.F) {
	for _, s := range []string{"", "act", " a", "ä", "a\nb", "=?base64?YQ==?=", "=?base64?", "=?base64?=", "\xff", "?="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := proto.EncodeHeader(s)
		if got := proto.DecodeHeader(v); got != s {
			t.Errorf("%q is written as %q and read as %q", s, v, got)
		}
		for _, r := range v {
			if r < 0x20 || r > 0x7e {
				t.Errorf("%q is written as %q", s, v)
			}
		}
	})
}

func TestTargetName(t *testing.T) {
	for method, want := range map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId", "tasks/update": "taskId", "tools/list": "", "": ""} {
		if got := proto.TargetName(method); got != want {
			t.Errorf("%s: %q", method, got)
		}
	}
}
