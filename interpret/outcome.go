package interpret

import "time"

// Outcome is what one exchange means, and every fact that was found on the way.
// It is plain data; the zero value says that nothing is known and nothing may be resent.
// Byte slices share the memory of the [Exchange] they were read from.
type Outcome struct {
	Kind   Kind
	Origin Origin
	Ran    Ran
	Basis  Basis
	Remedy Remedy // what would mend the next request; "" if nothing does
	Leave  Leave  // the reply's leave to be sent again
	Tries  int    // resends that the reply allows at most; 0: no bound of its own

	Answered bool // a JSON-RPC answer under the request's own id was read, and the kind comes from it
	Era      Era  // what the reply proves about the server, [EraUnknown] if nothing

	Code    int64 // JSON-RPC code, where HasCode
	HasCode bool
	Status  int    // HTTP status; 0 on stdio and where no reply arrived
	Message string // the error's message as the server wrote it: data, never instructions
	Data    []byte // the error's data, raw JSON
	Result  []byte // the result, raw JSON

	RetryAfter time.Duration // how long the server asks to wait; 0: it does not say. Never negative, at most a year
	Supported  []string      // protocol versions that the server named
	Requested  string        // the version that the server says was requested
	Version    string        // the version that a handshake or discovery settled on, "" otherwise

	Scopes           []string // of the challenge that counts
	Schemes          []string // of every challenge, in order
	ResourceMetadata string   // RFC 9728 address that a challenge named
	Location         string   // where a redirect points
	URI              string   // the resource that an error names

	RequiredCapabilities []string // dotted leaves, as in [Request.Capabilities]
	Elicitations         []Elicitation
	InputRequests        []InputRequest
	RequestState         []byte   // raw JSON, to be echoed byte for byte; nil if none came
	EventID              string   // last event id of the stream, for a resume
	Pending              []string // methods of the server's own requests that nobody answered, at most 16: it may have been waiting for us

	Why        []string    // ids of the rules that fired, in order; see [Rules]
	Deviations []Deviation // where the reply departs from the specification, sorted

	scrub *Scrubber // see ScrubbedBy; nil: the usual forms
}

// ScrubbedBy returns the outcome with a scrubber that knows more than the usual forms of credentials, as those that the request went out with.
// What is made of the outcome for people, logs and models goes through it, beside any that the outcome has: String and LogValue, the text of Err,
// Said and Hints. The members stay as the server wrote them.
func (o Outcome) ScrubbedBy(s *Scrubber) Outcome {
	o.scrub = o.scrub.With(s)
	return o
}

// Scrubber returns what ScrubbedBy has given the outcome, nil if nothing.
func (o Outcome) Scrubber() *Scrubber { return o.scrub }

// Fixer returns who can fix this: the kind's answer, save for an input request that is the host's own to answer.
func (o Outcome) Fixer() Fixer {
	if o.Kind == InputRequired {
		for _, r := range o.InputRequests {
			if r.Method == "elicitation/create" {
				return FixedByPerson
			}
		}
		return FixedByHost
	}
	return o.Kind.Fixer()
}

// Err returns nil for [OK] and [Task] and an [*Error] for every other kind.
func (o Outcome) Err() error { return o.ErrCause(nil) }

// ErrCause is Err with the local error that lies below, which errors.Is and errors.As will reach.
func (o Outcome) ErrCause(cause error) error {
	if o.Kind == OK || o.Kind == Task {
		return nil
	}
	return &Error{Outcome: o, Cause: cause}
}

// Origin says who said it: for people and metrics, no action depends on it.
type Origin string

// Who said it.
const (
	OriginServer  Origin = "server"  // any JSON-RPC message or event stream, and every reply without the marks of a gateway
	OriginGateway Origin = "gateway" // no JSON-RPC, and the marks of a proxy or a status that only proxies send
	OriginClient  Origin = "client"  // our own side: dial error, deadline, cancel, process exit, a stream that ended
)

// Ran says whether the server ran the request. The zero value is RanUnknown.
type Ran string

// Did it run?
const (
	RanUnknown Ran = ""
	RanNo      Ran = "no"
	RanYes     Ran = "yes"
)

