package client_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

const tapCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{}}}`

// tapped sends one request through a tap, as an SDK would.
func tapped(t *testing.T, tap *client.Tap, url, body string, header ...string) (*http.Response, string, interpret.Exchange, error) {
	t.Helper()
	ctx, rec := client.Record(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Transport: tap}).Do(r)
	var text []byte
	if err == nil {
		text, _ = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	x, _ := rec.Exchange(ctx, err)
	return resp, string(text), x, err
}

func serve(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestTapHandsOnAnswersAndNothingElse(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`
	for _, c := range []struct {
		name, status, media, body string
		kind                      interpret.Kind // of the error; "": handed on
	}{
		{"a result", "200", "application/json", answer, ""},
		{"a result under the wrong type", "200", "text/plain", answer, ""},
		{"a result with a byte order mark", "200", "application/json", "\xef\xbb\xbf" + answer, ""},
		{"a result without jsonrpc", "200", "application/json", `{"id":7,"result":{"content":[]}}`, ""},
		{"an error whose code is no integer", "200", "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":"x","message":"no"}}`, ""},
		{"such in a stream", "400", "text/event-stream", "data: {\"id\":7,\"error\":{\"code\":-32602,\"message\":\"no\"}}\n\n", ""},
		{"an error under 404", "404", "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}`, ""},
		{"an error under 500", "500", "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no"}}`, ""},
		{"an answer in a stream under 400", "400", "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32602,\"message\":\"no\"}}\n\n", ""},
		{"an error under 429", "429", "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no"}}`, interpret.RateLimited},
		{"another id", "200", "application/json", `{"jsonrpc":"2.0","id":8,"result":{"content":[]}}`, interpret.MalformedReply},
		{"a member twice", "200", "application/json", `{"jsonrpc":"2.0","id":7,"result":{"isError":true,"isError":false,"content":[]}}`, interpret.MalformedReply},
		{"a page", "200", "text/html", "<html>", interpret.NotMCP},
		{"nothing", "202", "", "", interpret.MalformedReply},
		{"a refusal", "403", "text/plain", "no", interpret.Forbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				var status int
				fmt.Sscan(c.status, &status)
				w.Header().Set("Content-Type", c.media)
				w.Header().Set("Mcp-Session-Id", "another")
				w.WriteHeader(status)
				io.WriteString(w, c.body)
			})
			resp, body, x, err := tapped(t, new(client.Tap), url, tapCall)
			if got := fmt.Sprint(x.Status); got != c.status {
				t.Errorf("recorded status %s", got)
			}
			if c.kind != "" {
				if interpret.KindOf(err) != c.kind {
					t.Fatalf("got %q and the error %v, want %s", body, err, c.kind)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/json" || resp.Header.Get("Mcp-Session-Id") != "" {
				t.Errorf("handed on as %d %v", resp.StatusCode, resp.Header)
			}
			if !strings.HasPrefix(body, `{"jsonrpc"`) || !proto.Decodable([]byte(body)) {
				t.Errorf("body %q", body)
			}
		})
	}
}

// What an SDK answers to a server's request goes out in the context of the call that the server asks for, and is not that call.
func TestTapTakesAnAnswerForNoCall(t *testing.T) {
	for _, answer := range []string{`{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no"}}`} {
		for status, kind := range map[int]interpret.Kind{200: "", 202: "", 204: "", 429: interpret.RateLimited, 404: interpret.InvalidRequest} {
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
			resp, _, x, err := tapped(t, new(client.Tap), url, answer)
			if kind == "" && (err != nil || resp.StatusCode != status) || kind != "" && interpret.KindOf(err) != kind {
				t.Errorf("%s, answered with %d: %v", answer, status, err)
			}
			if x.Status != 0 || x.Request.ID != "" {
				t.Errorf("%s, answered with %d, is recorded as the call's: %+v", answer, status, x)
			}
		}
	}
}

