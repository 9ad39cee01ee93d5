package client

import (
	"errors"
	"net/http"
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
		"no header's name":  {t: HTTP{URL: good.URL, Header: http.Header{"X Key": {"v"}}}},
		"no header at all":  {t: HTTP{URL: good.URL, Header: http.Header{"": {"v"}}}},
		"no header's value": {t: HTTP{URL: good.URL, Header: http.Header{"X-Key": {"v", "s3cret\r\nX: y"}}}},
		"another scheme":    {t: HTTP{URL: "ftp://s3cret@127.0.0.1/s3cret?key=s3cret#s3cret"}},
		"no scheme":         {t: HTTP{URL: "127.0.0.1/s3cret"}},
		"a user's scheme":   {t: HTTP{URL: "s3cret:pw@127.0.0.1/mcp"}},
		"no port":           {t: HTTP{URL: "http://bob:s3cret/x@127.0.0.1/"}},
		"an odd escape":     {t: HTTP{URL: "http://127.0.0.1/%s3cret"}},
		"an odd character":  {t: HTTP{URL: "http://bob:s3cret@127.0.0.1/\x00"}},
		"an odd user":       {t: HTTP{URL: "http://s3c ret@127.0.0.1/"}},
		"an odd host":       {t: HTTP{URL: "http://s3cret^/"}},
		"no version":        {t: good, opts: Options{Protocol: []string{"2020-01-01"}}},
		"no version left":   {t: good, opts: Options{Protocol: []string{interpret.Version20241105}, Policy: &retry.Policy{Floor: interpret.Version20251125}}},
		"odd capabilities":  {t: good, opts: Options{Capabilities: []int{1}}},
		"somebody's remedy": {t: good, opts: Options{Remedies: map[interpret.Remedy]retry.RemedyFunc{interpret.Initialize: nil}}},
	} {
		client, err := New(c.t, c.opts)
		if client != nil || err == nil || !strings.HasPrefix(err.Error(), "client: ") || strings.ContainsAny(err.Error(), "\x00\r\n") {
			t.Errorf("%s: %v, %v", name, client, err)
		} else if strings.Contains(err.Error(), "s3c") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, transport := range []Transport{good, &good, Stdio{Command: "server"}, &Stdio{Command: "server"}} {
		if c, err := New(transport, Options{}); err != nil || c.Close() != nil {
			t.Errorf("%T: %v", transport, err)
		}
	}
}

func TestErrorsSayWhoseTheyAre(t *testing.T) {
	for _, err := range []error{ErrClosed, errUnmade, errTwice, errSecondLoss, errNoHandler, errNoState, errQuestions, errNotWider, errNoResume, errCursor, errEndless, &VersionError{}} {
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

func TestZeroClientSendsNothing(t *testing.T) {
	var c Client
	for name, a := range map[string]*retry.Answer{
		"Connect": c.Connect(t.Context()), "Call": c.Call(t.Context(), "ping", nil), "CallTool": c.CallTool(t.Context(), "act", nil),
		"Call of what is no object": c.Call(t.Context(), "ping", 7), "CallTool with what is none": c.CallTool(t.Context(), "act", 7),
		"Notify": c.Notify(t.Context(), "notifications/x", nil), "GetPrompt": c.GetPrompt(t.Context(), "p", nil),
		"ReadResource": c.ReadResource(t.Context(), "file:///a"), "ListTools": c.ListTools(t.Context()).Answer,
	} {
		if a.Err() == nil || a.Outcome.Ran != interpret.RanNo || len(a.Attempts) != 0 || !strings.Contains(name, "no") && !errors.Is(a.Err(), errUnmade) {
			t.Errorf("%s: %v", name, a.Err())
		}
	}
	if _, ok := c.Process(); ok || c.Server().Version != "" || c.Close() != nil || c.Close() != nil {
		t.Error("it has something")
	}
}
