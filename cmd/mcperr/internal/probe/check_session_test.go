package probe

import (
	"strings"
	"testing"
)

func TestForgedSessionHasTheFormOfTheGiven(t *testing.T) {
	for _, id := range []string{"0b7d6a3e-3f0c-4d5e-9a5b-1c2d3e4f5a6b", "mcp-session-00ff", "QVZ3WJ5XKQ", "1", "-_-", strings.Repeat("z9", 50)} {
		f := forged(id)
		if len(f) != len(id) || f == id && id != "-_-" {
			t.Errorf("%s: %s", id, f)
		}
	}
}
