package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Options say who the host is, what it can do and how patient it is. The zero value declares no capability,
// speaks every version and decides by the default policy.
type Options struct {
	Name    string // of the host, declared to the server; "" is "mcperr"
	Version string // of the host; "" is "0"

	// Capabilities is what is declared, as the specification's ClientCapabilities: any value that marshals to an object.
	// A server may only ask for what stands here, so each of its members wants a function in Handlers. Nil declares nothing.
	Capabilities any
	// Handlers answer what the server asks for, by method: "elicitation/create", "sampling/createMessage", "roots/list".
	// They serve its requests and the inputRequests of 2026-07-28 alike, several at the same time: each must be safe for concurrent use.
	// What has no handler is refused with -32601 at once. The inputRequests of one reply are answered one by one, in as many replies as the policy's
	// InputRounds. If one of them has no handler, or there are more than 16 of them, nobody is asked and the call ends with what is wanted.
	Handlers map[string]Handler
	// Notified is told of each notification of the server, in the order they came on one stream. Several streams tell at the same time,
	// so it must be safe for concurrent use. It must neither block nor call Close, for the stream is read by whoever is told.
	Notified func(method string, params json.RawMessage)

	// Protocol is the choice of protocol versions; nil is all of [interpret.Versions]. The policy's floor is in force as well.
	Protocol []string
	Verdicts *Verdicts // what was learned about servers before; nil: nothing, and nothing is kept beyond this client

	Timeout  time.Duration // of one attempt; zero or less: only the caller's deadline and the policy's time budget end it
	MaxReply int64         // bytes of one reply; zero or less is 16 MiB

	Policy     *retry.Policy
	Budget     *retry.Server // shared with other clients of the same server; nil: this client's own
	Vouch      []string      // tools that may run twice: the host's promise
	TrustHints bool          // believe the server's readOnlyHint and idempotentHint, once its tools were listed

	// What a person may have to be asked. Authorize is called once at a time, and not again for calls that were refused with the same
	// credentials; so is Declare for calls that lack the same capabilities, of which it returns all that are to be declared.
	// OpenURL must be safe for concurrent use: the pages are each call's own. The context of each ends with its call and with the client;
	// Close does not wait for them, and they may call it.
	Authorize func(context.Context, Challenge) (http.Header, error)         // sign in, or for a wider scope; nil: a 401 ends in Ask
	OpenURL   func(context.Context, []interpret.Elicitation) error          // have the user visit pages, on consent; nil: it ends in Ask
	Declare   func(context.Context, []string) (capabilities any, err error) // what to declare from now on, given what is required; nil: nothing more
	// Remedies take the place of this package's own for authorize, open_url and refresh_tools; try_http_sse it has none for.
	// Unlike in a [retry.Loop] what they change of the request is not sent, for a client composes each attempt itself. [New] refuses
	// other names: input is answered by Handlers, a capability declared by Declare, and what mends a session or a request is the client's.
	Remedies map[interpret.Remedy]retry.RemedyFunc

	Observer retry.Observer
	Model    *retry.ModelText // how answers are told to a model; nil: in the usual way
	Logger   *slog.Logger     // Debug for attempts, Warn for calls given up, without any content; nil: nothing is logged
}

// Handler answers one thing that a server asks for: params in, the result out. The text of an error reaches the server.
//
// ctx ends with the session, or with the call that the server asked within; return then, for Close waits for it, though no longer than 2 s. It
// may call Close, which takes that long then.
type Handler func(ctx context.Context, params json.RawMessage) (result any, err error)

// Challenge is what a server wants before it answers.
type Challenge struct {
	Outcome          interpret.Outcome
	Scopes           []string // the union of those named now and before, in the order they were named
	ResourceMetadata string   // address of the RFC 9728 document, "" if none was named
}

func (o *Options) identity() (identity, error) {
	info, err := marshal(struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}{cmp.Or(o.Name, "mcperr"), cmp.Or(o.Version, "0")})
	if err != nil {
		return identity{}, err
	}
	capabilities, err := toObject(o.Capabilities)
	if err != nil {
		return identity{}, fmt.Errorf("client: capabilities: %w", err)
	}
	return identity{info, capabilities.encode()}, nil
}

// replaceable are the remedies that change nothing of what is sent but what the host itself sends it with, or nothing at all.
var replaceable = []interpret.Remedy{interpret.Authorize, retry.OpenURL, interpret.RefreshTools, interpret.TryHTTPSSE}

func (o *Options) checkRemedies() error {
	for _, name := range slices.Sorted(maps.Keys(o.Remedies)) {
		if !slices.Contains(replaceable, name) {
			return fmt.Errorf("client: the remedy %q is not the host's to replace", name)
		}
	}
	return nil
}

func (o *Options) maxReply() int64 {
	if o.MaxReply > 0 {
		return o.MaxReply
	}
	return interpret.DefaultLimit
}
