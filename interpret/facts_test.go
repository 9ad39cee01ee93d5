package interpret_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Facts that no label of the corpus speaks of.
func TestFacts(t *testing.T) {
	const (
		result   = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
		internal = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"boom","data":{"retryAfter":5}}}`
		zero     = `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"boom"}}`
		made     = `{"jsonrpc":"2.0","id":1,"error":{"code":4711,"message":"boom"}}`
		twice    = `{"jsonrpc":"2.0","id":1,"result":{"content":[]},"result":{"content":[]}}`
		ask      = `{"jsonrpc":"2.0","id":"s","method":"roots/list"}`
	)
	with := func(x interpret.Exchange, change func(*interpret.Exchange)) interpret.Exchange {
		change(&x)
		return x
	}
	status := func(code int, x interpret.Exchange) interpret.Exchange {
		return with(x, func(x *interpret.Exchange) { x.Status = code })
	}
	failed := func(what interpret.FailureWhat, x interpret.Exchange) interpret.Exchange {
		return with(x, func(x *interpret.Exchange) {
			x.Failure = &interpret.Failure{What: what, Delivery: interpret.DeliveryAnswering}
		})
	}
	modern := func(x interpret.Exchange) interpret.Exchange {
		return with(x, func(x *interpret.Exchange) {
			x.Request.Version, x.Request.Era, x.Request.Meta = interpret.Version20260728, interpret.EraModern, interpret.PresentAll
			x.Request.Capabilities = []string{"elicitation", "roots"}
		})
	}
	method := func(m string, x interpret.Exchange) interpret.Exchange {
		return with(x, func(x *interpret.Exchange) { x.Request.Method, x.Request.Target, x.Request.Arguments = m, "", "" })
	}
	pipe := func(lines ...string) interpret.Exchange {
		x := interpret.Exchange{Request: call}
		x.Request.Transport = interpret.Stdio
		for _, l := range lines {
			x.Lines = append(x.Lines, []byte(l))
		}
		return x
	}
	kind := func(o interpret.Outcome) string { return o.Kind.String() }
	noise := func(o interpret.Outcome) string { return fmt.Sprint(o.Kind, " ", o.Deviations) }
	tries := func(o interpret.Outcome) string { return fmt.Sprint(o.Kind, " ", o.Answered, " ", o.Tries) }
	era := func(o interpret.Outcome) string { return fmt.Sprintf("%s %q %s", o.Kind, o.Era, o.Version) }
	event := func(o interpret.Outcome) string { return fmt.Sprint(o.Kind, " ", o.Remedy, " ", o.EventID) }
	pending := func(o interpret.Outcome) string { return fmt.Sprint(o.Kind, " ", o.Pending, " ", o.Why) }
	wait := func(o interpret.Outcome) string { return fmt.Sprint(o.Kind, " ", o.RetryAfter) }
	input := func(o interpret.Outcome) string {
		return fmt.Sprintf("%s %s %s", o.Kind, o.RequestState, o.InputRequests)
	}

	for _, c := range []struct {
		name string
		x    interpret.Exchange
		fact func(interpret.Outcome) string
		want string
	}{
		{"nothing at all", interpret.Exchange{}, kind, "malformed_reply"},
		{"an answer, then the connection broke", failed(interpret.FailedReset, answer(result)), kind, "ok"},
		{"an answer, then our deadline", failed(interpret.FailedTimeout, answer(result)), kind, "ok"},
		{"an answer, then the caller's cancel", failed(interpret.FailedCancelled, answer(result)), kind, "cancelled"},
		{"an answer over the limit that was whole", with(answer(result), func(x *interpret.Exchange) { x.Truncated = true }), kind, "ok"},
		{"an answer that the limit cut", with(answer(result[:40]), func(x *interpret.Exchange) { x.Truncated = true }), kind, "reply_too_large"},

		{"an answer that is not read, and one that is after it", pipe(twice, result), kind, "malformed_reply"},
		{"and in a stream", streaming("data: " + twice + "\n\ndata: " + result + "\n\n"), kind, "malformed_reply"},
		{"one to somebody else that is not read", streaming("data: " + strings.ReplaceAll(twice, "1", "2") + "\n\ndata: " + result + "\n\n"), kind, "ok"},
		{"the first of two answers", pipe(result, internal), kind, "ok"},
		{"a late answer to another request", pipe(strings.ReplaceAll(internal, `"id":1`, `"id":9`), result), kind, "ok"},
		{"an error without an id, alone on the pipe", pipe(strings.ReplaceAll(internal, `"id":1`, `"id":null`)), kind, "server_error"},
		{"an error without an id, another request in flight", with(pipe(strings.ReplaceAll(internal, `"id":1`, `"id":null`)), func(x *interpret.Exchange) {
			x.Request.InFlight = 1
		}), kind, "malformed_reply"},
		{"a line that the limit cut", with(pipe("ready", "", result[:40]), func(x *interpret.Exchange) { x.Truncated = true }), noise, "reply_too_large [stdout_noise]"},
		{"a line that broke off", failed(interpret.FailedExited, pipe(result[:40])), noise, "connection_lost [stdout_noise]"},

		{"an internal error of ours", answer(internal), tries, "server_error true 1"},
		{"0, under 4xx", status(400, answer(zero)), tries, "server_error true 1"},
		{"a code of its own, under 4xx", status(422, answer(made)), tries, "unknown_error true 0"},
		{"a code of its own, under 4xx, to a request of the host's", status(422, method("tools/list", answer(made))), tries, "invalid_request false 0"},
		{"500 of a page", status(500, answer("<h1>oops</h1>")), tries, "server_error false 0"},
		{"a stream without an event", streaming(": hello\n\n"), tries, "connection_lost false 1"},
		{"a stream with one", streaming("data: " + ask + "\n\n"), tries, "connection_lost false 0"},
		{"a 429 beside an answer of ours", status(429, answer(result)), tries, "rate_limited false 0"},

		{"a handshake", method("initialize", answer(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}`)), era, `ok "legacy" 2025-06-18`},
		{"a resultType", modern(answer(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`)), era, `ok "modern" `},
		{"a modern error", modern(status(400, answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"m"}}`))), era, `missing_capability "modern" `},
		{"a result of any sort proves nothing", answer(result), era, `ok "" `},

		{"the last event id", streaming("id: 7\ndata: " + ask + "\n\nid: 8\n\n"), event, "connection_lost resume 8"},
		{"none of a cut event", failed(interpret.FailedReset, streaming("id: 7\ndata: "+ask+"\n\nid: 8\ndata: {")), event, "connection_lost resume 7"},
		{"an id is nothing to resume at in 2026-07-28", modern(streaming("id: 7\ndata: " + ask + "\n\n")), event, "connection_lost  7"},

		{"a request of the server stood unanswered", failed(interpret.FailedTimeout, pipe(ask)), pending, "timeout [roots/list] [deadline ran_unknown waiting_for_us]"},
		{"one that we answered did not", with(failed(interpret.FailedTimeout, pipe(ask)), func(x *interpret.Exchange) { x.Replied = []string{`"s"`} }), pending, "timeout [] [deadline ran_unknown]"},
		{"a notification waits for nobody", failed(interpret.FailedTimeout, pipe(`{"jsonrpc":"2.0","method":"roots/list"}`)), pending, "timeout [] [deadline ran_unknown]"},

		{"a delay beside an internal error", answer(internal), wait, "server_error 0s"},
		{"a delay under 500", with(status(500, answer("")), func(x *interpret.Exchange) { x.Header = http.Header{"Retry-After": {"5"}} }), wait, "server_error 0s"},
		{"a delay under 503, beside a refused version", with(status(503, answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}}`)),
			func(x *interpret.Exchange) { x.Header = http.Header{"Retry-After": {"5"}} }), wait, "unsupported_version 5s"},
		{"a delay under 503, whose body broke off", failed(interpret.FailedReset, with(status(503, answer("{")), func(x *interpret.Exchange) { x.Header = http.Header{"Retry-After": {"5"}} })), wait, "connection_lost 5s"},
		{"a delay under 503, beside a result", with(status(503, answer(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)),
			func(x *interpret.Exchange) { x.Header = http.Header{"Retry-After": {"5"}} }), wait, "ok 0s"},
		{"a delay under 503", with(status(503, answer("")), func(x *interpret.Exchange) { x.Header = http.Header{"Retry-After": {"5"}} }), wait, "unavailable 5s"},
		{"a date by the clock of the arrival", with(status(503, answer("")), func(x *interpret.Exchange) {
			x.Header, x.Received = http.Header{"Retry-After": {"Mon, 30 Nov 2026 10:00:09 GMT"}}, time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
		}), wait, "unavailable 9s"},

		{"input, and its state byte for byte", modern(answer(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"a\u0062 ","inputRequests":{"k":{"method":"roots/list","params":{"x":1}}}}}`)),
			input, `input_required "a\u0062 " [{k roots/list {"x":1}}]`},
	} {
		if got := c.fact(soundly(t, c.x)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Challenges count on 401 and 403, wherever else they stand.
func TestChallengesCountOn401And403(t *testing.T) {
	h := http.Header{"Www-Authenticate": {`Bearer scope="a b", resource_metadata="https://mcp.example/meta"`}}
	for status, want := range map[int]string{
		401: "unauthorized [a b] https://mcp.example/meta [Bearer]", 403: "insufficient_scope [a b] https://mcp.example/meta [Bearer]",
		400: "invalid_request []  []", 429: "rate_limited []  []", 500: "server_error []  []",
	} {
		o := soundly(t, interpret.Exchange{Request: call, Status: status, Header: h})
		if got := fmt.Sprint(o.Kind, " ", o.Scopes, " ", o.ResourceMetadata, " ", o.Schemes); got != want {
			t.Errorf("%d: got %s, want %s", status, got, want)
		}
	}
}

// Only what a browser could open is a page to visit.
func TestPagesToVisit(t *testing.T) {
	x := refused(-32042, "visit", `{"elicitations":[{"url":"javascript:alert(1)"},{"url":"file:///etc/passwd"},{"url":"//host/a"},{"url":"/a"},{"url":7},`+
		`{"elicitationId":"e","url":"HTTPS://mcp.example/a?b","message":"m"},{"url":"http://mcp.example"},{"url":"http://"},{"url":"https:opaque"}]}`)
	x.Request.Capabilities = []string{"elicitation.url"}
	o := soundly(t, x)
	var got []string
	for _, e := range o.Elicitations {
		got = append(got, e.ID+" "+e.URL+" "+e.Message)
	}
	if want := []string{"e HTTPS://mcp.example/a?b m", " http://mcp.example "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
