package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// switches answers what is asked for with 101, and keeps the connection open for as long as the test lasts.
func switches(t *testing.T, what string) *script {
	t.Helper()
	return newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != what && q.verb != what {
			return false
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		t.Cleanup(func() { conn.Close() })
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		return true
	})
}

func TestSwitchedProtocolHoldsNothingUp(t *testing.T) {
	for _, what := range []string{"initialize", "notifications/initialized", "tools/call", http.MethodGet, http.MethodDelete} {
		t.Run(what, func(t *testing.T) {
			s := switches(t, what)
			c, err := New(HTTP{URL: s.URL + "/mcp", Client: s.Client(), Listen: true}, Options{Policy: quickly()})
			if err != nil {
				t.Fatal(err)
			}
			returns(t, func() {
				a := c.CallTool(context.Background(), "act", nil)
				if called := what == "tools/call"; called && a.Outcome.Status != http.StatusSwitchingProtocols || !called && what != "initialize" && a.Err() != nil {
					t.Errorf("status %d, %v", a.Outcome.Status, a.Err())
				}
			})
			returns(t, func() { c.Close() })
		})
	}
}

func TestSwitchedProtocolHoldsNoTapUp(t *testing.T) {
	s := switches(t, "tools/call")
	hc := &http.Client{Transport: &Tap{Base: s.Client().Transport}}
	returns(t, func() {
		_, err := hc.Post(s.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act"}}`))
		if k := interpret.KindOf(err); k == "" {
			t.Errorf("%v", err)
		}
	})
}
