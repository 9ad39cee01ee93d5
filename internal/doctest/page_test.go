package doctest

import (
	"bytes"
	"slices"
	"testing"
)

func TestBlocks(t *testing.T) {
	const page = "# A\n<!-- X of y.go -->\n```go\na\n```\n\n<!-- printed by: c d -->\n| p |\n<!-- end of what is printed -->\n```\n```\n"
	got, err := blocks(page)
	want := []block{{4, "go", "X of y.go", "a\n"}, {8, "printed", "c d", "| p |\n"}, {11, "", "", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if got := replace(page, want[1], "| q |\n| r |\n"); !bytes.Contains([]byte(got), []byte("c d -->\n| q |\n| r |\n<!-- end")) {
		t.Errorf("got %q", got)
	}
	for _, broken := range []string{"```go\n", "  ```go\n  ```\n", "<!-- end of what is printed -->\n", "<!-- printed by: x -->\n"} {
		if _, err := blocks(broken); err == nil {
			t.Errorf("%q is read", broken)
		}
	}
}

func TestSteps(t *testing.T) {
	const text = "$ a <<E\n> b\n> E\nout\n> quoted\n$ c\n"
	list := steps(text)
	if want := []step{{"a <<E\nb\nE\n", "out\n> quoted\n"}, {"c\n", ""}}; !slices.Equal(list, want) {
		t.Errorf("got %q", list)
	}
	if got := list[0].String() + list[1].String(); got != text {
		t.Errorf("got %q", got)
	}
}
