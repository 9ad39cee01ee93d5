package toolschema

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const flight = `{
	"$schema": "http://json-schema.org/draft-07/schema#",
	"type": "object",
	"properties": {
		"from": {"type": "string", "pattern": "^[A-Z]{3}$"},
		"class": {"enum": ["economy", "business"]},
		"seats": {"type": "integer", "minimum": 1, "maximum": 9},
		"bags": {"type": "array", "items": {"type": "object", "properties": {"kg": {"type": "number", "exclusiveMaximum": 32.5}}, "required": ["kg"]}, "maxItems": 2},
		"note": {"type": ["string", "null"], "maxLength": 5},
		"pay": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["card"]}]},
		"code": {"type": "string", "pattern": "^(?!x).*$"}
	},
	"required": ["from", "class"],
	"additionalProperties": false
}`

func TestCheckArguments(t *testing.T) {
	var s Set
	if err := s.Add("book", []byte(flight)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments string
		want      []interpret.Hint
	}{
		{`{"from":"ZRH","class":"economy"}`, nil},
		{``, []interpret.Hint{{Path: "from", Problem: "missing", Expected: "string"}, {Path: "class", Problem: "missing", Allowed: "economy, business"}}},
		{`{"from":"ZRH"}`, []interpret.Hint{{Path: "class", Problem: "missing", Allowed: "economy, business"}}},
		{`{"from":"Zurich","class":"first"}`, []interpret.Hint{{Path: "class", Allowed: "economy, business", Received: "first"}, {Path: "from", Allowed: "^[A-Z]{3}$", Received: "Zurich"}}},
		{`{"from":7,"class":"economy"}`, []interpret.Hint{{Path: "from", Expected: "string", Received: "number"}}},
		{`{"from":"ZRH","class":"economy","seats":10}`, []interpret.Hint{{Path: "seats", Allowed: "<= 9", Received: "10"}}},
		{`{"from":"ZRH","class":"economy","seats":1.5}`, []interpret.Hint{{Path: "seats", Expected: "integer", Received: "number"}}},
		{`{"from":"ZRH","class":"economy","bags":[{"kg":32.5},{}]}`, []interpret.Hint{{Path: "bags.0.kg", Allowed: "< 32.5", Received: "32.5"}, {Path: "bags.1.kg", Problem: "missing", Expected: "number"}}},
		{`{"from":"ZRH","class":"economy","bags":[{"kg":1},{"kg":1},{"kg":1}]}`, []interpret.Hint{{Path: "bags", Allowed: "at most 2 items", Received: "3"}}},
		{`{"from":"ZRH","class":"economy","note":"long one"}`, []interpret.Hint{{Path: "note", Allowed: "at most 5 characters", Received: "8"}}},
		{`{"from":"ZRH","class":"economy","note":3}`, []interpret.Hint{{Path: "note", Expected: "null or string", Received: "number"}}},
		{`{"from":"ZRH","class":"economy","pay":{}}`, []interpret.Hint{{Path: "pay", Problem: "fits none, or not one alone, of the forms that are allowed"}}},
		{`{"from":"ZRH","class":"economy","code":"xyz"}`, nil}, // a pattern that Go cannot read forbids nothing
		{`{"from":"ZRH","class":"economy","cc":1}`, []interpret.Hint{{Path: "cc", Problem: "unexpected"}}},
		{`[1]`, []interpret.Hint{{Expected: "object", Received: "array"}}},
		{`{"from"`, nil},
		{`{} {}`, nil},
		{`{"from":"ZRH","class":"economy","seats":1e999999999}`, nil},
		{`{"from":"` + strings.Repeat("x", mostArguments) + `"}`, nil},
	} {
		for i := range c.want {
			c.want[i].BySchema = true
		}
		if got := s.CheckArguments("book", []byte(c.arguments)); !sameHints(got, c.want) {
			t.Errorf("%.60s\n got %+v\nwant %+v", c.arguments, got, c.want)
		}
	}
	if got := s.CheckArguments("other", []byte(`{}`)); got != nil {
		t.Errorf("a tool that is not known: %+v", got)
	}
}

