package proto

import "testing"

func TestDecodable(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"jsonrpc":"2.0","method":"ping"}`:                                         true,
		`{"jsonrpc":"2.0","id":null,"method":"notifications/x"}`:                    true,
		`{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}`:                    true,
		`{"jsonrpc":"2.0","id":-1.5e3,"result":7}`:                                  true,
		`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`:                         true,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":[]}}`: true,
		`{"jsonrpc":"2.0","id":1,"ID":[],"result":{}}`:                              true,

		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:              false,
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:             false,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:               false,
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`:            false,
		`{"jsonrpc":"2.0","method":7}`:                            false,
		`{"jsonrpc":"2.0","method":"ping","error":7}`:             false,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1}}`:          false,
		`{"jsonrpc":"2.0","error":{"code":1,"message":""}}`:       false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":"1"}}`:           false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1.5}}`:           false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":7}}`: false,
		`{"jsonrpc":"1.0","id":1,"result":{}}`:                    false,
		`{"jsonrpc":2.0,"id":1,"result":{}}`:                      false,
		`{"id":1,"result":{}}`:                                    false,
		`[]`:                                                      false,
		`{`:                                                       false,
	} {
		if got := Decodable([]byte(raw)); got != want {
			t.Errorf("%s: %t", raw, got)
		}
	}
}
