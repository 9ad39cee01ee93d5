package ledger

import (
	"path/filepath"
	"testing"
)

// A server that is started by hand has no ledger, and its tools work all the same.
func TestWithoutAPathNothingIsKept(t *testing.T) {
	for path, want := range map[Ledger]int{"": 0, Ledger(filepath.Join(t.TempDir(), "ledger")): 2} {
		for range 2 {
			if err := path.Add("counter"); err != nil {
				t.Errorf("%q: %v", path, err)
			}
		}
		if n, err := path.Count("counter"); n != want || err != nil {
			t.Errorf("%q: %d, %v; want %d", path, n, err, want)
		}
	}
}