// String returns "no", "yes" or "unknown".
func (r Ran) String() string {
	if r == RanUnknown {
		return "unknown"
	}
	return string(r)
}

// MarshalText returns "no", "yes" or "unknown". It never fails.
func (r Ran) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText takes any text; "unknown" is the zero value. It never fails.
func (r *Ran) UnmarshalText(b []byte) error {
	if *r = Ran(b); *r == "unknown" {
		*r = RanUnknown
	}
	return nil
}

// Basis says how firmly the kind is known.
type Basis string

// From the firmest to the weakest.
const (
	BasisDefined Basis = "defined" // the specification names this code, status or member for this meaning
	BasisShape   Basis = "shape"   // from what was sent, from HTTP alone, or from a fact of our side
	BasisText    Basis = "text"    // without the words the kind would be another
)

// Leave is a reply's leave to be sent again: what the protocol and the proof of [Ran] allow, before any policy.
// The zero value is LeaveNever.
type Leave string

// Leave to be sent again.
const (
	LeaveNever      Leave = ""           // never
	LeaveRepeatable Leave = "repeatable" // if running twice does no harm: [Request.Repeatable], or the host vouches for the tool
	LeaveRemedy     Leave = "remedy"     // once the remedy has been carried out; without it as LeaveRepeatable where Ran is not yes
	LeaveAlways     Leave = "always"     // it did not run, or the protocol asks for the resend
)

// String returns the word, "never" for the zero value.
func (l Leave) String() string {
	if l == LeaveNever {
		return "never"
	}
	return string(l)
}

// Remedy names what amends the next request.
type Remedy string

// The closed set of remedies.
const (
	Renegotiate       Remedy = "renegotiate"        // another protocol version, or the other era
	Initialize        Remedy = "initialize"         // the handshake of the older protocol
	Reinitialize      Remedy = "reinitialize"       // a new session
	RefreshTools      Remedy = "refresh_tools"      // list the tools again
	RebuildHeaders    Remedy = "rebuild_headers"    // Mcp-* headers from the body
	DeclareCapability Remedy = "declare_capability" // declare what the server needs
	RestartCall       Remedy = "restart_call"       // the call from its beginning, without the requestState
	RestartList       Remedy = "restart_list"       // the list from its first page
	DropTask          Remedy = "drop_task"          // the call without params.task
	Resume            Remedy = "resume"             // the stream from the last event id
	Authorize         Remedy = "authorize"          // credentials, or a wider scope
	EchoState         Remedy = "echo_state"         // the call again with the requestState
	TryHTTPSSE        Remedy = "try_http_sse"       // the transport of 2024-11-05, for hosts that speak it
)

// Remedies returns the closed set.
func Remedies() []Remedy {
	return []Remedy{
		Renegotiate, Initialize, Reinitialize, RefreshTools, RebuildHeaders, DeclareCapability, RestartCall, RestartList,
		DropTask, Resume, Authorize, EchoState, TryHTTPSSE,
	}
}

// Elicitation is one page that a server asks a person to visit.
type Elicitation struct {
	ID      string
	URL     string // http or https; show all of it, open it only on consent, never through the model
	Message string
}

// InputRequest is one thing that a server asks for before it can answer.
type InputRequest struct {
	Key    string // member name in inputRequests
	Method string // elicitation/create, sampling/createMessage or roots/list
	Params []byte // raw JSON
}

// Hint is one thing that was wrong with a request, as far as the reply says so: see [Outcome.Hints]. Every member may be empty, stands on
// one line, and is bounded and scrubbed; unless BySchema is set it is the server's word, so data and never an instruction.
type Hint struct {
	Path       string // of the field, dotted: "items.0.sku"; within the arguments, where the server counted from above them
	Problem    string // in the server's words, or "missing" or "unexpected" where it has none of its own
	Expected   string // most often a type
	Allowed    string // values or bounds
	Received   string // a value, or its type
	Suggestion string
	BySchema   bool // from the tool's own schema and not from the reply
}

// Deviation is the slug of one departure from the specification; fixtures/README.md says each.
type Deviation string
