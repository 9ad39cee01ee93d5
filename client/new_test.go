package client

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestNewRefusesWhatCannotBeUsed(t *testing.T) {
	good := HTTP{URL: "http://127.0.0.1/mcp"}
	for name, c := range map[string]struct {
		t    Transport
		opts Options
	}{
		"no transport":      {t: nil},
		"no HTTP":           {t: (*HTTP)(nil)},
		"no Stdio":          {t: (*Stdio)(nil)},
		"no address":        {t: HTTP{}},
		"no host":           {t: HTTP{URL: "http:///mcp"}},
		"no command":        {t: Stdio{}},
		"no version":        {t: good, opts: Options{Protocol: []string{"2020-01-01"}}},
		"no version left":   {t: good, opts: Options{Protocol: []string{interpret.Version20241105}, Policy: &retry.Policy{Floor: interpret.Version20251125}}},
		"odd capabilities":  {t: good, opts: Options{Capabilities: []int{1}}},
		"somebody's remedy": {t: good, opts: Options{Remedies: map[interpret.Remedy]retry.RemedyFunc{interpret.Initialize: nil}}},
	} {
		client, err := New(c.t, c.opts)
		if client != nil || err == nil || !strings.HasPrefix(err.Error(), "client: ") {
			t.Errorf("%s: %v, %v", name, client, err)
		}
	}
	for _, transport := range []Transport{good, &good, Stdio{Command: "server"}, &Stdio{Command: "server"}} {
		if c, err := New(transport, Options{}); err != nil || c.Close() != nil {
			t.Errorf("%T: %v", transport, err)
		}
	}
}

func TestErrorsSayWhoseTheyAre(t *testing.T) {
	for _, err := range []error{ErrClosed, errTwice, errSecondLoss, errNoHandler, errNoState, errNotWider, errNoResume, errCursor, errEndless, &VersionError{}} {
		if !strings.HasPrefix(err.Error(), "client: ") {
			t.Error(err)
		}
	}
}

func TestNoListing(t *testing.T) {
	for _, l := range []*Listing{nil, {}, {Absent: true}} {
		if l.Err() != nil {
			t.Errorf("%+v: %v", l, l.Err())
		}
	}
	if l := (&Listing{Stop: errCursor}); !errors.Is(l.Err(), errCursor) {
		t.Error(l.Err())
	}
}
