package peers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// reply is what the server answers to a tools/call. $ID stands for the request's id.
type reply struct {
	Name    string            `json:"name"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Drop    string            `json:"drop"`
	HangMs  int               `json:"hangMs"`
}

func replies(t *testing.T) []reply {
	t.Helper()
	raw, err := os.ReadFile("testdata/replies.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []reply
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 25 {
		t.Fatalf("%d replies", len(list))
	}
	return list
}

// facts are what a reply says on the wire, as far as it says it.
type facts struct {
	code   *int64
	data   string
	status int
	wait   time.Duration
}

func (r *reply) facts() facts {
	var m struct {
		Error *struct {
			Code int64           `json:"code"`
			Data json.RawMessage `json:"data"`
		} `json:"error"`
	}
	var f facts
	if json.Unmarshal([]byte(strings.ReplaceAll(r.Body, "$ID", "1")), &m) == nil && m.Error != nil && strings.Contains(r.Body, `"jsonrpc"`) {
		f.code = &m.Error.Code
		if d := string(m.Error.Data); d != "null" {
			f.data = d
		}
	}
	f.status = r.Status
	if r.Status == 200 {
		f.status = 0 // nothing that anybody would miss
	}
	switch {
	case r.Headers["Retry-After"] != "":
		f.wait = 7 * time.Second
	case strings.Contains(r.Body, "retryAfterMs"):
		f.wait = 5 * time.Second
	}
	return f
}

// runs reports whether the server of the test runs the tool before it replies so. It does unless the reply says that it did not.
func (r *reply) runs() bool {
	switch r.Status {
	case 401, 403, 404, 429:
		return false
	}
	f := r.facts()
	return f.code == nil || *f.code != -32602 && *f.code != -32020 && *f.code != -32022
}

// wanted are the kinds that the taxonomy gives the replies, in their order; the second is that of the handshake era where it is another.
var wanted = map[string][]interpret.Kind{
	"200 rpc -32602 +data":                    {interpret.UnknownTool},
	"200 rpc 4711 app code +data":             {interpret.RateLimited},
	"400 rpc -32602 +data":                    {interpret.InvalidArguments},
	"400 rpc -32021 +requiredCapabilities":    {interpret.MissingCapability},
	"400 rpc -32022 +supported":               {interpret.UnsupportedVersion},
	"400 rpc -32020":                          {interpret.HeaderMismatch},
	"404 rpc -32601":                          {interpret.InvalidRequest}, // the tool is on the list
	"404 plain":                               {interpret.NotMCP, interpret.SessionLost},
	"500 rpc -32603 +data":                    {interpret.ServerError},
	"429 Retry-After:7 json message":          {interpret.RateLimited},
	"429 Retry-After:7 text":                  {interpret.RateLimited},
	"429 rpc +data":                           {interpret.RateLimited},
	"503 html":                                {interpret.Unavailable},
	"401 no oauth":                            {interpret.Unauthorized},
	"403 insufficient_scope":                  {interpret.InsufficientScope},
	"422 json {error:string}":                 {interpret.InvalidRequest},
	"200 html":                                {interpret.NotMCP},
	"200 json garbage":                        {interpret.MalformedReply},
	"200 json other id":                       {interpret.MalformedReply},
	"202 to a request":                        {interpret.MalformedReply},
	"sse ends w/o response":                   {interpret.ConnectionLost},
	"conn dropped before headers":             {interpret.ConnectionLost},
	"conn dropped mid json":                   {interpret.ConnectionLost},
	"hang (the caller gives up after 500 ms)": {interpret.Timeout},
	"isError result":                          {interpret.ToolError},
}
