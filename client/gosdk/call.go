package gosdk

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// describe says what a loop may know of a request before it is sent.
func describe(method string, params mcp.Params, s *mcp.ClientSession) interpret.Request {
	req := interpret.Request{Method: method, Target: target(params)}
	if s != nil {
		if r := s.InitializeResult(); r != nil {
			req.Version = r.ProtocolVersion
		}
	}
	return req
}

// target returns what a request is about: the tool, the prompt or the resource.
func target(params mcp.Params) string {
	switch p := params.(type) {
	case *mcp.CallToolParams:
		if p != nil {
			return p.Name
		}
	case *mcp.GetPromptParams:
		if p != nil {
			return p.Name
		}
	case *mcp.ReadResourceParams:
		if p != nil {
			return p.URI
		}
	}
	return ""
}

// rounds are the params of a call as its attempts amend them. The host's own are never changed.
type rounds struct {
	first mcp.Params
	next  mcp.Params
}

func newRounds(p mcp.Params) *rounds { return &rounds{p, p} }

// remedies are those that amend the params.
func (r *rounds) remedies() map[interpret.Remedy]retry.RemedyFunc {
	return map[interpret.Remedy]retry.RemedyFunc{
		interpret.EchoState: func(_ context.Context, c *retry.Call) error {
			var state string
			if err := json.Unmarshal(c.Outcome.RequestState, &state); err != nil {
				return err
			}
			r.next = clone(r.first)
			setState(r.next, state)
			return nil
		},
		interpret.RestartCall: func(context.Context, *retry.Call) error {
			r.next = clone(r.first)
			setState(r.next, "")
			return nil
		},
		interpret.RebuildHeaders: func(context.Context, *retry.Call) error { return nil }, // every attempt makes them from its body
	}
}

func setState(p mcp.Params, state string) {
	switch p := p.(type) {
	case *mcp.CallToolParams:
		p.RequestState, p.InputResponses = state, nil
	case *mcp.GetPromptParams:
		p.RequestState, p.InputResponses = state, nil
	case *mcp.ReadResourceParams:
		p.RequestState, p.InputResponses = state, nil
	}
}

// traced returns the params of the next attempt, with what an observer wants in their _meta.
func (r *rounds) traced(ctx context.Context) mcp.Params {
	add := retry.Meta(ctx)
	if len(add) == 0 || isNil(r.next) {
		return r.next
	}
	p := clone(r.next)
	meta := p.GetMeta()
	if meta == nil {
		meta = make(map[string]any)
	}
	for name, value := range add {
		meta[name] = value
	}
	p.SetMeta(meta)
	return p
}

// fresh copies the params for one attempt. What the SDK had written into their _meta, of the session before, is not among them:
// the SDK would leave it as it is.
func fresh[P mcp.Params](p mcp.Params) P {
	c := clone(p)
	meta := c.GetMeta()
	for _, name := range []string{mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities} {
		delete(meta, name)
	}
	return c.(P)
}

// clone copies the params and their _meta, into which the SDK writes; what else they point to is shared.
func clone(p mcp.Params) mcp.Params {
	if isNil(p) {
		return p
	}
	c := reflect.New(reflect.TypeOf(p).Elem())
	c.Elem().Set(reflect.ValueOf(p).Elem())
	copied := c.Interface().(mcp.Params)
	copied.SetMeta(maps.Clone(p.GetMeta()))
	return copied
}

func isNil(p mcp.Params) bool { return p == nil || reflect.ValueOf(p).IsNil() }

// isNotification reports whether a method gets no answer.
func isNotification(method string) bool { return strings.HasPrefix(method, "notifications/") }
