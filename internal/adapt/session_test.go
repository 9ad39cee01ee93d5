package adapt

import (
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

func TestNoVersionInCommonSaysWhoseErrorItIs(t *testing.T) {
	s := &Session[int]{sdk: SDK[int]{Name: "the SDK", Adapter: "adapter", Versions: []string{"2026-07-28", "2025-11-25"}}, calls: NewCalls(nil)}
	_, err := s.choose(interpret.Outcome{Kind: interpret.UnsupportedVersion, Supported: []string{"2031-01-01"}}, "2026-07-28")
	const want = "adapter: no other protocol version in common: the SDK speaks 2026-07-28, 2025-11-25, the server 2031-01-01"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if v, err := s.choose(interpret.Outcome{Kind: interpret.LegacyServer}, "2026-07-28"); v != "2025-11-25" || err != nil {
		t.Error(v, err)
	}
}
