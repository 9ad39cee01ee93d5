package mcpgo

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// outgoing are the params of a request as its attempts amend them, no member decoded further than its name:
// a server's requestState comes back byte for byte.
type outgoing struct {
	params any // as mcp-go gave them
	first  map[string]json.RawMessage
	next   map[string]json.RawMessage // nil: as they were given
}

func newOutgoing(params any) (*outgoing, error) {
	o := &outgoing{params: params}
	if params == nil {
		return o, nil
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	_ = json.Unmarshal(raw, &o.first) // what is no object has no members
	return o, nil
}

func (o *outgoing) has(name string) bool { return o.first[name] != nil }

// target returns what a request is about, such as the name of the tool; "" if it is about nothing that has a name.
func (o *outgoing) target(method string) (s string) {
	_ = json.Unmarshal(o.first[proto.TargetName(method)], &s)
	return s
}

// version returns the protocol version that the request declares, "" if it declares none.
func (o *outgoing) version() (v string) {
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(o.first["_meta"], &meta)
	_ = json.Unmarshal(meta[proto.MetaVersion], &v)
	return v
}

// amend makes the next attempt's params anew: the first ones, without some members and with one other.
func (o *outgoing) amend(name string, value json.RawMessage, without ...string) {
	o.next = maps.Clone(o.first)
	for _, name := range without {
		delete(o.next, name)
	}
	if name != "" {
		o.next[name] = value
	}
}

// remedies are those that amend the params.
func (o *outgoing) remedies() map[interpret.Remedy]retry.RemedyFunc {
	return map[interpret.Remedy]retry.RemedyFunc{
		interpret.EchoState: func(_ context.Context, c *retry.Call) error {
			o.amend("requestState", c.Outcome.RequestState, "inputResponses")
			return nil
		},
		interpret.RestartCall: func(context.Context, *retry.Call) error {
			o.amend("", nil, "requestState", "inputResponses")
			return nil
		},
		interpret.DropTask: func(context.Context, *retry.Call) error {
			delete(o.first, "task")
			o.amend("", nil)
			return nil
		},
		interpret.RebuildHeaders: func(context.Context, *retry.Call) error { return nil }, // every attempt makes them from its body
	}
}

// traced returns the params of the next attempt, with what an observer wants in their _meta.
func (o *outgoing) traced(ctx context.Context) any {
	add := retry.Meta(ctx)
	switch {
	case len(add) == 0 && o.next == nil, o.first == nil:
		return o.params
	case len(add) == 0:
		return o.next
	}
	params := maps.Clone(o.first)
	if o.next != nil {
		params = maps.Clone(o.next)
	}
	meta := make(map[string]any)
	_ = json.Unmarshal(params["_meta"], &meta)
	for name, value := range add {
		meta[name] = value
	}
	params["_meta"], _ = json.Marshal(meta) // JSON that was read, and strings
	return params
}
