//go:build !race

package interpret_test

import (
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

const raced = false

func TestAReplyCostsAHandfulOfAllocations(t *testing.T) {
	for name, x := range map[string]interpret.Exchange{
		"error": exchange(errorReply, "application/json"), "tool error": exchange(toolError, "application/json"),
		"success": exchange(success(block("hello")), "application/json"), "stream": exchange(streamReply, sse),
	} {
		if n := testing.AllocsPerRun(100, func() { interpret.Reply(x) }); n > 12 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
