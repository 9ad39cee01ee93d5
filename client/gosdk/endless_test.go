package gosdk_test

import (
	"os"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// endless has this test binary be a server of the handshake era whose answer to the first call of a tool begins and never ends, as long as the file is
// there that its value names.
const endless = "GOSDK_ENDLESS"

func init() {
	armed, ok := os.LookupEnv(endless)
	if !ok {
		return
	}
	serve(func(m heard) {
		if m.ID == nil {
			return
		}
		if m.Method == "tools/call" && os.Remove(armed) == nil {
			os.Stdout.WriteString(`{"jsonrpc":"2.0","id":4711,"result":{"_":"`)
			for much := strings.Repeat("x", 1<<16); ; {
				if _, err := os.Stdout.WriteString(much); err != nil {
					os.Exit(1)
				}
			}
		}
		os.Stdout.WriteString(strings.ReplaceAll(older(m.Method), "$ID", string(m.ID)) + "\n")
	})
}

// A line that never ends is the end of its session: the call hears of that, and the next one has a process that can answer.
func TestALineWithoutAnEndEndsTheSession(t *testing.T) {
	armed, err := os.CreateTemp(t.TempDir(), "armed")
	if err != nil {
		t.Fatal(err)
	}
	armed.Close()
	starts := 0
	s := dial(t, self(&starts, endless+"="+armed.Name()))
	defer s.Close()
	if _, a := s.CallTool(t.Context(), tool()); a.Outcome.Kind != interpret.ConnectionLost || a.Outcome.Ran != interpret.RanUnknown {
		t.Errorf("%v, ran %v", a.Err(), a.Outcome.Ran)
	}
	if _, a := s.CallTool(t.Context(), tool()); a.Err() != nil || starts != 2 {
		t.Errorf("the next call: %v, after %d starts", a.Err(), starts)
	}
}
