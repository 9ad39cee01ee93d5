package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Handlers that wait for a user hold up nothing that needs no user: the server's pings, what nobody handles, and the word that it is too much.
func TestBusyHandlersHoldUpNoOtherAnswer(t *testing.T) {
	answered, busy, free := make(chan seen, 1), make(chan struct{}, answersAtOnce), make(chan struct{})
	s := newScript(t, false, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.Method == "tools/call":
			ask := func(id, method string) {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%q,\"method\":%q}\n\n", id, method)
				w.(http.Flusher).Flush()
			}
			next := func() (q seen) {
				select {
				case q = <-answered:
				case <-r.Context().Done():
					t.Error("no answer")
				}
				return q
			}
			stream(w)
			for i := range answersAtOnce {
				ask(fmt.Sprintf("user-%d", i), "elicitation/create")
				<-busy
			}
			for range 2 * refusalsAtOnce { // one at a time they have no bound
				ask("a", "ping")
				if q := next(); string(q.ID) != `"a"` || q.Error != nil {
					t.Errorf("ping: %s, %s", q.ID, q.Error)
				}
			}
			ask("b", "roots/list")
			if q := next(); string(q.ID) != `"b"` || !strings.Contains(string(q.Error), "-32601") {
				t.Errorf("a method without a handler: %s, %s", q.ID, q.Error)
			}
			ask("c", "elicitation/create")
			if q := next(); string(q.ID) != `"c"` || !strings.Contains(string(q.Error), "-32603") {
				t.Errorf("one too many: %s, %s", q.ID, q.Error)
			}
			close(free)
			for range answersAtOnce {
				if q := next(); !strings.HasPrefix(string(q.ID), `"user-`) || q.Error != nil {
					t.Errorf("by the user: %s, %s", q.ID, q.Error)
				}
			}
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", q.ID)
			return true
		case q.Method == "" && q.verb == http.MethodPost:
			w.WriteHeader(http.StatusAccepted)
			answered <- q
			return true
		}
		return false
	}
	c := s.dial(t, Options{
		Capabilities: map[string]any{"elicitation": map[string]any{}},
		Handlers: map[string]Handler{"elicitation/create": func(ctx context.Context, _ json.RawMessage) (any, error) {
			busy <- struct{}{}
			select {
			case <-free:
			case <-ctx.Done():
			}
			return map[string]any{"action": "decline"}, nil
		}},
	})
	proceeds(t, c.CallTool(within(t), "act", nil))
}
