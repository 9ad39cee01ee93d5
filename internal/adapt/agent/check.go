package agent

import (
	"fmt"
	"strings"
)

// Check returns what is missing from the conversation of a host that does all that it should, nil if nothing is.
func Check(conversation string) error {
	for _, want := range []string{
		"calls book map[date:tomorrow]\n  attempt 1: tool_error, surface by default/tool_error\n  decision: surface",
		"failed true",
		"calls book map[date:2026-12-01]\n  attempt 1: ok, proceed by default/ok\n  decision: proceed",
		"failed false: fine",
		"calls quote map[]\n  attempt 1: unknown_error, retry by quota\n  attempt 2: unknown_error, retry by quota\n  attempt 3: ok, proceed by default/ok\n  decision: proceed",
		"calls weather map[]\n  attempt 1: unsupported_version, retry by default/unsupported_version\n  attempt 2, after renegotiate: ok, proceed by default/ok\n  decision: proceed",
		"calls pay map[]\n  attempt 1: unauthorized, ask by default/unauthorized\n  decision: ask",
		"to the user: the server wants you to sign in for payments",
		"calls report map[]\n  attempt 1: forbidden, abort by default/forbidden\n  decision: abort",
	} {
		_, after, ok := strings.Cut(conversation, want)
		if !ok {
			return fmt.Errorf("not there, or not in this order: %q", want)
		}
		conversation = after
	}
	return nil
}
