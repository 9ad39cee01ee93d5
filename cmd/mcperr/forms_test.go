package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

// A plain case is one whose request can be said with flags: a call, a read, a list as clients send them.
func plain(x interpret.Exchange) bool {
	q := x.Request
	arguments := q.Arguments == interpret.ArgumentsObject || q.Method != "tools/call" && q.Method != "prompts/get"
	target := q.Target != "" || q.Method != "tools/call" && q.Method != "prompts/get" && q.Method != "resources/read"
	modern := q.Version >= "2026-07-28"
	return q.Method != "" && q.HTTPMethod == "" && !q.Cursor && q.State == "" && !q.Task && q.Body == nil && q.Headers == nil && !q.ParamHeaders &&
		arguments && target && !strings.HasPrefix(q.Method, "tasks/") && q.InFlight == 0 && x.Failure == nil && !x.Truncated && modern == (q.Meta == interpret.PresentAll) &&
		!strings.Contains(q.Target+strings.Join(q.Known.Tools.All(), "")+strings.Join(q.Known.Prompts.All(), "")+strings.Join(q.Known.Resources.All(), ""), ",")
}

// flags says a plain request on the command line; of one that was recorded, only what a request does not hold.
func flags(q interpret.Request, recorded bool) []string {
	args := []string{"--era", "unknown"}
	if q.Era != "" {
		args[1] = string(q.Era)
	}
	if !recorded {
		args = append(args, "--method", q.Method, "--target", q.Target, "--id", q.ID, "--version", q.Version)
	}
	if q.Session && !recorded {
		args = append(args, "--session")
	}
	if q.Capabilities != nil {
		args = append(args, "--capabilities", strings.Join(q.Capabilities, ","))
	}
	for name, known := range map[string]*interpret.Names{"--tools": q.Known.Tools, "--prompts": q.Known.Prompts, "--resources": q.Known.Resources} {
		if known != nil {
			args = append(args, name, strings.Join(known.All(), ","))
		}
	}
	return args
}

// rawHTTP writes a response as curl -i prints it.
func rawHTTP(x interpret.Exchange) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", x.Status, http.StatusText(x.Status))
	x.Header.Del("Content-Length")
	x.Header.Del("Transfer-Encoding")
	x.Header.Write(&b)
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(x.Body), x.Body)
	return b.String()
}

// asHAR writes a plain exchange as a browser's entry, its request as a client sends it.
func asHAR(t *testing.T, x interpret.Exchange) string {
	t.Helper()
	type object = map[string]any
	q := x.Request
	params := object{}
	switch q.Method {
	case "tools/call", "prompts/get":
		params["name"], params["arguments"] = q.Target, object{}
	case "resources/read":
		params["uri"] = q.Target
	case "initialize":
		params["protocolVersion"], params["capabilities"] = q.Version, capabilities(q.Capabilities)
	}
	request := object{"jsonrpc": "2.0", "method": q.Method, "params": params}
	if q.ID != "" {
		request["id"] = json.RawMessage(q.ID)
	}
	if q.Meta == interpret.PresentAll {
		params["_meta"] = object{"io.modelcontextprotocol/protocolVersion": q.Version, "io.modelcontextprotocol/clientCapabilities": capabilities(q.Capabilities)}
	}
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	headers := []object{{"name": "Content-Type", "value": "application/json"}}
	if q.Version != "" && q.Method != "initialize" {
		headers = append(headers, object{"name": "MCP-Protocol-Version", "value": q.Version})
	}
	if q.Session {
		headers = append(headers, object{"name": "Mcp-Session-Id", "value": "s"})
	}
	replyHeaders := []object{}
	for name, values := range x.Header {
		for _, v := range values {
			replyHeaders = append(replyHeaders, object{"name": name, "value": v})
		}
	}
	entry, err := json.Marshal(object{
		"request":  object{"method": "POST", "url": "http://127.0.0.1/mcp", "headers": headers, "postData": object{"text": string(body)}},
		"response": object{"status": x.Status, "headers": replyHeaders, "content": object{"size": len(x.Body), "text": string(x.Body)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(entry)
}

// capabilities builds the object that has these dotted leaves.
func capabilities(leaves []string) map[string]any {
	all := map[string]any{}
	for _, l := range leaves {
		at := all
		for name := range strings.SplitSeq(l, ".") {
			next, ok := at[name].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[name] = next
			}
			at = next
		}
	}
	return all
}

// TestEveryFormReadsLikeTheCorpus gives recorded exchanges to explain in the other forms, with flags for the request, and wants the corpus's reading of each.
func TestEveryFormReadsLikeTheCorpus(t *testing.T) {
	forms := map[string]int{}
	disputed := disputes(t)
	for c, err := range fixtures.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Exchange()
		if err != nil {
			t.Fatal(err)
		}
		if !plain(x) {
			continue
		}
		inputs := map[string]string{}
		if x.Request.Transport == interpret.HTTP {
			inputs["http"] = rawHTTP(x)
			if validText(x.Body) && x.Request.ID != "" {
				inputs["har"] = asHAR(t, x)
			}
			if kind := x.Header.Get("Content-Type"); x.Status == 200 && kind == "application/json" && json.Valid(x.Body) {
				inputs["message"] = string(x.Body)
			} else if x.Status == 200 && kind == "text/event-stream" {
				inputs["stream"] = string(x.Body)
			}
		} else if len(x.Lines) == 1 {
			inputs["stdio"] = string(x.Lines[0]) + "\n"
		}
		for form, in := range inputs {
			args := append([]string{"explain", "--json", "--form", form}, flags(x.Request, form == "har")...)
			code, stdout, stderr := mcperr(t, in, args...)
			var got line
			if err := json.Unmarshal([]byte(stdout), &got); code != exitOK || err != nil {
				t.Errorf("%s as %s: exit %d, %v, %s%s", c.ID, form, code, err, stdout, stderr)
				continue
			}
			want := c.Want
			if form == "message" || form == "stream" { // without a status, there is no wrong one
				want.Deviations = slices.DeleteFunc(slices.Clone(want.Deviations), func(d string) bool { return d == "wrong_status" })
			}
			if diff := fixtures.Diff(want, got.Reading); diff != nil && !disputed[c.ID] {
				t.Errorf("%s as %s: %s", c.ID, form, strings.Join(diff, "; "))
			}
			forms[form]++
		}
	}
	for form, least := range map[string]int{"http": 1000, "har": 1000, "message": 100, "stream": 100, "stdio": 50} {
		if forms[form] < least {
			t.Errorf("only %d cases as %s", forms[form], form)
		}
	}
	t.Log(forms)
}

// validText reports whether a HAR can hold the bytes as text.
func validText(b []byte) bool { return bytes.Equal(bytes.ToValidUTF8(b, nil), b) }
