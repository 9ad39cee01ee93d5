package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

func TestSendTellsHowFarTheRequestGot(t *testing.T) {
	const pay = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{}}}`
	for name, c := range map[string]struct {
		url    string
		answer http.HandlerFunc
		kind   interpret.Kind
		ran    interpret.Ran
	}{
		"nobody listens": {url: "http://127.0.0.1:1", kind: interpret.Unavailable, ran: interpret.RanNo},
		"it hangs up": {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			kind: interpret.ConnectionLost, ran: interpret.RanUnknown},
		"it is busy": {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
			kind: interpret.RateLimited, ran: interpret.RanNo},
		"it answers": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
		}, kind: interpret.OK, ran: interpret.RanYes},
	} {
		t.Run(name, func(t *testing.T) {
			url := c.url
			var requests atomic.Int32
			if c.answer != nil {
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { requests.Add(1); c.answer(w, r) }))
				defer s.Close()
				url = s.URL
			}
			req, err := interpret.ParseRequest([]byte(pay), http.Header{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(pay))
			if err != nil {
				t.Fatal(err)
			}
			o := interpret.Reply(client.Send(nil, r, req))
			if o.Kind != c.kind || o.Ran != c.ran {
				t.Errorf("%s, ran %s; want %s, ran %s", o.Kind, o.Ran, c.kind, c.ran)
			}
			if c.answer != nil && requests.Load() != 1 {
				t.Errorf("%d requests", requests.Load())
			}
		})
	}
}

// Without a word from the host the bytes say what they are; they are sent all the same, after a redirect too.
func TestSendReadsTheRequestItself(t *testing.T) {
	const pay = `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"pay","arguments":{}}}`
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusTemporaryRedirect)
			return
		}
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+string(body))
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"Unknown tool: pay"}}`)
	}))
	defer s.Close()
	for _, body := range []io.Reader{strings.NewReader(pay), struct{ io.Reader }{strings.NewReader(pay)}} { // of the second net/http knows no length
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/old", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
		x := client.Send(nil, r, interpret.Request{})
		if q := x.Request; q.Method != "tools/call" || q.Target != "pay" || q.ID != `"a"` || q.Version != "2025-11-25" || q.Transport != interpret.HTTP || string(q.Body) != pay {
			t.Errorf("%+v", q)
		}
		if o := interpret.Reply(x); o.Kind != interpret.UnknownTool || !o.Answered {
			t.Errorf("%v", o.Kind)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q := client.Send(nil, r, interpret.Request{}).Request; q.HTTPMethod != http.MethodGet || q.Method != "" {
		t.Errorf("%+v", q)
	}
	if want := []string{"POST " + pay, "POST " + pay, "GET "}; !slices.Equal(got, want) {
		t.Errorf("the server got %q", got)
	}
}

func TestSendOfABodyThatCannotBeRead(t *testing.T) {
	boom := errors.New("boom")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1", iotest.ErrReader(boom))
	if err != nil {
		t.Fatal(err)
	}
	x := client.Send(nil, r, interpret.Request{})
	if o := interpret.Reply(x); o.Ran != interpret.RanNo || x.Failure == nil || !errors.Is(x.Failure.Err, boom) {
		t.Errorf("%v, %+v", o.Ran, x.Failure)
	}
}
