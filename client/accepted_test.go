package client

import (
	"context"
	"fmt"
	"net/http"
	"testing"
)

// A server may answer what expects no answer with an event stream, and leave it open.
func TestOpenStreamToANotificationHoldsNothingUp(t *testing.T) {
	answered := make(chan struct{})
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.Method == "tools/call":
			stream(w, `{"jsonrpc":"2.0","id":"p","method":"ping"}`)
			<-answered
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", q.ID, doneResult)
			return true
		case q.Method == "" && q.verb == http.MethodPost:
			defer close(answered) // when the stream to our answer was left
		case q.Method != "notifications/initialized":
			return false
		}
		stream(w)
		<-r.Context().Done()
		return true
	})
	c := s.dial(t, Options{})
	returns(t, func() {
		proceeds(t, c.Connect(context.Background()))
		proceeds(t, c.CallTool(context.Background(), "act", nil))
	})
}
