package stdio

import (
	"io"
	"strings"
	"testing"
)

func TestTheHeadOfALine(t *testing.T) {
	long := strings.Repeat("x", 2*headBytes)
	for line, want := range map[string]struct {
		id   string
		asks bool
	}{
		`{"jsonrpc":"2.0","id":7,"result":{"a":"` + long:                       {"7", false},
		`{"id":7,"error":{"message":"` + long:                                  {"7", false},
		`{"jsonrpc":"2.0","result":{"method":"m","id":7,"a":"` + long:          {"", false},
		`{"result":{"method":"m"},"id":"a b","more":"` + long:                  {`"a b"`, false},
		`{"method":"notifications/message","params":{"data":"` + long:          {"", true},
		`{"id":7,"method":"sampling/createMessage","params":{"a":"` + long:     {"7", true},
		`{"method":"roots/list","jsonrpc":"2.0","id":7,"params":{"a":"` + long: {"7", true},
		`{"params":{"a":"b"},"method":"m","_":"` + long:                        {"", true},
		`{"id":7,"params":{"a":"` + long:                                       {"7", true}, // an answer has none
		`{"id":7,"params":{},"result":{"a":"` + long:                           {"7", false},
		`{"id":7,"m\u0065thod":"m","params":{"a":"` + long:                     {"7", true},
		`{"id":7,"Method":"m","result":{"a":"` + long:                          {"7", false},
		`{"id":7,"method":"` + long:                                            {"7", true},
		`{"id":7,"id":8,"result":"` + long:                                     {"7", false},
		`{"_":"` + long:                                                        {"", false},
		`["method","id",7,"` + long:                                            {"", false},
		long:                                                                   {"", false},
		"":                                                                     {"", false},
	} {
		h := &Head{Below: strings.NewReader("{\"id\":1,\"method\":\"before\"}\n" + line)}
		io.Copy(io.Discard, h)
		if id, asks := h.About(); id != want.id || asks != want.asks {
			t.Errorf("%.60s: id %s, asks %v", line, id, asks)
		}
	}
}
