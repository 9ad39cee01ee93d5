package adapt

import (
	"strings"
	"testing"
)

// Of what an SDK returned nobody knows which tool it was of: the model reads no name that was made up.
func TestAnswerNamesNoTool(t *testing.T) {
	result := map[string]any{"content": []any{map[string]any{"type": "text", "text": "row 17 is locked"}}, "isError": true}
	a := Answer("tools/call", result, nil, nil, nil)
	if got := a.ForModel(); !strings.HasPrefix(got, "The tool reports a failure.\n") || a.Exchange.Request.Target != "" {
		t.Errorf("of %q: %s", a.Exchange.Request.Target, got)
	}
}
