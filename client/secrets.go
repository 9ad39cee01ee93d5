package client

import (
	"os"
	"slices"
	"sync/atomic"

	"github.com/mcperr/mcperr/internal/secrets"
	"github.com/mcperr/mcperr/interpret"
)

// grantsKept is of how many authorizations, the last one included, the credentials are still looked for: a server may speak of those before.
const grantsKept = 8

// credentials are what a client sends to its server that nobody else may read. The zero value has none.
type credentials struct {
	fixed   []string   // of the transport
	granted [][]string // of the last authorizations, the newest last
	scrub   atomic.Pointer[interpret.Scrubber]
}

// know takes in those of the transport, before the client is used.
func (k *credentials) know(values ...[]string) {
	k.fixed = append(k.fixed, slices.Concat(values...)...)
	k.renew()
}

// grant takes in those of an authorization. One happens at a time.
func (k *credentials) grant(values []string) {
	k.granted = append(k.granted, values)
	k.granted = k.granted[max(0, len(k.granted)-grantsKept):]
	k.renew()
}

func (k *credentials) renew() {
	k.scrub.Store(interpret.NewScrubber(append(slices.Concat(k.granted...), k.fixed...)...))
}

// ofCommand returns the secrets that a stdio server is started with.
func ofCommand(t Stdio) []string {
	env := t.Env
	if env == nil {
		env = os.Environ()
	}
	return append(secrets.Env(env), secrets.Args(t.Args)...)
}

// scrubbedError is an error that quotes a server, without the client's credentials.
type scrubbedError struct {
	error
	s *interpret.Scrubber
}

func (e *scrubbedError) Error() string { return e.s.RedactOwn(e.error.Error()) }
func (e *scrubbedError) Unwrap() error { return e.error }
