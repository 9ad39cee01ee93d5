package retry

import (
	"context"
	"log/slog"
	"sync"

	"github.com/mcperr/mcperr/interpret"
)

// Loop makes logical calls: it sends a request, reads the reply, decides, carries remedies out, waits, and sends again.
// It is the only place that decides about *again*; what sends for it sends once. A Loop may be used for many calls at the
// same time, and its members must not be changed then. The zero value has the default policy, no remedies and no memory
// of other loops. It must not be copied once it was used.
//
// While it sends, and while a remedy does, its context carries a mark. A loop that is entered with the mark of its own
// server, as below an SDK that another loop drives, makes exactly one attempt; inside a remedy it makes two at most,
// without remedies of its own, and what it sends counts into the call. See [Loop.Do] for what ends a call.
//
// Secrets returns what takes the credentials that a request goes out with out of whatever is made of its reply: errors, logs, what observers are told
// and what a model reads, beside ModelText.Scrub. It is asked for each attempt, since a sign-in may have given new ones, and must be safe for
// concurrent use. [Loop.HTTP] knows the credentials of its request by itself.
type Loop struct {
	Policy   *Policy // nil: the default
	Server   *Server // shared by all loops to one server, of its own size whatever the policy says; nil: this loop's own, by Policy.NewServer
	Remedies map[interpret.Remedy]RemedyFunc
	Vouch    func(interpret.Request) bool               // the host's word that this call of a tool may run twice; nil: it gives none
	Read     func(interpret.Exchange) interpret.Outcome // nil: interpret.Reply
	Observer Observer                                   // nil: nobody
	Model    *ModelText                                 // how its answers are told to a model; nil: in the usual way
	Secrets  func() *interpret.Scrubber                 // see above; nil: the usual forms of credentials alone
	MaxBody  int64                                      // bytes of a reply that Loop.HTTP keeps, who sends for Loop.Do bounds its own; 0: 16 MiB
	Logger   *slog.Logger                               // Debug for attempts, Warn for calls given up; nil: nothing is logged
	Rand     func() float64                             // in [0, 1), safe for concurrent use; nil: math/rand/v2

	once sync.Once
	own  *Server
}

func (l *Loop) secrets() *interpret.Scrubber {
	if l.Secrets == nil {
		return nil
	}
	return l.Secrets()
}

// RemedyFunc carries out a remedy, so that the next attempt has a chance: it may amend the request of the call.
// An error ends the call. Its context ends with the call's deadline and, unless a person is asked, with its time budget.
//
// A remedy that is there can be carried out. It runs at most once a call, but for authorization, rounds of input and
// resumed streams (see [Policy]); being once a *cause* (a session id, a list revision, a refused version) is for the
// function to see to, as calls run in parallel: the second of two calls that lost one session finds it replaced.
type RemedyFunc func(context.Context, *Call) error

// Call is what a remedy is told.
type Call struct {
	Request  interpret.Request // of the next attempt: the remedy may change it
	Outcome  interpret.Outcome // what is to be remedied
	Decision Decision
	Exchange interpret.Exchange // what the outcome was read from
	Attempts int                // made so far
}

// Sender sends a request once and returns all that came back. It never resends and reports a failure of its own side in
// the exchange. An exchange whose Request has neither Method nor HTTPMethod stands for the request it was given; any other is what was sent,
// and none of its members is filled in.
type Sender = func(context.Context, interpret.Request) interpret.Exchange

// server returns the shared state, one of the loop's own if it has none.
func (l *Loop) server() *Server {
	if l.Server != nil {
		return l.Server
	}
	l.once.Do(func() { l.own = l.Policy.NewServer() })
	return l.own
}