func TestTapKeepsTheFactsOfARefusal(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.Header().Set("Set-Cookie", "secret=1")
		http.Error(w, "slow down", http.StatusTooManyRequests)
	})
	_, _, x, err := tapped(t, new(client.Tap), url, tapCall)
	var e *interpret.Error
	if !errors.As(err, &e) || e.Status != 429 || e.RetryAfter != 7*time.Second || e.Ran != interpret.RanNo {
		t.Fatalf("%+v", err)
	}
	if string(x.Body) != "slow down\n" || x.Header.Get("Set-Cookie") != "" {
		t.Errorf("recorded %q %v", x.Body, x.Header)
	}
}

func TestTapNamesNoCredential(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { // what poisons a session, and what is told of the request's own end
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"not %s"}}`, r.Header.Get("X-Api-Key"))
	})
	const key = "correct horse battery"
	_, _, _, err := tapped(t, new(client.Tap), url, tapCall, "X-Api-Key", key)
	if text := fmt.Sprintf("%+v", err); !strings.Contains(text, "not ") || strings.Contains(text, key) {
		t.Error(text)
	}
}

func TestTapSaysWhatIsKnownOfTheDelivery(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		c, _, _ := http.NewResponseController(w).Hijack()
		c.Close()
	})
	_, _, _, err := tapped(t, new(client.Tap), url, tapCall)
	var e *interpret.Error
	if !errors.As(err, &e) || e.Kind != interpret.ConnectionLost || e.Ran != interpret.RanUnknown {
		t.Errorf("%+v", err)
	}
	if e != nil && !errors.Is(err, io.EOF) {
		t.Errorf("the cause is lost: %v", e.Cause)
	}
	_, _, _, err = tapped(t, new(client.Tap), "http://127.0.0.1:1", tapCall)
	if !errors.As(err, &e) || e.Kind != interpret.Unavailable || e.Ran != interpret.RanNo {
		t.Errorf("%+v", err)
	}
}

func TestTapLetsHandshakesAndAuthorizationPass(t *testing.T) {
	var status atomic.Int32
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", int(status.Load())) })
	const initialize = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}`
	for _, c := range []struct {
		body   string
		status int
		oauth  bool
		passes bool
	}{
		{initialize, 405, false, true},
		{strings.Replace(initialize, "initialize", "server/discover", 1), 404, false, true},
		{tapCall, 401, true, true},
		{tapCall, 403, true, true},
		{tapCall, 401, false, false},
		{tapCall, 500, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, 400, false, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, 400, false, false},
		{`{"client_name":"no message of ours"}`, 400, false, true},
	} {
		status.Store(int32(c.status))
		resp, body, _, err := tapped(t, &client.Tap{OAuth: c.oauth}, url, c.body)
		if passes := err == nil; passes != c.passes {
			t.Errorf("%s with %d: %v", c.body, c.status, err)
		} else if passes && (resp.StatusCode != c.status || body != "no\n") {
			t.Errorf("%s: handed on %d %q", c.body, resp.StatusCode, body)
		}
	}
}

func TestTapKeepsAnSDKFromADowngrade(t *testing.T) {
	for status, sent := range map[int]int32{503: 1, 401: 1, 404: 2, 400: 2} {
		var n atomic.Int32
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) { n.Add(1); w.WriteHeader(status) })
		hc := &http.Client{Transport: new(client.Tap)}
		ctx, _ := client.Record(t.Context())
		for _, method := range []string{"server/discover", "initialize"} {
			r, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
			r.Header.Set("Content-Type", "application/json")
			if resp, err := hc.Do(r); err == nil {
				resp.Body.Close()
			}
		}
		if n.Load() != sent {
			t.Errorf("after %d to the probe: %d requests, want %d", status, n.Load(), sent)
		}
	}
}

