package input

import (
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// FuzzRead takes any bytes: they are refused with an error that says something, or hold replies that can be interpreted.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"x\"}}\n\n",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/2 401 \r\nWWW-Authenticate: Bearer\r\nContent-Length: 3\r\n\r\nno\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"starting\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n",
		`[{"id":"a/b","request":{"transport":"stdio","method":"ping","version":"","id":1},"reply":{"lines":[]}}]`,
		`{"log":{"entries":[{"request":{"method":"POST","postData":{"text":"{\"jsonrpc\":\"2.0\"}"}},"response":{"status":0,"_error":"net::ERR_CONNECTION_RESET"}}]}}`,
	} {
		f.Add([]byte(seed), "")
	}
	for _, form := range Forms() {
		f.Add([]byte("x"), string(form))
	}
	f.Fuzz(func(t *testing.T, b []byte, form string) {
		if form != "" && described[Form(form)] == "" {
			return // the command line refuses it
		}
		replies, err := Read(b, Options{Name: "f", Form: Form(form)})
		if (err == nil) == (len(replies) == 0) || err != nil && len(err.Error()) < 10 {
			t.Fatalf("%d replies, error %v", len(replies), err)
		}
		var h History
		for i := range replies {
			r := &replies[i]
			if r.ID == "" || r.Form == "" {
				t.Fatalf("reply %d has id %q, form %q", i, r.ID, r.Form)
			}
			h.Fill(r)
			o := interpret.Reply(r.Exchange)
			h.Learn(r, &o)
		}
	})
}
