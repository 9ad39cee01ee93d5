package client

import (
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// A verdict of another client, or from a file, does not go over the host's choice of versions.
func TestVerdictIsPassedOver(t *testing.T) {
	floor := quickly()
	floor.Floor = interpret.Version20250618
	for name, c := range map[string]struct {
		verdict Verdict
		opts    Options
		modern  bool
		want    string
	}{
		"below the floor":       {Verdict{Era: interpret.EraLegacy, Version: interpret.Version20241105}, Options{Policy: floor}, false, "server/discover initialize notifications/initialized"},
		"not chosen":            {Verdict{Era: interpret.EraModern, Version: interpret.Version20260728}, Options{Protocol: []string{interpret.Version20251125}}, false, "initialize notifications/initialized"},
		"of no era":             {Verdict{Version: interpret.Version20260728}, Options{}, true, "server/discover"},
		"of an era unknown":     {Verdict{Era: "future", Version: interpret.Version20251125}, Options{}, true, "server/discover"},
		"of an era without it":  {Verdict{Era: interpret.EraModern, Version: interpret.Version20251125}, Options{}, true, "server/discover"},
		"of a version to come":  {Verdict{Era: interpret.EraModern, Version: "2030-01-01"}, Options{}, true, "server/discover"},
		"in order, for a check": {Verdict{Era: interpret.EraLegacy, Version: interpret.Version20251125}, Options{Policy: floor}, false, "initialize notifications/initialized"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, c.modern, nil)
			c.opts.Verdicts = new(Verdicts)
			c.opts.Verdicts.Set(s.URL+"/mcp", c.verdict)
			proceeds(t, s.dial(t, c.opts).Connect(within(t)))
			if got := s.order(); got != c.want {
				t.Errorf("the server got %s, want %s", got, c.want)
			}
			for _, q := range s.got("initialize") {
				var p struct{ ProtocolVersion string }
				unmarshal(t, q.Params, &p)
				if p.ProtocolVersion != interpret.Version20251125 {
					t.Errorf("proposed %s", p.ProtocolVersion)
				}
			}
		})
	}
}
