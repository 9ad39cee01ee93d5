package interpret

import (
	"net/http"
	"slices"
	"strings"
)

// Request is what an interpreter may know of the request: facts from its bytes ([ParseRequest]), and what the host knows of the server.
// The zero value is a POST that carried no request at all.
type Request struct {
	Transport  Transport
	HTTPMethod string // "" is POST
	Method     string // JSON-RPC method; "" if the body was no request
	ID         string // the id as sent, raw JSON; "" for a notification
	Target     string // params.name, params.uri or (tasks/*) params.taskId; "" if it was left out

	Version      string      // protocol version in force: declared with the request, else negotiated; "" if none yet
	Session      bool        // an Mcp-Session-Id went with it
	Meta         Presence    // the required _meta members of 2026-07-28
	Cursor       bool        // a list request with a cursor
	Arguments    Arguments   // params.arguments of tools/call and prompts/get
	State        StateUse    // whether a requestState went with it
	Task         bool        // params.task went with it
	Capabilities []string    // declared with the request or at initialize, dotted leaves: "elicitation.form". "elicitation" alone means that
	Headers      http.Header // the Mcp-* and MCP-Protocol-Version headers as sent; nil: not kept
	Body         []byte      // the bytes sent, for cutting echoes; nil: not kept

	// What the host knows.
	Era          Era      // of the server, when the request goes out
	Known        Known    // names from the server's lists
	ParamHeaders bool     // the called tool has x-mcp-header parameters
	ResultTypes  []string // resultTypes that extensions define which the host has declared
	InFlight     int      // other requests in flight on the same pipe; 0: this one is alone
}

// Transport is how the request went out. The zero value is HTTP.
type Transport string

// Transports.
const (
	HTTP  Transport = ""
	Stdio Transport = "stdio"
)

// String returns "http" or "stdio".
func (t Transport) String() string {
	if t == HTTP {
		return "http"
	}
	return string(t)
}

// Era is the generation of a server. It is learned once and kept; the zero value is unknown.
type Era string

// Eras.
const (
	EraUnknown Era = ""
	EraLegacy  Era = "legacy" // a handshake, then a session: versions to 2025-11-25
	EraModern  Era = "modern" // every request carries its own version: from 2026-07-28
)

// Presence says how much of a group of members went with a request. The zero value is none.
type Presence string

// How much.
const (
	PresentNone    Presence = ""
	PresentPartial Presence = "partial"
	PresentAll     Presence = "all"
)

// Arguments says what params.arguments was. The zero value is absent.
type Arguments string

// What it was.
const (
	ArgumentsAbsent Arguments = ""
	ArgumentsObject Arguments = "object"
	ArgumentsOther  Arguments = "other" // there, but no object
)

// StateUse says whether a requestState went with a request. The zero value is none.
type StateUse string

// Whether, and how often.
const (
	StateNone  StateUse = ""
	StateFirst StateUse = "first" // this request is the first to carry it
	StateAgain StateUse = "again"
)

// Known holds names from a server's lists. A nil set is one that was not asked for, or of which only a page is known.
type Known struct{ Tools, Prompts, Resources *Names }

// Names is an immutable set of names, safe for concurrent use. A nil *Names is "not known", which is not the empty set.
type Names struct{ sorted []string }

// NewNames returns the set of the given names; without any it is the empty set, not nil.
func NewNames(names ...string) *Names {
	s := slices.Clone(names)
	slices.Sort(s)
	return &Names{slices.Compact(s)}
}

// Has reports whether the name is in the set; a nil set has none.
func (n *Names) Has(name string) bool {
	if n == nil {
		return false
	}
	_, ok := slices.BinarySearch(n.sorted, name)
	return ok
}

// All returns the names, sorted. The caller may keep the slice.
func (n *Names) All() []string {
	if n == nil {
		return nil
	}
	return slices.Clone(n.sorted)
}

// IsNotification reports whether the request is one that gets no answer.
func (r *Request) IsNotification() bool { return r.Method != "" && r.ID == "" }

// ModelCall reports whether a model asked for it: tools/call, resources/read, prompts/get. Only these surface.
func (r *Request) ModelCall() bool {
	return r.Method == "tools/call" || r.Method == "resources/read" || r.Method == "prompts/get"
}

// Repeatable reports whether the protocol itself makes running it twice harmless.
// A tool never is by itself: that is the host's word.
func (r *Request) Repeatable() bool {
	if r.HTTPMethod == http.MethodGet {
		return true
	}
	switch r.Method {
	case "resources/read", "prompts/get", "completion/complete", "server/discover", "initialize", "ping", "logging/setLevel",
		"resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "tasks/get", "tasks/result", "tasks/cancel":
		return true
	}
	return r.isList()
}

func (r *Request) isList() bool {
	return strings.HasSuffix(r.Method, "/list") && r.Method != "roots/list"
}
