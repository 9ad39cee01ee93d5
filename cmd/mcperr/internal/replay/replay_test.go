package replay

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

func post(t *testing.T, url, body string) (*http.Response, []byte, error) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res, b, err
}

// TestRepliesGoOutAsRecorded replays the HTTP replies of the corpus under the id that they were recorded with: not a byte may change.
func TestRepliesGoOutAsRecorded(t *testing.T) {
	var now *Server
	http1 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.ServeHTTP(w, r) }))
	defer http1.Close()
	n := 0
	for c, err := range fixtures.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Exchange()
		if err != nil {
			t.Fatal(err)
		}
		if x.Status < 200 || x.Request.ID == "" || x.Failure != nil || x.Truncated || x.Status/100 == 3 {
			continue
		}
		if n++; n%10 != 0 {
			continue // every tenth is enough
		}
		now = New(Script{"tools/call": {x}})
		res, body, err := post(t, http1.URL, `{"jsonrpc":"2.0","id":`+x.Request.ID+`,"method":"tools/call"}`)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if res.StatusCode != x.Status || !bytes.Equal(body, x.Body) || res.Header.Get("Content-Type") != x.Header.Get("Content-Type") && x.Header.Get("Content-Type") != "" {
			t.Errorf("%s: %d %q %q, want %d %q", c.ID, res.StatusCode, res.Header.Get("Content-Type"), body, x.Status, x.Body)
		}
	}
	if n < 1000 {
		t.Errorf("only %d replies", n)
	}
}

func TestAnswersTakeTheIDOfTheRequest(t *testing.T) {
	for _, c := range []struct{ kind, body, old, want string }{
		{"application/json", `{"jsonrpc":"2.0","id": 7 ,"result":{"id":7}}`, "7", `{"jsonrpc":"2.0","id": "new" ,"result":{"id":7}}`},
		{"application/json", `{"id":8,"result":{}}`, "7", `{"id":8,"result":{}}`},
		{"application/json", `{"id":null,"error":{}}`, "7", `{"id":null,"error":{}}`},
		{"application/json", `{"id":7,"method":"ping"}`, "7", `{"id":7,"method":"ping"}`},
		{"application/json", `{"id":7,`, "7", `{"id":7,`},
		{"text/html", `<p>7</p>`, "7", `<p>7</p>`},
		{"text/event-stream", "id: 7\ndata: {\"id\":7,\"result\":{}}\n\n", "7", "id: 7\ndata: {\"id\":\"new\",\"result\":{}}\n\n"},
	} {
		if got := string(replaceID(c.kind, []byte(c.body), []byte(c.old), []byte(`"new"`))); got != c.want {
			t.Errorf("%s: %s", c.body, got)
		}
	}
}

func TestScriptRunsInOrder(t *testing.T) {
	reply := func(status int) interpret.Exchange { return interpret.Exchange{Status: status} }
	s := New(Script{"a": {reply(429), reply(503), reply(200)}})
	server := httptest.NewServer(s)
	defer server.Close()
	for i, want := range []int{429, 503, 200, 200} {
		if res, _, err := post(t, server.URL, `{"jsonrpc":"2.0","id":1,"method":"a"}`); err != nil || res.StatusCode != want {
			t.Errorf("reply %d: %v %v, want %d", i, res, err, want)
		}
	}
	if n := s.Given("a"); n != 4 {
		t.Errorf("given %d times", n)
	}
	if res, body, err := post(t, server.URL, `{"jsonrpc":"2.0","id":9,"method":"b"}`); err != nil || res.StatusCode != 200 || !strings.Contains(string(body), `"id":9,"error":{"code":-32601`) {
		t.Errorf("a method without replies: %v %s %v", res, body, err)
	}
	if res, _, err := post(t, server.URL, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil || res.StatusCode != http.StatusAccepted {
		t.Errorf("a notification: %v %v", res, err)
	}
	if res, _, err := post(t, server.URL, `{`); err != nil || res.StatusCode != http.StatusBadRequest {
		t.Errorf("no request: %v %v", res, err)
	}
}

func TestConnectionBreaksWhereTheRecordingBroke(t *testing.T) {
	lost := &interpret.Failure{What: interpret.FailedEOF}
	server := httptest.NewServer(New(Script{
		"early": {{Failure: lost}},
		"late":  {{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(": working\n"), Failure: lost}},
	}))
	server.Config.ErrorLog = nil
	defer server.Close()
	if _, _, err := post(t, server.URL, `{"id":1,"method":"early"}`); err == nil {
		t.Error("a reply came, although none was recorded")
	}
	if res, body, err := post(t, server.URL, `{"id":1,"method":"late"}`); err == nil || res == nil || string(body) != ": working\n" {
		t.Errorf("%v %q %v", res, body, err)
	}
}
