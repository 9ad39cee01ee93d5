package client_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

func TestTapNeverDelaysAnEvent(t *testing.T) {
	read := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		w.(http.Flusher).Flush()
		<-read // the server goes on only when the first event has arrived
		io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]}}\n\n")
	})
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(tapCall))
	r.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: new(client.Tap)}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "progress") {
	}
	close(read)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"id":7`) {
			return
		}
	}
	t.Error("the answer did not come")
}

func TestTapSortsTheEventsOfAStream(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "id: 1\ndata:\n\ndata: junk\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{\"content\":[]}}\n\n"+
			"data: {\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}\n\n"+
			"data: {\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"error\":7}\n\n"+
			"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\n"+"data: \"params\":{}}\n\n: comment\n\n"+
			"data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]}}\n\ndata: late\n\n")
	})
	_, body, x, err := tapped(t, new(client.Tap), url, tapCall, "MCP-Protocol-Version", "2025-11-25")
	want := "id: 1\n\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\ndata: \"params\":{}}\n\n" +
		"id: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]}}\n\n"
	if err != nil || body != want {
		t.Errorf("handed on %q, %v", body, err)
	}
	if o := interpret.Reply(x); o.Kind != interpret.OK {
		t.Errorf("recorded as %s", o.Kind)
	}
}

// resuming sends a call through a tap, and takes its stream up again as often as it breaks, as an SDK would. It returns what the SDK reads last.
func resuming(t *testing.T, url string) (body string, gets int, x interpret.Exchange) {
	t.Helper()
	ctx, rec := client.Record(t.Context())
	hc := &http.Client{Transport: new(client.Tap)}
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(tapCall))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	for {
		resp, err := hc.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		read, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		body = string(read)
		id, _, ok := strings.Cut(strings.TrimPrefix(body, "id: "), "\n")
		if !strings.HasPrefix(body, "id: ") || !ok || gets == 100 {
			x, _ = rec.Exchange(ctx, nil)
			return body, gets, x
		}
		gets++
		r, _ = http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Last-Event-ID", id)
	}
}

func TestTapEndsARequestWhoseStreamIsNotTakenUpAgain(t *testing.T) {
	for name, c := range map[string]struct {
		get  http.HandlerFunc
		gets int
	}{
		"refused": {http.NotFound, 1},
		"cut off": {func(w http.ResponseWriter, r *http.Request) {
			c, _, _ := http.NewResponseController(w).Hijack()
			c.Close()
		}, 1},
		"broken again and again": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: %s+\ndata:\n\n", r.Header.Get("Last-Event-ID"))
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					c.get(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, "id: e1\ndata:\n\n")
			})
			body, gets, x := resuming(t, url)
			if !strings.Contains(body, `"id":7,"error":{"code":-32000`) || gets != c.gets {
				t.Errorf("after %d tries the SDK is told %q", gets, body)
			}
			if o := interpret.Reply(x); o.Kind != interpret.ConnectionLost || o.Ran != interpret.RanUnknown {
				t.Errorf("%s, ran %s", o.Kind, o.Ran)
			}
		})
	}
}

func TestTapTakesTheRestOfAStream(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodGet {
			io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]}}\n\n")
			return
		}
		io.WriteString(w, "id: e1\ndata:\n\n")
	})
	body, _, x := resuming(t, url)
	if o := interpret.Reply(x); o.Kind != interpret.OK || !strings.Contains(body, `"result"`) {
		t.Errorf("%s: %q", o.Kind, body)
	}
}

func TestTapKeepsAnAnswerBackThatTwoCouldReadApart(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"isError\":true,\"isError\":false,\"content\":[]}}\n\n")
	})
	_, body, x, _ := tapped(t, new(client.Tap), url, tapCall)
	if o := interpret.Reply(x); o.Kind != interpret.MalformedReply || body != "" {
		t.Errorf("%s: %q", o.Kind, body)
	}
}

func TestTapMakesAListeningStreamSilentWhereItWouldEnd(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusBadGateway) },
		"ended": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: junk\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			r, _ := http.NewRequestWithContext(ctx, http.MethodGet, serve(t, h), nil)
			r.Header.Set("Mcp-Session-Id", "s")
			r.Header.Set("Accept", "text/event-stream")
			resp, err := (&http.Client{Transport: new(client.Tap)}).Do(r)
			if err != nil || resp.StatusCode != 200 {
				t.Fatal(resp, err)
			}
			defer resp.Body.Close()
			if name == "ended" {
				line, _ := bufio.NewReader(resp.Body).ReadString('\n')
				if !strings.Contains(line, "notifications/message") {
					t.Errorf("first line %q", line)
				}
			}
			ended := make(chan error)
			go func() { _, err := io.ReadAll(resp.Body); ended <- err }()
			select {
			case err := <-ended:
				t.Fatalf("the stream ended: %v", err)
			default:
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

func TestTapNeitherKeepsNorCutsASubscription(t *testing.T) {
	event := "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n"
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, strings.Repeat(event, 100)+"data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n")
	})
	_, body, x, err := tapped(t, &client.Tap{MaxBody: 1000}, url, strings.Replace(tapCall, "tools/call", "subscriptions/listen", 1))
	if err != nil || strings.Count(body, "data:") != 101 || len(x.Body) != 0 {
		t.Errorf("%d events, %d bytes kept, %v", strings.Count(body, "data:"), len(x.Body), err)
	}
}

// A host's client may send more through a tap than this protocol: another event stream is none of its business until it says so.
func TestTapLeavesOtherEventStreamsAlone(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.Error(w, "no such page", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	})
	tap := new(client.Tap)
	get := func(path string, header ...string) int {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := (&http.Client{Transport: tap}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if got := get("/events"); got != http.StatusNotFound {
		t.Errorf("a stream of another protocol drew %d", got)
	}
	if got := get("/mcp", "Mcp-Session-Id", "s"); got != http.StatusOK {
		t.Errorf("the stream of a session drew %d", got)
	}
	if got := get("/mcp", "MCP-Protocol-Version", "2025-06-18"); got != http.StatusOK {
		t.Errorf("a stream of this protocol drew %d", got)
	}
	if _, _, _, err := tapped(t, tap, url+"/plain", tapCall); err != nil {
		t.Fatal(err)
	}
	if got := get("/plain"); got != http.StatusOK {
		t.Errorf("a stream of a server that was seen drew %d", got)
	}
	if got := get("/events"); got != http.StatusNotFound {
		t.Errorf("a stream of another protocol drew %d afterwards", got)
	}
}
