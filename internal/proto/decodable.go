package proto

import "encoding/json"

// Decodable reports whether an SDK can take a JSON text for a message: of JSON-RPC 2.0, with an id that is a string, a number or (of what has a
// method) null, an error whose code is an integer and whose message is a string, and a method or an id. SDKs end a session for what they cannot.
func Decodable(raw []byte) bool {
	var m map[string]json.RawMessage // a struct would take members whose names differ in case
	if json.Unmarshal(raw, &m) != nil || string(m["jsonrpc"]) != `"2.0"` {
		return false
	}
	var id any
	if m["id"] != nil && json.Unmarshal(m["id"], &id) != nil { // a number too large for one
		return false
	}
	switch id.(type) {
	case string, float64:
	case nil:
		if m["method"] == nil {
			return false
		}
	default:
		return false
	}
	var method string
	if m["method"] != nil && json.Unmarshal(m["method"], &method) != nil {
		return false
	}
	var e *struct {
		Code    int64
		Message string
	}
	return m["error"] == nil || json.Unmarshal(m["error"], &e) == nil
}
