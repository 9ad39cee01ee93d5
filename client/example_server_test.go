package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// weather is a server of 2026-07-28 with one tool that knows no city.
func weather(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ID     json.RawMessage
		Method string
	}
	json.NewDecoder(r.Body).Decode(&q)
	result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	if q.Method == "tools/call" {
		result = `{"resultType":"complete","content":[{"type":"text","text":"city: no such place"}],"isError":true}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}
