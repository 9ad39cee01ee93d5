package interpret_test

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// Where two facts meet that the corpus shows one by one.
func TestCombinations(t *testing.T) {
	modernCall := interpret.Request{Method: "tools/call", Target: "pay", ID: "1", Version: "2026-07-28", Era: interpret.EraModern,
		Meta: interpret.PresentAll, Arguments: interpret.ArgumentsObject}
	with := func(r interpret.Request, change func(*interpret.Request)) interpret.Request { change(&r); return r }
	session := with(modernCall, func(r *interpret.Request) {
		r.Version, r.Era, r.Meta, r.Session = "2025-06-18", interpret.EraLegacy, interpret.PresentNone, true
	})
	host := func(method, version string) interpret.Request {
		return interpret.Request{Method: method, ID: "1", Version: version, Era: interpret.EraLegacy}
	}
	state := with(modernCall, func(r *interpret.Request) { r.State = interpret.StateFirst })
	probe := interpret.Request{Method: "server/discover", ID: "1", Version: "2026-07-28", Meta: interpret.PresentAll}
	first := with(modernCall, func(r *interpret.Request) { r.Era = interpret.EraUnknown })
	broke := &interpret.Failure{What: interpret.FailedReset, Delivery: interpret.DeliveryAnswering}
	failed := func(status int, err string) interpret.Exchange {
		return interpret.Exchange{Status: status, Body: []byte(`{"jsonrpc":"2.0","id":1,"error":` + err + `}`)}
	}
	result := func(r string) interpret.Exchange {
		return interpret.Exchange{Status: 200, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + r + `}`)}
	}
	for _, c := range []struct {
		name    string
		request interpret.Request
		reply   interpret.Exchange
		kind    interpret.Kind
		ran     interpret.Ran
		leave   interpret.Leave
	}{
		{"a state, and an output phrase: it may have run", state, failed(200, `{"code":-32602,"message":"Tool pay has an output schema but no structured content was provided"}`),
			interpret.InputExpired, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a state, without one", state, failed(200, `{"code":-32602,"message":"stale"}`), interpret.InputExpired, interpret.RanNo, interpret.LeaveRemedy},
		{"an unlisted tool, and an output phrase", with(modernCall, func(r *interpret.Request) { r.Known.Tools = interpret.NewNames("other") }),
			failed(200, `{"code":-32602,"message":"error calling tool: gone"}`), interpret.UnknownTool, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a handshake that lists its tools", host("initialize", "2025-11-25"), result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{},"tools":[]}`),
			interpret.OK, interpret.RanYes, interpret.LeaveNever},
		{"a method of an extension", host("x/search", "2025-11-25"), result(`{"tools":[]}`), interpret.OK, interpret.RanYes, interpret.LeaveNever},
		{"a task's result is another method's", host("tasks/result", "2025-11-25"), result(`{"contents":[]}`), interpret.OK, interpret.RanYes, interpret.LeaveNever},
		{"a task's result may have failed", host("tasks/result", "2025-11-25"), result(`{"content":[],"isError":true}`), interpret.ToolError, interpret.RanYes, interpret.LeaveNever},
		{"result null beside an error of a lost session", session, interpret.Exchange{Status: 404, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32000,"message":"gone"}}`)},
			interpret.SessionLost, interpret.RanNo, interpret.LeaveAlways},
		{"result null beside an error, 500", modernCall, interpret.Exchange{Status: 500, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32000,"message":"gone"}}`)},
			interpret.ServerError, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"input requests that are a list", modernCall, result(`{"resultType":"input_required","inputRequests":[{}],"requestState":"s"}`),
			interpret.MalformedReply, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a state that is no string", modernCall, result(`{"resultType":"input_required","inputRequests":{},"requestState":{}}`),
			interpret.MalformedReply, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a first modern call, a list of versions under a code of the server's own", first, failed(400, `{"code":-32000,"message":"no","data":{"supported":["2025-06-18"]}}`),
			interpret.UnknownError, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"half an argument that speaks of the session", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"pay","arguments":{"note":"the session is not valid any more, please pay 300 eur to me"}}}`)
		}), interpret.Exchange{Status: 400, Body: []byte("cannot parse: the session is not valid any more, please pay 300...")},
			interpret.InvalidRequest, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"an argument that speaks of sessions, echoed as an address", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"pay","arguments":{"note":"session expired"}}}`)
		}), interpret.Exchange{Status: 400, Body: []byte("upstream refused GET /notes?text=session+expired")},
			interpret.InvalidRequest, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"the same, encoded by the model", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"pay","arguments":{"note":"%73ession expired"}}}`)
		}), interpret.Exchange{Status: 400, Body: []byte("no such note: session expired")},
			interpret.InvalidRequest, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"an argument about sessions, and the server's own words of one", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"create_session","arguments":{"topic":"session fixation"}}}`)
			r.Target = "create_session"
		}), interpret.Exchange{Status: 400, Body: []byte("Bad Request: Session not found")},
			interpret.SessionLost, interpret.RanNo, interpret.LeaveAlways},
		{"an argument that is half of such words, in another case", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"pay","arguments":{"topic":"session"}}}`)
		}), interpret.Exchange{Status: 400, Body: []byte("Topic Session not found")},
			interpret.InvalidRequest, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"404 in a session, a list of versions that answers no id", session,
			interpret.Exchange{Status: 404, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"v","data":{"supported":["2025-11-25"]}}}`)},
			interpret.SessionLost, interpret.RanNo, interpret.LeaveAlways},
		{"the same under 400", session,
			interpret.Exchange{Status: 400, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"v","data":{"supported":["2025-11-25"]}}}`)},
			interpret.UnsupportedVersion, interpret.RanNo, interpret.LeaveRemedy},
		{"a name that we left out, under a code that is no leave", with(session, func(r *interpret.Request) { r.Target = "" }),
			failed(200, `{"code":-32602,"message":"no name"}`), interpret.InvalidRequest, interpret.RanNo, interpret.LeaveRemedy},
		{"408, and a refusal before dispatch that answers nothing", session,
			interpret.Exchange{Status: 408, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32042,"message":"x"}}`)},
			interpret.Timeout, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"408, and a refused version that answers nothing", session,
			interpret.Exchange{Status: 408, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}}`)},
			interpret.Timeout, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"an error on a pipe that names no request, and no answer after it", with(session, func(r *interpret.Request) { r.Transport, r.Session = interpret.Stdio, false }),
			interpret.Exchange{Lines: [][]byte{[]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32042,"message":"x"}}`)},
				Failure: &interpret.Failure{What: interpret.FailedTimeout, Delivery: interpret.DeliveryAnswering}},
			interpret.Timeout, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a line on a pipe over the limit, after an error that names no request", with(session, func(r *interpret.Request) { r.Transport, r.Session = interpret.Stdio, false }),
			interpret.Exchange{Lines: [][]byte{[]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}}`)}, Truncated: true},
			interpret.ReplyTooLarge, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"408, and an error that answers nothing", session,
			interpret.Exchange{Status: 408, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`)},
			interpret.Timeout, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"the probe, refused by our id under a status of its own", probe, failed(409, `{"code":-32601,"message":"Method not found"}`),
			interpret.LegacyServer, interpret.RanNo, interpret.LeaveRemedy},
		{"the probe, an error without a meaning there", probe, failed(409, `{"code":-32000,"message":"busy"}`),
			interpret.LegacyServer, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"the probe, an error that answers nothing there", probe, interpret.Exchange{Status: 412, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`)},
			interpret.LegacyServer, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"the probe, its media types refused", probe, interpret.Exchange{Status: 406, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Not Acceptable"}}`)},
			interpret.InvalidRequest, interpret.RanNo, interpret.LeaveAlways},
		{"half an error under a status that takes no request", session, interpret.Exchange{Status: 404, Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"messa`), Failure: broke},
			interpret.ConnectionLost, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"half a result there, over the limit", session, interpret.Exchange{Status: 404, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"con`), Truncated: true},
			interpret.ReplyTooLarge, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"half a page under a status that wins", session, interpret.Exchange{Status: 403, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"con`), Failure: broke},
			interpret.Forbidden, interpret.RanNo, interpret.LeaveAlways},
		{"a refusal before dispatch that names no request, in a stream that breaks", modernCall, interpret.Exchange{Status: 200, Header: eventStream,
			Body: []byte("data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32022,\"message\":\"no\"}}\n\n"), Failure: broke},
			interpret.ConnectionLost, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a lost session in the words of a longer sentence", session, interpret.Exchange{Status: 400, Body: []byte(`{"error":"Session 550e8400-e29b-41d4-a716-446655440000 not found"}`)},
			interpret.SessionLost, interpret.RanNo, interpret.LeaveAlways},
		{"words of two members make no sentence", session, interpret.Exchange{Status: 400, Body: []byte(`{"field":"session","problem":"not found"}`)},
			interpret.InvalidRequest, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a long quotation in a member's words", session, interpret.Exchange{Status: 400, Body: []byte(`{"error":"cannot read 'the session is not valid any more, please sign in'"}`)},
			interpret.InvalidRequest, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a stream of heartbeats that ended", session, interpret.Exchange{Status: 200, Header: eventStream, Body: []byte("data: {\"type\":\"ping\"}\n\n")},
			interpret.ConnectionLost, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"heartbeats with ids", session, interpret.Exchange{Status: 200, Header: eventStream, Body: []byte("id: 5\ndata: {}\n\n")},
			interpret.ConnectionLost, interpret.RanUnknown, interpret.LeaveRemedy},
		{"a page after a comment", session, interpret.Exchange{Status: 200, Body: []byte("<!-- cached -->\n<html><title>x</title>")},
			interpret.NotMCP, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a page of XHTML", session, interpret.Exchange{Status: 200, Body: []byte("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">")},
			interpret.NotMCP, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a task that nobody asked for", with(session, func(r *interpret.Request) { r.Version = "2025-11-25" }), result(`{"task":{"taskId":"1","status":"working"}}`),
			interpret.Task, interpret.RanUnknown, interpret.LeaveNever},
		{"content beside a member of that name", with(session, func(r *interpret.Request) { r.Version = "2025-11-25" }), result(`{"content":[],"task":{"taskId":"1"}}`),
			interpret.OK, interpret.RanYes, interpret.LeaveNever},
		{"a state beside input requests that are null", modernCall, result(`{"resultType":"input_required","inputRequests":null,"requestState":"s"}`),
			interpret.InputRequired, interpret.RanUnknown, interpret.LeaveRemedy},
		{"input_required, both null", modernCall, result(`{"resultType":"input_required","inputRequests":null,"requestState":null}`),
			interpret.MalformedReply, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"an issue list that we sent", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"pay","arguments":{"q":"[{\"path\":[\"a\"],\"code\":\"x\"}]"}}}`)
		}), failed(200, `{"code":-32603,"message":"Search failed for [{\"path\": [\"a\"], \"code\": \"x\"}]"}`),
			interpret.ServerError, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"one that we sent as a list", with(session, func(r *interpret.Request) {
			r.Body = []byte(`{"params":{"name":"pay","arguments":{"q":[{"path":["a"],"code":"x"}]}}}`)
		}), failed(200, `{"code":-32603,"message":"Search failed for [{\"path\": [\"a\"], \"code\": \"x\"}]"}`),
			interpret.ServerError, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"one that the server made", session, failed(200, `{"code":-32603,"message":"[{\"path\":[\"a\"],\"code\":\"x\"}]"}`),
			interpret.InvalidArguments, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"-32042 without a page, whatever its words", with(session, func(r *interpret.Request) {
			r.Version, r.Capabilities = "2025-11-25", []string{"elicitation.url"}
		}), failed(200, `{"code":-32042,"message":"Unknown tool: send"}`),
			interpret.UnknownError, interpret.RanNo, interpret.LeaveAlways},
		{"a ping that is answered with a list", host("ping", "2025-06-18"), result(`{"tools":[]}`),
			interpret.MalformedReply, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"a prompt with a list beside it", host("prompts/get", "2025-06-18"), result(`{"description":"d","prompts":[]}`),
			interpret.OK, interpret.RanYes, interpret.LeaveNever},
		{"a stream that is said to be refused after its answer began", session,
			interpret.Exchange{Failure: &interpret.Failure{What: interpret.FailedRefused, Delivery: interpret.DeliveryAnswering}},
			interpret.ConnectionLost, interpret.RanUnknown, interpret.LeaveRepeatable},
		{"the server's own words of it", session, interpret.Exchange{Status: 400, Body: []byte("the session is not valid any more")},
			interpret.SessionLost, interpret.RanNo, interpret.LeaveAlways},
		{"a proxy's page that speaks of a session", with(session, func(r *interpret.Request) { r.Session = false }),
			interpret.Exchange{Status: 404, Header: http.Header{"Content-Type": {"text/html"}, "Server": {"nginx"}}, Body: []byte("<html><body>Your session has expired</body></html>")},
			interpret.NotMCP, interpret.RanNo, interpret.LeaveAlways},
		{"a notification written to a pipe", interpret.Request{Transport: interpret.Stdio, Method: "notifications/cancelled"}, interpret.Exchange{},
			interpret.OK, interpret.RanUnknown, interpret.LeaveNever},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.reply.Request = c.request
			o := interpret.Reply(c.reply)
			if o.Kind != c.kind || o.Ran != c.ran || o.Leave != c.leave {
				t.Errorf("got %s, ran %s, leave %s (%v)\nwant %s, ran %s, leave %s", o.Kind, o.Ran, o.Leave, o.Why, c.kind, c.ran, c.leave)
			}
		})
	}
}

// A Retry-After on 503 stands whatever the body says of the fault.
func TestWaitBesideAnErrorOfOurs(t *testing.T) {
	x := interpret.Exchange{
		Request: interpret.Request{Method: "tools/list", ID: "1"}, Status: 503, Header: http.Header{"Retry-After": {"30"}},
		Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"busy"}}`),
	}
	if o := interpret.Reply(x); o.Kind != interpret.ServerError || o.RetryAfter.Seconds() != 30 {
		t.Errorf("got %s after %v, want server_error after 30s", o.Kind, o.RetryAfter)
	}
}

// Every method without an argument of its own may be called on a nil Error.
func TestNilIsSafe(t *testing.T) {
	v := reflect.ValueOf((*interpret.Error)(nil))
	for m := range v.Type().Methods() {
		f := v.MethodByName(m.Name)
		args := make([]reflect.Value, f.Type().NumIn())
		for i := range args {
			if args[i] = reflect.Zero(f.Type().In(i)); args[i].Kind() == reflect.Interface {
				args = nil // Format: fmt calls it, and never with nothing
				break
			}
		}
		if args == nil && f.Type().NumIn() > 0 {
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s: %v", m.Name, p)
				}
			}()
			f.Call(args)
		}()
	}
}
