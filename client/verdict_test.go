package client

import (
	"strings"
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
			c.opts.Verdicts.Set(HTTP{URL: s.URL + "/mcp"}.Name(), c.verdict)
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

// Hosts store the names: what is secret in an address or a command line must not be read from them.
func TestNameHoldsNoSecret(t *testing.T) {
	for _, s := range []Transport{
		HTTP{URL: "https://user:sesame@host.example:8443/s/sesame/mcp?key=sesame#sesame"},
		HTTP{URL: "https://user:sesame@host.example/%zz"},
		Stdio{Command: "/opt/sesame/server", Args: []string{"--token", "sesame"}},
	} {
		if name := s.Name(); strings.Contains(name, "sesame") {
			t.Errorf("%q", name)
		}
		if _, err := New(s, Options{}); err != nil && strings.Contains(err.Error(), "sesame") {
			t.Error(err)
		}
	}
}

func TestNameTellsServersApart(t *testing.T) {
	names := make(map[string]Transport)
	for _, s := range []Transport{
		HTTP{URL: "https://host.example/a"},
		HTTP{URL: "https://host.example/b"},
		HTTP{URL: "https://host.example/a?b"},
		HTTP{URL: "http://host.example/a"},
		Stdio{Command: "server"},
		Stdio{Command: "/opt/server"},
		Stdio{Command: "server", Args: []string{"a b"}},
		Stdio{Command: "server", Args: []string{"a", "b"}},
		Stdio{Command: "server", Args: []string{"a", "", "b"}},
	} {
		if other, ok := names[s.Name()]; ok {
			t.Errorf("%v and %v are both called %s", s, other, s.Name())
		}
		names[s.Name()] = s
	}
	if one, other := (HTTP{URL: "https://a:b@host.example/mcp#x"}), (HTTP{URL: "https://host.example/mcp"}); one.Name() != other.Name() {
		t.Errorf("the same server for another user is called %s and %s", one.Name(), other.Name())
	}
}
