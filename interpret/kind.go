package interpret

import "errors"

// Kind is the normalized class of a reply.
// Its text is a stable slug; a text this version does not know survives a round trip and is treated like [Unknown] by every policy.
// The zero value is Unknown: nothing was read yet. A Kind is an error, so errors.Is(err, interpret.RateLimited) reads naturally.
type Kind string

// The closed set of kinds.
const (
	Unknown            Kind = ""                    // nothing was read; the zero value
	OK                 Kind = "ok"                  // a complete result, or an accepted notification
	Task               Kind = "task"                // accepted as a task; the host polls
	InputRequired      Kind = "input_required"      // the server asks for input before it can answer
	ToolError          Kind = "tool_error"          // a tool ran and says that it failed
	InvalidArguments   Kind = "invalid_arguments"   // the arguments of the call are refused
	UnknownTool        Kind = "unknown_tool"        // no such tool
	ResourceNotFound   Kind = "resource_not_found"  // no such resource
	UnknownPrompt      Kind = "unknown_prompt"      // no such prompt
	UnsupportedVersion Kind = "unsupported_version" // the protocol version is refused
	LegacyServer       Kind = "legacy_server"       // the server wants the handshake of the older protocol
	SessionLost        Kind = "session_lost"        // the session id sent is not known (any more)
	HeaderMismatch     Kind = "header_mismatch"     // headers and body contradict each other
	MissingCapability  Kind = "missing_capability"  // the server needs a capability the client did not declare
	InputExpired       Kind = "input_expired"       // the requestState sent is no longer good
	InvalidCursor      Kind = "invalid_cursor"      // the page cursor sent is refused
	InvalidRequest     Kind = "invalid_request"     // the host's own request was wrong
	MethodNotFound     Kind = "method_not_found"    // the feature is absent
	NotMCP             Kind = "not_mcp"             // the address does not speak this transport
	RateLimited        Kind = "rate_limited"        // too many requests
	Unavailable        Kind = "unavailable"         // nobody is there to answer just now
	Timeout            Kind = "timeout"             // nothing came in time
	ConnectionLost     Kind = "connection_lost"     // the connection ended before the answer
	ServerError        Kind = "server_error"        // the server failed
	Unauthorized       Kind = "unauthorized"        // credentials are missing or refused
	InsufficientScope  Kind = "insufficient_scope"  // the credentials do not reach this far
	Forbidden          Kind = "forbidden"           // refused for who asks, whatever is asked again
	PaymentRequired    Kind = "payment_required"    // somebody has to pay
	URLElicitation     Kind = "url_elicitation"     // a person has to visit a page first
	MalformedReply     Kind = "malformed_reply"     // what came is not an answer
	ReplyTooLarge      Kind = "reply_too_large"     // over the client's limit
	Cancelled          Kind = "cancelled"           // the caller cancelled
	UnknownError       Kind = "unknown_error"       // an error without a meaning of its own
)

// Kinds returns the closed set in the order in which tables show it, Unknown left out.
func Kinds() []Kind {
	return []Kind{
		OK, Task, InputRequired, ToolError, InvalidArguments, UnknownTool, ResourceNotFound, UnknownPrompt,
		UnsupportedVersion, LegacyServer, SessionLost, HeaderMismatch, MissingCapability, InputExpired, InvalidCursor,
		InvalidRequest, MethodNotFound, NotMCP, RateLimited, Unavailable, Timeout, ConnectionLost, ServerError,
		Unauthorized, InsufficientScope, Forbidden, PaymentRequired, URLElicitation, MalformedReply, ReplyTooLarge,
		Cancelled, UnknownError,
	}
}

// String returns the slug, "unknown" for the zero value.
func (k Kind) String() string {
	if k == Unknown {
		return "unknown"
	}
	return string(k)
}

// Error makes a Kind a target for errors.Is; it returns the slug.
func (k Kind) Error() string { return k.String() }

// MarshalText returns the slug, "unknown" for the zero value. It never fails.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText takes any text; "unknown" is the zero value. It never fails, so that kinds of a later version survive.
func (k *Kind) UnmarshalText(b []byte) error {
	if *k = Kind(b); *k == "unknown" {
		*k = Unknown
	}
	return nil
}

// KindOf returns the kind that an error carries, wherever in its tree the [Error] stands.
// It is OK for nil and Unknown for an error that is not of this package.
func KindOf(err error) Kind {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e.Kind
	}
	if k, ok := errors.AsType[Kind](err); ok {
		return k
	}
	return Unknown
}

// Fixer says who can fix a fault: the question that orders the kinds.
type Fixer string

// Who can fix it.
const (
	Nobody        Fixer = ""      // nothing anybody does makes this call succeed
	FixedByTime   Fixer = "time"  // waiting
	FixedByModel  Fixer = "model" // the model, with other arguments or another call
	FixedByHost   Fixer = "host"  // the host program, by amending the request
	FixedByPerson Fixer = "user"  // only a person
)

// String returns the word, "nobody" for the zero value.
func (f Fixer) String() string {
	if f == Nobody {
		return "nobody"
	}
	return string(f)
}

// MarshalText returns the word, "nobody" for the zero value. It never fails.
func (f Fixer) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText takes any text; "nobody" is the zero value. It never fails.
func (f *Fixer) UnmarshalText(b []byte) error {
	if *f = Fixer(b); *f == "nobody" {
		*f = Nobody
	}
	return nil
}

// Fixer returns who can fix a fault of this kind. It is Nobody for a kind without a fault.
// A reply may say more than its kind: a sampling request is the host's, see [Outcome.Fixer].
func (k Kind) Fixer() Fixer {
	switch k {
	case ToolError, InvalidArguments, UnknownTool, ResourceNotFound, UnknownPrompt, UnknownError:
		return FixedByModel
	case UnsupportedVersion, LegacyServer, SessionLost, HeaderMismatch, MissingCapability, InputExpired, InvalidCursor, InvalidRequest:
		return FixedByHost
	case Task, RateLimited, Unavailable, Timeout, ConnectionLost, ServerError:
		return FixedByTime
	case InputRequired, Unauthorized, InsufficientScope, Forbidden, PaymentRequired, URLElicitation:
		return FixedByPerson
	}
	return Nobody
}
