package wire

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// begun is a reply whose body begins with text and is then left open.
func begun(r *http.Request, status int, text string) *http.Response {
	resp := open(r, status, http.Header{"Content-Type": {"text/event-stream"}})
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(strings.NewReader(text), resp.Body), resp.Body}
	return resp
}

// What expects no answer has all that it waits for when the head of a stream is here; what does expect one waits for it.
func TestStreamToNoRequestIsNotWaitedFor(t *testing.T) {
	const refusal = "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}\n\n"
	const waits = time.Minute // as long as the caller does
	note := interpret.Request{Method: "notifications/initialized"}
	for name, c := range map[string]struct {
		req    interpret.Request
		status int
		says   string
		took   time.Duration
		kind   interpret.Kind // "" where the request's own rules do not matter
	}{
		"notification":         {note, 200, "", linger, interpret.OK},
		"with messages":        {note, 200, progress, linger, interpret.OK},
		"cut in a message":     {note, 202, progress + "data: {\"json", linger, interpret.OK},
		"with an error":        {note, 200, refusal, linger, interpret.InvalidRequest},
		"by its verb":          {interpret.Request{HTTPMethod: http.MethodPost, Method: "notifications/cancelled"}, 200, "", linger, interpret.OK},
		"answer of ours":       {interpret.Request{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":null}`)}, 200, progress, linger, ""},
		"error of ours":        {interpret.Request{Body: []byte(`{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":""}}`), ID: `"a"`}, 202, "", linger, ""},
		"refused notification": {note, 400, progress, waits, interpret.Timeout},
		"request":              {interpret.Request{Method: "ping", ID: "1"}, 200, progress, waits, interpret.Timeout},
		"batch":                {interpret.Request{Body: []byte("[" + ping + "]")}, 200, progress, waits, ""},
		"no JSON":              {interpret.Request{Body: []byte("{")}, 200, progress, waits, ""},
		"listening stream":     {interpret.Request{HTTPMethod: http.MethodGet}, 200, progress, waits, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			hc := &http.Client{Timeout: waits, Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return begun(r, c.status, c.says), nil })}
			began, told := time.Now(), 0
			x := Do(hc, post(t, "http://127.0.0.1/"), c.req, Options{Each: func(interpret.Message) { told++ }})
			took := time.Since(began)
			if took != c.took || (x.Failure != nil) != (c.took == waits) || x.Truncated || x.Status != c.status || string(x.Body) != c.says {
				t.Errorf("%s: after %v: status %d, body %q, failure %+v", name, took, x.Status, x.Body, x.Failure)
			}
			if o := interpret.Reply(x); c.kind != "" && o.Kind != c.kind {
				t.Errorf("%s: read as %s", name, o.Kind)
			}
			if strings.HasPrefix(c.says, progress) && told != 1 {
				t.Errorf("%s: told of %d messages", name, told)
			}
		})
	}
	x := Do(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		resp := begun(r, 200, "")
		resp.Header.Set("Content-Type", "application/json")
		resp.Body = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`))
		return resp, nil
	})}, post(t, "http://127.0.0.1/"), note, Options{})
	if o := interpret.Reply(x); o.Kind != interpret.InvalidRequest || x.Failure != nil {
		t.Errorf("an error as JSON: read as %s, failure %+v", o.Kind, x.Failure)
	}
}
