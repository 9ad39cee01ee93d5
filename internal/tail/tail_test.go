package tail

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	for _, sizes := range [][]int{{0}, {10, 20}, {Size}, {Size, 1}, {1, Size}, {Size - 1, 2}, {3 * Size, 5, 0}, {5, 3 * Size}, {Size / 2, Size / 2, Size / 2, 7}} {
		var kept Tail
		var all strings.Builder
		for i, n := range sizes {
			p := strings.Repeat(string(rune('a'+i)), n)
			all.WriteString(p)
			if got, err := kept.Write([]byte(p)); got != n || err != nil {
				t.Errorf("%v: wrote %d of %d, %v", sizes, got, n, err)
			}
		}
		want := all.String()
		if want = want[max(0, len(want)-Size):]; kept.String() != want {
			t.Errorf("%v: kept %d bytes, want %d", sizes, len(kept.String()), len(want))
		}
		if n := cap(kept.kept); n > 4*Size {
			t.Errorf("%v: holds %d bytes", sizes, n)
		}
	}
}
