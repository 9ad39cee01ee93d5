package main

import (
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// kindSays says what each kind is, for the tables; the conditions are the rules'.
var kindSays = map[interpret.Kind]string{
	interpret.OK:                 "a complete result, or an accepted notification",
	interpret.Task:               "accepted as a task; the host polls",
	interpret.InputRequired:      "the server asks for input before it can answer",
	interpret.ToolError:          "the tool ran and says that it failed",
	interpret.InvalidArguments:   "the arguments of the call are refused",
	interpret.UnknownTool:        "no such tool",
	interpret.ResourceNotFound:   "no such resource",
	interpret.UnknownPrompt:      "no such prompt",
	interpret.UnsupportedVersion: "the protocol version is refused",
	interpret.LegacyServer:       "the server wants the handshake of the older protocol",
	interpret.SessionLost:        "the session is not known any more",
	interpret.HeaderMismatch:     "headers and body contradict each other",
	interpret.MissingCapability:  "the server needs a capability that the client did not declare",
	interpret.InputExpired:       "the requestState is no longer good",
	interpret.InvalidCursor:      "the page cursor is refused",
	interpret.InvalidRequest:     "the host's own request was wrong: a bug of ours",
	interpret.MethodNotFound:     "the feature is absent, the server is well",
	interpret.NotMCP:             "the address does not speak this transport",
	interpret.RateLimited:        "too many requests",
	interpret.Unavailable:        "nobody is there to answer just now",
	interpret.Timeout:            "nothing came in time",
	interpret.ConnectionLost:     "the connection ended before the answer",
	interpret.ServerError:        "the server failed",
	interpret.Unauthorized:       "credentials are missing or refused",
	interpret.InsufficientScope:  "the credentials do not reach this far",
	interpret.Forbidden:          "refused for who asks, whatever is asked again",
	interpret.PaymentRequired:    "somebody has to pay",
	interpret.URLElicitation:     "a person has to visit a page first",
	interpret.MalformedReply:     "what came is not an answer",
	interpret.ReplyTooLarge:      "over the client's size limit",
	interpret.Cancelled:          "the caller cancelled",
	interpret.UnknownError:       "an error without a meaning of its own",
}

// stageSays says of each stage of the rule table when its rows are asked.
var stageSays = map[string]string{
	"cancel":        "asked where a failure of our own side stands in the exchange",
	"status":        "asked of every HTTP reply: these statuses mean the same, whatever the body",
	"local":         "asked where no whole answer under our id came",
	"no request":    "asked where what we sent was no request at all",
	"verb":          "asked where what went out had no method, as a GET or a DELETE",
	"result":        "asked where the body wins over the status, and is no error",
	"notification":  "asked of 2xx to a notification",
	"version":       "asked where the answer, or an error without an id of ours, is an error",
	"era":           "asked where the era of the server is not known yet",
	"session":       "asked of every HTTP reply",
	"size and time": "asked of 4xx whose body does not win over the status",
	"left out":      "asked where the error is read by its code",
	"-32602":        "asked of that code, where it is read; the first row that fits",
	"-32601":        "asked of that code, where it is read; the first row that fits",
	"code":          "asked of every other code, where it is read: structure first, then words, then the code alone",
	"fallback":      "asked of all that is left; one of its rows always fits",
	"ran":           "asked after the kind is known, and above it: did the server run the request, and may it be sent again",
}

// remedySays says what each remedy does.
var remedySays = map[interpret.Remedy]string{
	interpret.Renegotiate:       "another protocol version, or the other era",
	interpret.Initialize:        "the handshake of the older protocol",
	interpret.Reinitialize:      "a new session",
	interpret.RefreshTools:      "list the tools again",
	interpret.RebuildHeaders:    "build the Mcp-* headers from the body again",
	interpret.DeclareCapability: "declare what the server needs",
	interpret.RestartCall:       "the call from its beginning, without the requestState",
	interpret.RestartList:       "the list from its first page",
	interpret.DropTask:          "the call without params.task",
	interpret.Resume:            "the stream from the last event id",
	interpret.Authorize:         "credentials, or a wider scope",
	interpret.EchoState:         "the call again with the requestState",
	interpret.TryHTTPSSE:        "the transport of 2024-11-05, for hosts that speak it",
}

var fixerSays = map[interpret.Fixer]string{
	interpret.FixedByTime:   "waiting helps",
	interpret.FixedByModel:  "with other arguments, or another call",
	interpret.FixedByHost:   "the host program amends the request",
	interpret.FixedByPerson: "only a person can",
	interpret.Nobody:        "no resend of this call succeeds",
}

var ranSays = map[interpret.Ran]string{
	interpret.RanNo:      "the server did not run the request",
	interpret.RanYes:     "the server ran the request",
	interpret.RanUnknown: "the request may have run",
}

var basisSays = map[interpret.Basis]string{
	interpret.BasisDefined: "the specification names it",
	interpret.BasisShape:   "from what was sent, from HTTP alone, or from a fact of our side",
	interpret.BasisText:    "only the words of the message say so",
}

var originSays = map[interpret.Origin]string{
	interpret.OriginServer:  "the MCP server",
	interpret.OriginGateway: "a proxy in front of it",
	interpret.OriginClient:  "our own side",
}

var actionSays = map[retry.Action]string{
	retry.Proceed: "there is a result, use it",
	retry.Retry:   "send it again",
	retry.Surface: "give it to the model as the result of its call",
	retry.Ask:     "only a person can make the next request different",
	retry.Abort:   "this call ends, everything else goes on",
}

// deviationSays says what each deviation is: the reply …
var deviationSays = map[interpret.Deviation]string{
	interpret.ArgumentsAsProtocolError:    "refuses tool arguments with -32602; since 2025-11-25 that is a result with isError",
	interpret.BothResultAndError:          "has a result and an error, one of them perhaps null",
	interpret.CaseFoldedMember:            "has a member that differs from a defined one only in case",
	interpret.CodeNotInteger:              "has no error code, or one that is no integer of 53 bits",
	interpret.DuplicateMember:             "repeats a member of the envelope, the error or the top of the result",
	interpret.EmptyContents:               "answers resources/read with empty contents",
	interpret.ErrorNotObject:              "has an error that is no object",
	interpret.ErrorToNotification:         "answers a notification with an error",
	interpret.IDMismatch:                  "answers with another id",
	interpret.IDMissing:                   "is an error without the id of the request",
	interpret.MissingJSONRPC:              `lacks jsonrpc "2.0"`,
	interpret.MissingRequiredCapabilities: "is -32021 without data.requiredCapabilities",
	interpret.MissingResultType:           "is a result of 2026-07-28 without resultType",
	interpret.MissingSupported:            "is -32022 without data.supported",
	interpret.NoJSONRPCBody:               "has no JSON-RPC message where one is due",
	interpret.ResultNotObject:             "has a result that is no object",
	interpret.RetiredCode:                 "uses -32002 or -32042 in 2026-07-28",
	interpret.StdoutNoise:                 "has lines on standard output that are no JSON-RPC",
	interpret.TrailingData:                "has bytes after the JSON value",
	interpret.UndeclaredInputRequest:      "asks for input that the client did not declare",
	interpret.UndefinedReservedCode:       "uses a reserved code, -32020 to -32099, that no version defines",
	interpret.UnknownResultType:           "has a resultType that nothing declared",
	interpret.UnknownToolAsResult:         "answers a call of an unknown tool with a result",
	interpret.WrongContentType:            "is JSON-RPC under another content type",
	interpret.WrongStatus:                 "has another HTTP status than 2026-07-28 fixes for it",
}

// A definedCode is a code to which some version of the protocol, or JSON-RPC itself, gives a meaning.
type definedCode struct {
	code        int64
	name        string
	first, last string // versions; "" is the oldest, or the newest, there is
}

// definedCodes are those of the specification's schema and pages, and of JSON-RPC 2.0, section 5.1.
var definedCodes = []definedCode{
	{-32700, "Parse error", "", ""},
	{-32600, "Invalid Request", "", ""},
	{-32601, "Method not found", "", ""},
	{-32602, "Invalid params", "", ""},
	{-32603, "Internal error", "", ""},
	{-32002, "Resource not found", "", "2025-11-25"},
	{-32042, "URL elicitation required", "2025-11-25", "2025-11-25"},
	{-32020, "Header mismatch", "2026-07-28", ""},
	{-32021, "Missing required client capability", "2026-07-28", ""},
	{-32022, "Unsupported protocol version", "2026-07-28", ""},
}

func (c *definedCode) definedIn(version string) bool {
	return (c.first == "" || version >= c.first) && (c.last == "" || version <= c.last)
}

func (c *definedCode) where() string {
	switch {
	case c.first == "" && c.last == "":
		return "every version"
	case c.first == c.last:
		return c.first + " only"
	case c.last == "":
		return "since " + c.first
	case c.first == "":
		return "up to " + c.last
	}
	return c.first + " to " + c.last
}
