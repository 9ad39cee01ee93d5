// Package mcperr is the overview of a module that reads the replies of MCP servers and says what to do about them.
// It holds no code: the parts are in the packages below it.
//
// A call to a Model Context Protocol server can go wrong in many places, and each SDK, gateway and version of the protocol says so in
// words of its own: a JSON-RPC code, a result with isError, a bare HTTP status, a page of HTML, a stream that ends. The host has one
// question: who can fix this? Time, the model, the host itself, a person, or nobody. The answer is what to do next:
//
//   - retry: send again after a delay, with something amended if need be;
//   - surface: give it to the model as the result of its call;
//   - ask: only a person can make the next request different;
//   - abort: this call ends, and only this call;
//   - proceed: there is a result.
//
// # Bytes in, meaning out
//
// Package [github.com/mcperr/mcperr/interpret] reads one exchange: a request and all that came back for it, or the failure that came
// instead. Its Reply is total: whatever the bytes, there is an Outcome, with the kind, who said it, whether the request ran, and how firmly
// that is known. It does no I/O, reads no clock and keeps no state.
//
// # Meaning in, decision out
//
// Package [github.com/mcperr/mcperr/retry] decides what to do about an outcome. Its Policy is plain data with rules by code, kind, status,
// method or tool. Its gates cannot be tuned away: nothing is sent twice that may have run, unless running twice does no harm.
// Its Loop carries the decisions out, over one call, within one budget of time and sends.
//
// # The wire
//
// Package [github.com/mcperr/mcperr/client] speaks Streamable HTTP and stdio, in protocol versions from 2024-11-05 to 2026-07-28, and gives a
// host one answer to a call. Hosts that have an SDK keep it: an adapter for each is a module of its own below that package, and so is an
// observer for OpenTelemetry.
//
// # The corpus
//
// Package [github.com/mcperr/mcperr/fixtures] holds some four thousand recorded exchanges with the right reading of each. The tests of this
// module compare every one, and so can a test in any other language.
//
// # Where to read on
//
// The packages read in the order above; each one's comment says what it leaves to the next. The folder docs has how a reply is read, how to tune
// the policy, how to embed each part, what of all this is stable, and how to test another interpreter with the corpus. Command
// [github.com/mcperr/mcperr/cmd/mcperr] explains a reply of your own.
package mcperr
