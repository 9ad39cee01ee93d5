package adapt

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mcperr/mcperr/retry"
)

// Sessions is the session that an SDK's calls go out in, replaced when it is lost. Use [NewSessions]; it is safe for concurrent use.
type Sessions[S comparable] struct {
	name string // before errors; "" for none
	dial func(ctx context.Context, version string) (S, *retry.Answer)
	end  func(S)
	turn chan struct{} // held by who opens a session

	mu      sync.Mutex
	current S
	version string // to be agreed on, "" for the SDK's choice
	alive   bool
	lost    bool // the session before was lost, and nothing has worked since
	closed  bool

	dead    map[S]bool // ended while one is being opened, which may be that one; nil: none is
	uses    map[S]int  // calls in flight
	retired map[S]bool
}

// Why there is no session.
var (
	errClosed     = retry.Final(errors.New("closed by the host"))
	errSecondLoss = errors.New("the new session was lost before anything succeeded in it")
)

// ours returns an error that says whose it is.
func (s *Sessions[S]) ours(err error) error {
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// NewSessions returns one without a session. dial opens one, end closes it once no call is in flight on it; version "" leaves the choice
// to the SDK.
func NewSessions[S comparable](dial func(ctx context.Context, version string) (S, *retry.Answer), end func(S)) *Sessions[S] {
	return &Sessions[S]{dial: dial, end: end, turn: make(chan struct{}, 1), uses: make(map[S]int), retired: make(map[S]bool)}
}

// Current returns the session, dead or alive.
func (s *Sessions[S]) Current() S {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// Open makes sure that there is a living session, opening one if there is none; parallel callers wait for one to do so.
// Where there is none to be had, the answer says what came of the opening; it is nil if nothing was tried.
func (s *Sessions[S]) Open(ctx context.Context) (session S, failed *retry.Answer, err error) {
	session, alive, err := s.state()
	if alive || err != nil {
		return session, nil, err
	}
	var none S
	return s.open(ctx, none, false, false)
}

// Use is Open for a call, in which the session is not ended. The caller must call release when it is over, whatever came of it.
func (s *Sessions[S]) Use(ctx context.Context) (session S, release func(), failed *retry.Answer, err error) {
	for {
		if session, failed, err = s.Open(ctx); err != nil {
			return session, func() {}, failed, err
		}
		s.mu.Lock()
		if s.current == session {
			s.uses[session]++
			s.mu.Unlock()
			return session, func() { s.release(session) }, nil, nil
		}
		s.mu.Unlock() // it was replaced meanwhile
	}
}

func (s *Sessions[S]) release(session S) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uses[session]--; s.uses[session] > 0 {
		return
	}
	delete(s.uses, session)
	if s.retired[session] {
		delete(s.retired, session)
		go s.end(session)
	}
}

func (s *Sessions[S]) state() (session S, alive bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.current, false, s.ours(errClosed)
	}
	return s.current, s.alive, nil
}

// open opens a session unless somebody else was faster. old is the one to be replaced although it is alive.
func (s *Sessions[S]) open(ctx context.Context, old S, replace, lost bool) (session S, failed *retry.Answer, err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return session, nil, ctx.Err()
	}
	current, alive, err := s.state()
	if err != nil || alive && (!replace || current != old) {
		return current, nil, err
	}
	s.mu.Lock()
	version := s.version
	s.dead = make(map[S]bool)
	s.mu.Unlock()
	session, a := s.dial(ctx, version)
	s.mu.Lock()
	dead := s.dead[session]
	s.dead = nil
	if err := a.Err(); err != nil {
		s.mu.Unlock()
		var none S
		return none, a, err
	}
	s.retire(s.current)
	s.current, s.alive = session, !dead
	s.lost = s.lost || lost
	closed := s.closed
	s.mu.Unlock()
	if closed {
		var none S
		s.end(session)
		return none, nil, s.ours(errClosed)
	}
	return session, nil, nil
}

// retire ends a session that was replaced, once nothing is in flight on it. s.mu is held.
func (s *Sessions[S]) retire(session S) {
	var none S
	switch {
	case session == none:
	case s.uses[session] > 0:
		s.retired[session] = true
	default:
		go s.end(session)
	}
}

// Replace opens a session in place of old, unless that was seen to already. lost says that the server does not know old any more:
// that may happen again only after something has worked.
func (s *Sessions[S]) Replace(ctx context.Context, old S, version string, lost bool) error {
	s.mu.Lock()
	if s.current == old {
		if lost && s.lost {
			s.mu.Unlock()
			return s.ours(errSecondLoss)
		}
		if version != "" {
			s.version = version
		}
	}
	s.mu.Unlock()
	_, _, err := s.open(ctx, old, true, lost)
	return err
}

// Died notes that a session has ended by itself.
func (s *Sessions[S]) Died(session S) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == session {
		s.alive = false
	} else if s.dead != nil {
		s.dead[session] = true
	}
}

// Worked notes that something has succeeded.
func (s *Sessions[S]) Worked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = false
}

// Close ends the session, and every call to come.
func (s *Sessions[S]) Close() {
	s.mu.Lock()
	session, was := s.current, s.closed
	s.closed = true
	s.mu.Unlock()
	var none S
	if !was && session != none {
		s.end(session)
	}
}
