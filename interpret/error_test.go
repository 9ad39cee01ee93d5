package interpret_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

func TestOnlyFaultsAreErrors(t *testing.T) {
	for _, k := range append(interpret.Kinds(), interpret.Unknown) {
		o := interpret.Outcome{Kind: k}
		err := o.Err()
		if fault := k != interpret.OK && k != interpret.Task; (err != nil) != fault {
			t.Errorf("%s: %v", k, err)
		} else if fault && (!errors.Is(err, k) || interpret.KindOf(err) != k) {
			t.Errorf("%s: %v is another kind", k, err)
		}
	}
}

func TestAnErrorIsItsKindAndItsCause(t *testing.T) {
	o := interpret.Outcome{Kind: interpret.ConnectionLost, Status: 200, Message: "m"}
	err := fmt.Errorf("call: %w", o.ErrCause(io.ErrUnexpectedEOF))
	if !errors.Is(err, interpret.ConnectionLost) || errors.Is(err, interpret.Timeout) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
	var e *interpret.Error
	if !errors.As(err, &e) || e.Kind != interpret.ConnectionLost || e.Status != 200 {
		t.Errorf("%+v", e)
	}
	if o.Err().(interface{ Unwrap() error }).Unwrap() != nil {
		t.Error("a cause out of nothing")
	}
}

func TestANilErrorIsHarmless(t *testing.T) {
	var e *interpret.Error
	if e.Error() != "<nil>" || e.Unwrap() != nil || e.Is(interpret.Timeout) || fmt.Sprintf("%v %+v %s %q", e, e, e, e) == "" {
		t.Errorf("%v", e)
	}
}

func TestTheLineOfAnError(t *testing.T) {
	for _, c := range []struct {
		o    interpret.Outcome
		want string
	}{
		{interpret.Outcome{Kind: interpret.Timeout}, `timeout`},
		{interpret.Outcome{Kind: interpret.RateLimited, Status: 429}, `rate_limited, HTTP 429`},
		{interpret.Outcome{Kind: interpret.ServerError, Code: 0, HasCode: true, Status: 200, Message: "boom"}, `server_error, code 0, HTTP 200: server said "boom"`},
		{interpret.Outcome{}, `unknown`},
	} {
		if got := c.o.Err().Error(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// What a server wrote goes into a log on one line, cut short, and cannot draw on a terminal.
func TestServerTextIsTamed(t *testing.T) {
	hostile := "\x1b[2J\x1b[31mred\r\nlevel=info msg=\"all good\" \u202egood\u200b " + strings.Repeat("é", 10_000)
	o := interpret.Outcome{Kind: interpret.ServerError, Message: hostile, Why: []string{"internal_error"}}
	for _, line := range []string{o.Err().Error(), fmt.Sprintf("%s", o.Err()), fmt.Sprintf("%q", o.Err()), strings.SplitN(fmt.Sprintf("%+v", o.Err()), "\n", 2)[0]} {
		if strings.ContainsAny(line, "\x1b\r\n\u202e\u200b") || len(line) > 800 {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
}

func TestAllOfAnError(t *testing.T) {
	o := interpret.Outcome{
		Kind: interpret.UnsupportedVersion, Origin: interpret.OriginServer, Basis: interpret.BasisDefined, Remedy: interpret.Renegotiate, Leave: interpret.LeaveAlways,
		Ran: interpret.RanNo, RetryAfter: time.Second, Supported: []string{"2025-06-18"}, Scopes: []string{"s"}, RequiredCapabilities: []string{"roots"},
		Why: []string{"version_refused"}, Deviations: []interpret.Deviation{interpret.IDMissing},
	}
	all := fmt.Sprintf("%+v", o.ErrCause(io.EOF))
	for _, part := range []string{"unsupported_version\n", "host", "server", "ran: no", "defined", "always", "renegotiate", "1s", "2025-06-18", "[s]", "roots", "version_refused", "id_missing", "EOF"} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is missing:\n%s", part, all)
		}
	}
	if brief := fmt.Sprintf("%+v", (&interpret.Outcome{Kind: interpret.Timeout}).Err()); strings.Contains(brief, "cause") || strings.Contains(brief, "remedy") {
		t.Errorf("what is not there is told:\n%s", brief)
	}
}