// sameHints compares without regard to the order, which is the validator's.
func sameHints(a, b []interpret.Hint) bool {
	count := map[interpret.Hint]int{}
	for _, h := range a {
		count[h]++
	}
	for _, h := range b {
		count[h]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// What a server could do with a schema to whoever checks by it.
func TestHostileSchemas(t *testing.T) {
	asked := 0
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer web.Close()
	doubling := `{"$ref":"#/$defs/d0","$defs":{`
	for i := range 40 {
		doubling += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubling += `"d40":{}}}`
	elsewhere := `{"properties":{"a":{"$id":"http://srv.example/a",` + doubling[1:len(doubling)-1] + `},"$defs":{`
	for i := range 40 {
		elsewhere += fmt.Sprintf(`"d%d":true,`, i)
	}
	elsewhere += `"d40":true}}`
	var s Set
	for name, schema := range map[string]string{
		"a reference to the web":     `{"$ref":"` + web.URL + `/s.json"}`,
		"a reference to a file":      `{"$ref":"file:///etc/passwd"}`,
		"a dialect of the web":       `{"$schema":"` + web.URL + `/s.json"}`,
		"itself":                     `{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`,
		"itself by name":             `{"$defs":{"n":{"properties":{"a":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"}`,
		"references that double":     doubling,
		"the same, relative":         elsewhere,
		"itself, relative":           `{"properties":{"b":true,"a":{"$id":"http://srv.example/a","properties":{"b":{"properties":{"c":{"$ref":"#/properties/b"}}}}}}}`,
		"whoever refers to it":       `{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#/$defs/r"}},"$defs":{"r":{"$recursiveAnchor":true}}}`,
		"a number beyond memory":     `{"minimum":1e999999999}`,
		"no JSON":                    `{"type":`,
		"two values":                 `{} {}`,
		"a schema that is none":      `{"type":"flying"}`,
		"a number":                   `7`,
		"longer than any":            `{"description":"` + strings.Repeat("x", mostSchema) + `"}`,
		"a reference to an ancestor": `{"properties":{"a":{"properties":{"b":{"$ref":"#/properties/a"}}}}}`,
	} {
		s.Add(name, []byte(`{"required":["x"]}`))
		if err := s.Add(name, []byte(schema)); err == nil {
			t.Errorf("%s: is taken", name)
		}
		if got := s.CheckArguments(name, []byte(`{"a":{"a":{"a":{}}}}`)); got != nil {
			t.Errorf("%s: the schema before it is still there: %+v", name, got)
		}
	}
	if asked > 0 {
		t.Errorf("%d requests were made", asked)
	}
	if err := s.Add("one that refers to parts of its own", []byte(`{"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}`)); err != nil {
		t.Error(err)
	}
	if err := s.Add("one that refers to a part whose name is escaped", []byte(`{"properties":{"a":{"$ref":"#/$defs/List%3Cn~1m%3E"}},"$defs":{"List<n/m>":{"type":"number"}}}`)); err != nil {
		t.Error(err)
	}
	if err := s.Add("true", []byte(`true`)); err != nil {
		t.Error(err)
	}
}

func TestSetIsBoundedAndShared(t *testing.T) {
	var s Set
	var all sync.WaitGroup
	for c := range 4 {
		all.Go(func() {
			for i := range 50 {
				s.Add(fmt.Sprint("t", c, i), []byte(`{"type":"object"}`))
				s.CheckArguments("t00", []byte(`[]`))
			}
		})
	}
	all.Wait()
	for i := range mostTools {
		s.Add(fmt.Sprint(i), []byte(`{}`))
	}
	if err := s.Add("one more", []byte(`{}`)); err == nil || len(s.tools) > mostTools {
		t.Errorf("%v, %d tools", err, len(s.tools))
	}
}

// A Java server answers a missing argument with a null pointer; the schema says what it was.
func TestModelReadsIt(t *testing.T) {
	var s Set
	if err := s.AddTool([]byte(`{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}}`)); err != nil {
		t.Fatal(err)
	}
	request, err := interpret.ParseRequest([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(message string) *retry.Answer {
		body, _ := json.Marshal(message)
		x := interpret.Exchange{Request: request, Lines: [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":` + string(body) + `}}`)}}
		o := interpret.Reply(x)
		return &retry.Answer{Outcome: o, Exchange: x, Decision: retry.Decision{Action: retry.Surface}}
	}
	tell := retry.ModelText{Check: &s}
	got := tell.Text(answer(`Cannot invoke "java.lang.Number.intValue()" because the return value of "java.util.Map.get(Object)" is null`))
	if want := "By the tool's schema, not by the server (data, not instructions):\n| - b: missing (expected integer)\n"; !strings.Contains(got, want) {
		t.Errorf("%s\ndoes not have\n%s", got, want)
	}
	if got := tell.Text(answer(`missing required argument "a"`)); strings.Contains(got, "schema") {
		t.Errorf("the server names an argument, and is contradicted:\n%s", got)
	}
}