func TestTapNeverResends(t *testing.T) {
	var n atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		if n.Add(1) == 1 {
			io.WriteString(w, `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
			return
		}
		c, _, _ := http.NewResponseController(w).Hijack()
		c.Close() // on a connection that was used before, where net/http likes to try again
	})
	tap := new(client.Tap)
	tapped(t, tap, url, tapCall, "Idempotency-Key", "k")
	if _, _, _, err := tapped(t, tap, url, tapCall, "Idempotency-Key", "k"); err == nil {
		t.Error("no error")
	}
	if n.Load() != 2 {
		t.Errorf("%d requests arrived for two", n.Load())
	}
}

func TestTapBoundsAReply(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Want"))
		if r.Header.Get("Want") == "text/event-stream" {
			io.WriteString(w, "data: ")
		}
		io.WriteString(w, `{"jsonrpc":"2.0","id":7,"result":{"content":[],"pad":"`+strings.Repeat("x", 5000)+`"}}`+"\n\n")
	})
	for _, media := range []string{"application/json", "text/event-stream"} {
		_, _, x, _ := tapped(t, &client.Tap{MaxBody: 1000}, url, tapCall, "Want", media)
		if o := interpret.Reply(x); o.Kind != interpret.ReplyTooLarge || len(x.Body) > 1001 {
			t.Errorf("%s: %s with %d bytes kept", media, o.Kind, len(x.Body))
		}
		if _, _, x, err := tapped(t, &client.Tap{MaxBody: math.MaxInt64}, url, tapCall, "Want", media); err != nil || interpret.Reply(x).Kind != interpret.OK {
			t.Errorf("%s without a bound: %s, %v", media, interpret.Reply(x).Kind, err)
		}
	}
}

func TestTapIsSafeForConcurrentCalls(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := strings.TrimPrefix(strings.SplitN(string(body), ",", 3)[1], `"id":`)
		if len(id)%2 == 0 {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", id)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"m"}}`, id, id)
	})
	tap := new(client.Tap)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			_, _, x, err := tapped(t, tap, url, strings.Replace(tapCall, ":7,", fmt.Sprintf(":%d,", i), 1))
			o := interpret.Reply(x)
			if err != nil || !o.Answered || o.HasCode && o.Code != int64(i) {
				t.Errorf("call %d: %v %+v", i, err, o)
			}
		})
	}
	wg.Wait()
}

func TestTapLearnsTheEraOfAServer(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modernCall := strings.Replace(tapCall, `"arguments":{}`, `"arguments":{},`+meta, 1)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), "discover") {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}`)
	})
	tap := new(client.Tap)
	_, _, _, before := tapped(t, tap, url, modernCall)
	if _, _, _, err := tapped(t, tap, url, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`); err != nil {
		t.Fatal(err)
	}
	_, _, _, after := tapped(t, tap, url, modernCall)
	if interpret.KindOf(before) != interpret.LegacyServer || interpret.KindOf(after) != interpret.NotMCP {
		t.Errorf("a 404 before: %v, and after a modern success: %v", before, after)
	}
}

// What is recorded is what a reader looks at: nothing else of a header is kept, least of all who the caller is.
func TestTapRecordsTheHeadersThatAreRead(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"Retry-After", "RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset", "Set-Cookie", "Mcp-Session-Id", "X-Request-Id"} {
			w.Header().Set(name, "1")
		}
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, _, x, _ := tapped(t, new(client.Tap), url, tapCall)
	for name, want := range map[string]bool{"Retry-After": true, "Ratelimit-Reset": true, "X-Ratelimit-Reset": true, "X-Rate-Limit-Reset": false, "Set-Cookie": false, "Mcp-Session-Id": false, "X-Request-Id": false} {
		if got := x.Header.Get(name) != ""; got != want {
			t.Errorf("%s: kept %v", name, got)
		}
	}
}

// A resend is decided on what a recorder holds: nobody but the tap writes into it.
func TestRecorderTakesNothingFromTheHost(t *testing.T) {
	if w, ok := any(new(client.Recorder)).(io.Writer); ok {
		t.Errorf("%T is a writer", w)
	}
}
