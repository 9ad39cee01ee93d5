package client_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
)

// noCity is what the tool of these servers answers: it ran, and knows no city.
const noCity = `"result":{"resultType":"complete","content":[{"type":"text","text":"city: no such place"}],"isError":true}`

// serving starts a server of 2026-07-28 with one tool, whose calls it answers with these, one after the other and the last for ever.
func serving(answers ...string) *httptest.Server { return httptest.NewServer(tool(answers...)) }

// tool is the handler of such a server.
func tool(answers ...string) http.HandlerFunc {
	var calls atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		json.Unmarshal(body, &q)
		answer := `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		if q.Method == "tools/call" {
			answer = answers[min(int(calls.Add(1)), len(answers))-1]
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(answer, `"code":-32021`) {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, answer)
	}
}
