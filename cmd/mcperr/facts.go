package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/input"
	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// facts are what the user says of the request. They stand above what the input says, which stands above what is assumed.
type facts struct {
	method, target, version, era, id  string
	tools, prompts, resources, capabs string
	transport, request                string
	session                           bool
	vouch                             []string

	given map[string]bool
	sent  *interpret.Request // from the bytes of --request
}

func (f *facts) register(fs *flag.FlagSet) {
	fs.StringVar(&f.request, "request", "", "`FILE` with the request as it was sent (JSON, or raw HTTP), or the JSON itself; says what most flags below say")
	fs.StringVar(&f.method, "method", "", "JSON-RPC `METHOD` of the request (default tools/call)")
	fs.StringVar(&f.target, "target", "", "`NAME` of the tool or prompt, or URI of the resource, that it was about")
	fs.StringVar(&f.id, "id", "", "`ID` of the request, as JSON or bare text; empty for a notification (default the reply's own)")
	fs.StringVar(&f.version, "version", "", "protocol `VERSION` in force")
	fs.StringVar(&f.era, "era", "", "`ERA` of the server, as far as known: modern, legacy or unknown (default unknown)")
	fs.BoolVar(&f.session, "session", false, "an Mcp-Session-Id went with the request")
	fs.StringVar(&f.tools, "tools", "", "`NAMES` on the server's tool list, with commas between them")
	fs.StringVar(&f.prompts, "prompts", "", "`NAMES` on its prompt list")
	fs.StringVar(&f.resources, "resources", "", "`URIS` on its resource list")
	vouching(fs, &f.vouch)
	fs.StringVar(&f.capabs, "capabilities", "", "`NAMES` the client declared, such as sampling,elicitation.url")
	fs.StringVar(&f.transport, "transport", "", "`TRANSPORT`: http or stdio (default what the input's form implies, else http)")
}

// read checks the flags once they are parsed.
func (f *facts) read(fs *flag.FlagSet) error {
	f.given = map[string]bool{}
	fs.Visit(func(g *flag.Flag) { f.given[g.Name] = true })
	for _, c := range []struct {
		name, value string
		allowed     []string
	}{
		{"era", f.era, []string{"", "unknown", "modern", "legacy"}},
		{"transport", f.transport, []string{"", "http", "stdio"}},
	} {
		if !slices.Contains(c.allowed, c.value) {
			return coded{exitUsage, fmt.Errorf("--%s is %q; it can be %s", c.name, c.value, strings.Join(c.allowed[1:], ", "))}
		}
	}
	if f.request == "" {
		return nil
	}
	raw := []byte(f.request)
	if !strings.HasPrefix(strings.TrimSpace(f.request), "{") {
		var err error
		if raw, err = os.ReadFile(f.request); err != nil {
			return coded{exitNoInput, err}
		}
	}
	body, header, err := input.Request(raw)
	if err != nil {
		return fmt.Errorf("--request: %w", err)
	}
	q, err := interpret.ParseRequest(body, header)
	if err != nil {
		return fmt.Errorf("--request: %w", err)
	}
	f.sent = &q
	return nil
}

// apply puts the facts into a reply's request and notes what had to be assumed.
func (f *facts) apply(r *input.Reply) {
	q := &r.Exchange.Request
	if f.sent != nil {
		transport, era, known := q.Transport, q.Era, q.Known
		*q = *f.sent
		q.Transport, q.Era, q.Known = transport, era, known
		r.Asked = true
	}
	if !r.Asked {
		f.assume(r)
	}
	set := func(name string, to *string, value string) {
		if f.given[name] {
			*to = value
		}
	}
	set("method", &q.Method, f.method)
	set("target", &q.Target, f.target)
	set("id", &q.ID, rawID(f.id))
	set("version", &q.Version, f.version)
	if f.given["era"] {
		q.Era = interpret.Era(strings.TrimSuffix(f.era, "unknown"))
	}
	if f.given["session"] {
		q.Session = f.session
	}
	if f.given["capabilities"] {
		q.Capabilities = list(f.capabs)
	}
	for name, to := range map[string]**interpret.Names{"tools": &q.Known.Tools, "prompts": &q.Known.Prompts, "resources": &q.Known.Resources} {
		if f.given[name] {
			*to = interpret.NewNames(list(map[string]string{"tools": f.tools, "prompts": f.prompts, "resources": f.resources}[name])...)
		}
	}
	if f.given["version"] && proto.Modern(q.Version) && !r.Asked {
		q.Meta = interpret.PresentAll // else the reply would be read as the answer to a request that was wrong
	}
}

// assume fills in the request of a reply that came without one: a call of some tool, under the reply's own id.
func (f *facts) assume(r *input.Reply) {
	q := &r.Exchange.Request
	method, id := "tools/call", cmp.Or(r.Answers, "1")
	var said []string
	if f.given["method"] {
		method = f.method
	} else {
		said = append(said, method)
	}
	if !f.given["id"] {
		said = append(said, "id "+clean(id, 40))
	}
	q.Method, q.ID = method, id
	switch method {
	case "tools/call", "prompts/get":
		q.Arguments = interpret.ArgumentsObject
		fallthrough
	case "resources/read":
		q.Target = f.anyTarget(method) // one was sent, whatever it was
		if !f.given["target"] {
			target := "not known"
			if q.Target != noTarget {
				target = clean(q.Target, 40)
			}
			r.Assumed = append([]string{"the target: " + target + " (--target says it)"}, r.Assumed...)
		}
	}
	if said != nil {
		r.Assumed = append([]string{"the request: " + strings.Join(said, ", ") + " (--request, --method and --id say it)"}, r.Assumed...)
	}
}

// noTarget stands for a name that is not known, in the reading alone.
const noTarget = "?"

// named reports whether a name of the request is known, and not assumed.
func (f *facts) named(r *input.Reply) bool { return r.Asked || f.given["target"] }

// anyTarget returns a name that the server is known to have, if any is known.
func (f *facts) anyTarget(method string) string {
	known := map[string]string{"tools/call": f.tools, "prompts/get": f.prompts, "resources/read": f.resources}[method]
	names := list(known)
	if method == "tools/call" {
		names = append(names, f.vouch...)
	}
	return append(names, noTarget)[0]
}

// vouched reports whether the user promises that what was asked may run twice.
func (f *facts) vouched(r *input.Reply) bool {
	q := &r.Exchange.Request
	return q.Method == "tools/call" && slices.Contains(f.vouch, q.Target)
}

// rawID is an id as JSON: what is JSON already stays, anything else becomes a string.
func rawID(s string) string {
	if s == "" || json.Valid([]byte(s)) {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// list splits at commas; an empty text is the empty list.
func list(s string) []string {
	var names []string
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
