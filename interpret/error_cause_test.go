package interpret_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// What failed on our own side stands in the error: a dead name, a closed port and a bad certificate are not the same trouble.
func TestTheLineOfALocalFailure(t *testing.T) {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "nosuch.invalid", IsNotFound: true}}
	for name, c := range map[string]struct {
		o     interpret.Outcome
		cause error
		want  string
	}{
		"nothing below":         {interpret.Outcome{Kind: interpret.Timeout, Origin: interpret.OriginClient}, nil, "timeout"},
		"a failure":             {interpret.Outcome{Kind: interpret.Timeout, Origin: interpret.OriginClient}, context.DeadlineExceeded, "timeout: context deadline exceeded"},
		"of unknown origin":     {interpret.Outcome{Kind: interpret.ConnectionLost}, io.ErrUnexpectedEOF, "connection_lost: unexpected EOF"},
		"the address left out":  {interpret.Outcome{Kind: interpret.Unavailable}, &url.Error{Op: "Post", URL: "https://nosuch.invalid/k3y/mcp?x=k3y", Err: dial}, "unavailable: dial tcp: lookup nosuch.invalid: no such host"},
		"and below other words": {interpret.Outcome{Kind: interpret.Unavailable}, fmt.Errorf("try 1: %w", &url.Error{Op: "Post", URL: "https://h/k3y", Err: dial}), "unavailable: try 1: dial tcp: lookup nosuch.invalid: no such host"},
		"after the server":      {interpret.Outcome{Kind: interpret.ConnectionLost, Status: 200, Message: "m"}, io.EOF, `connection_lost, HTTP 200: server said "m": EOF`},
		"beside a peer's word":  {interpret.Outcome{Kind: interpret.Forbidden, Origin: interpret.OriginServer, Status: 403}, io.EOF, "forbidden, HTTP 403"},
		"with a secret":         {interpret.Outcome{Kind: interpret.Unavailable}, errors.New("dial http://bob:hunter2@h/?token=hunter2\x1b[2J\nno"), "unavailable: dial http://[redacted]@h/?token=[redacted] no"},
	} {
		err := c.o.ErrCause(c.cause)
		if got := err.Error(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		all := fmt.Sprintf("%+v", err)
		if first, _, _ := strings.Cut(all, "\n"); first != c.want || strings.Contains(all, "k3y") || strings.Contains(all, "hunter2") || strings.Contains(all, "\n  cause: ") != (c.cause != nil) {
			t.Errorf("%s, in full: %s", name, all)
		}
		if c.cause != nil && !errors.Is(err, c.cause) {
			t.Errorf("%s: the cause is out of reach", name)
		}
	}
	long := interpret.Outcome{Kind: interpret.Unavailable}.ErrCause(errors.New(strings.Repeat("é", 5000)))
	if n := len([]rune(long.Error())); n > 220 {
		t.Errorf("%d characters", n)
	}
}
