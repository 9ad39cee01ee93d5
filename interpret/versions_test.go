package interpret

import (
	"fmt"
	"testing"
)

func TestErasOfVersions(t *testing.T) {
	for v, want := range map[string]bool{
		Version20241105: false, Version20250326: false, Version20250618: false, Version20251125: false, Version20260728: true,
		"2026-07-27": false, "2026-07-29": true, "2031-03-01": true, "2099-12-31": true,
		"": false, "9999": false, "draft": false, "2026-07-28-rc": false, "2026/07/28": false, "3026-07-28": false, "DRAFT-2026": false,
	} {
		if modern(v) != want {
			t.Errorf("%q: modern: %t", v, !want)
		}
	}
}

func TestVersionLists(t *testing.T) {
	for _, c := range []struct {
		data string
		wide bool // to the handshake or the probe
		want string
	}{
		{`{"supported":["2025-06-18","2025-11-25"],"requested":"x"}`, false, "true [2025-06-18 2025-11-25] x"},
		{`{"supported":[]}`, false, "true [] "},
		{`{"supported":["a",1,null,{"b":1},"c"]}`, false, "true [a c] "},
		{`{"s\u0075pported":["a"]}`, false, "true [a] "},
		{`{"supported":["a"],"supported":["b"]}`, false, "true [a] "},
		{`{"supported":"a"}`, false, "false [] "},
		{`{"supported":"a"}`, true, "true [a] "},
		{`{"supported":{"a":1}}`, true, "false [] "},
		{`{"supportedVersions":["a"]}`, false, "false [] "},
		{`{"supportedVersions":["a"]}`, true, "true [a] "},
		{`{"expected":"a"}`, true, "true [a] "},
		{`{"expectedVersion":"a","requested":"b"}`, true, "true [a] b"},
		{`{"expected":["a"],"supported":["b"]}`, true, "true [b] "},
		{`{"Supported":["a"]}`, true, "false [] "},
		{`{"requested":1}`, true, "false [] "},
		{`["a"]`, true, "false [] "},
		{`"a"`, true, "false [] "},
		{``, true, "false [] "},
	} {
		l := versionsIn([]byte(c.data), c.wide)
		if got := fmt.Sprint(l.found, " ", l.supported, " ", l.requested); got != c.want {
			t.Errorf("%s, wide %t: got %s, want %s", c.data, c.wide, got, c.want)
		}
	}
}
