package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

func TestSendTellsHowFarTheRequestGot(t *testing.T) {
	const pay = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{}}}`
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		url    string
		answer http.HandlerFunc
		kind   interpret.Kind
		ran    interpret.Ran
	}{
		"nobody listens": {url: gone.URL, kind: interpret.Unavailable, ran: interpret.RanNo},
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
