package adapt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// SDK is what an adapter says of its SDK, whose sessions are S.
type SDK[S comparable] struct {
	Name     string   // in errors
	Adapter  string   // the package, before errors of its own
	Versions []string // of the protocol that it speaks, newest first
	Closed   error    // what it says of a session that has ended by itself
	Unmask   Unmask

	Dial    func(ctx context.Context) Opener[S] // makes the transport of one session, and says what it is with [Calls.Over]
	Watch   func(S, func())                     // call the function when the session has ended by itself; nil: nobody can tell
	Close   func(S)
	Version func(S) string
}

// Opener opens a session over a transport that was made for it, once. version "" is the SDK's own choice. Where there is no transport, it
// says why.
type Opener[S comparable] func(ctx context.Context, version string) (S, interpret.Exchange, error)

// Session is a session of an SDK's that is replaced when it is lost. It is safe for concurrent use.
type Session[S comparable] struct {
	sdk      SDK[S]
	calls    *Calls
	sessions *Sessions[S]
}

// NewSession opens one.
func NewSession[S comparable](ctx context.Context, calls *Calls, sdk SDK[S]) (*Session[S], error) {
	s := &Session[S]{sdk: sdk, calls: calls}
	s.sessions = NewSessions(s.open, sdk.Close)
	s.sessions.name = sdk.Adapter
	if _, a, err := s.sessions.Open(ctx); a != nil {
		return nil, &Error{Answer: a}
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// Current returns the SDK's session that is in use.
func (s *Session[S]) Current() S { return s.sessions.Current() }

// Close ends it.
func (s *Session[S]) Close() { s.sessions.Close() }

// open opens a session of the SDK's: one logical call.
func (s *Session[S]) open(ctx context.Context, version string) (S, *retry.Answer) {
	var session S
	var err error
	agree := func(_ context.Context, c *retry.Call) (err error) {
		version, err = s.choose(c.Outcome, version)
		c.Request.Version = version
		return err
	}
	var ready Opener[S]
	if _, known := s.calls.transport(); !known && ctx.Err() == nil { // an observer is told what an attempt goes out over before it does
		bounded, cancel := s.calls.bounded(ctx)
		defer cancel()
		ready = s.sdk.Dial(bounded)
	}
	remedies := map[interpret.Remedy]retry.RemedyFunc{interpret.Initialize: agree, interpret.Renegotiate: agree}
	a := s.calls.Do(ctx, interpret.Request{Method: "server/discover", Version: version}, remedies,
		func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
			dialed := ready
			if ready = nil; dialed == nil {
				dialed = s.sdk.Dial(ctx)
			}
			session, x, err = dialed(ctx, version)
			return x
		})
	session, a, _ = Finish(session, a, err)
	if a.Err() != nil {
		return session, a
	}
	if v := s.sdk.Version(session); !s.calls.host.Policy.AllowsVersion(v) {
		s.sdk.Close(session)
		return session, BelowFloor(a, v)
	}
	if s.sdk.Watch != nil {
		s.sdk.Watch(session, func() { s.sessions.Died(session) })
	}
	return session, a
}

// choose returns the version to agree on after one was refused: the newest that both speak and the policy allows.
func (s *Session[S]) choose(o interpret.Outcome, refused string) (string, error) {
	supported := o.Supported
	if o.Kind == interpret.LegacyServer { // it wants a handshake
		supported = []string{interpret.Version20251125}
	}
	for _, v := range s.sdk.Versions {
		if v != refused && v != o.Requested && slices.Contains(supported, v) && s.calls.host.Policy.AllowsVersion(v) {
			return v, nil
		}
	}
	return "", fmt.Errorf("%s: no other protocol version in common: %s speaks %s, the server %s",
		s.sdk.Adapter, s.sdk.Name, strings.Join(s.sdk.Versions, ", "), strings.Join(supported, ", "))
}

// replace opens a session in place of old for a call, whose next attempt goes out in the version of the new one.
func (s *Session[S]) replace(ctx context.Context, c *retry.Call, old S, version string, lost bool) error {
	err := s.sessions.Replace(ctx, old, version, lost)
	if err == nil {
		c.Request.Version = s.sdk.Version(s.Current())
	}
	return err
}

// Do makes one logical call: send is asked to make it once with the session that there is, as often as the loop says.
// own are remedies that amend the call or use its session, given to them.
func Do[S comparable, R any](ctx context.Context, s *Session[S], known interpret.Request, own map[interpret.Remedy]func(context.Context, S, *retry.Call) error,
	send func(context.Context, S) (R, interpret.Exchange, error)) (R, *retry.Answer) {
	var r R
	var err error
	var session S
	remedies := map[interpret.Remedy]retry.RemedyFunc{
		interpret.Reinitialize: func(ctx context.Context, c *retry.Call) error { return s.replace(ctx, c, session, "", true) },
		interpret.Renegotiate: func(ctx context.Context, c *retry.Call) error {
			version, err := s.choose(c.Outcome, s.sdk.Version(session))
			if err != nil {
				return err
			}
			return s.replace(ctx, c, session, version, false)
		},
	}
	for name, f := range own {
		remedies[name] = func(ctx context.Context, c *retry.Call) error { return f(ctx, session, c) }
	}
	known.Version = s.sdk.Version(s.Current())
	a := s.calls.Do(ctx, known, remedies, func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
		var release func()
		var failed *retry.Answer
		session, release, failed, err = s.sessions.Use(ctx)
		defer release()
		switch {
		case failed != nil: // it was not sent: what came of the connecting stands for it
			return failed.Exchange
		case err != nil:
			unsent := known
			unsent.ID = "0" // it would have had one
			return s.sdk.Unmask(unsent, err, interpret.DeliveryNotSent)
		}
		r, x, err = send(ctx, session)
		if errors.Is(err, s.sdk.Closed) {
			s.sessions.Died(session)
		}
		return x
	})
	if a.Outcome.Answered {
		s.sessions.Worked()
	}
	r, a, _ = Finish(r, a, err)
	return r, a
}
