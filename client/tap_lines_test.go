package client_test

import (
	"context"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

func TestLineTapFillsTheRecorder(t *testing.T) {
	var tap client.LineTap
	ctx, rec := client.Record(t.Context())
	probe, err := tap.Request(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`))
	if err != nil || probe.ID() != "1" {
		t.Fatal(probe.ID(), err)
	}
	other, _ := tap.Request(t.Context(), []byte(`{"jsonrpc":"2.0","id":2,"method":"ping"}`))
	probe.Answer([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`))
	x, ok := rec.Exchange(ctx, nil)
	if o := interpret.Reply(x); !ok || o.Kind != interpret.LegacyServer || x.Request.InFlight != 1 {
		t.Errorf("%s with %d in flight", o.Kind, x.Request.InFlight)
	}
	probe.Fail(interpret.Failure{}) // comes too late
	other.Answer(nil)

	none, err := tap.Request(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if none != nil || err != nil || none.ID() != "" {
		t.Error("a notification is waited for")
	}
	none.Fail(interpret.Failure{})
}

func TestLineTapKnowsTheToolsThatWereListed(t *testing.T) {
	var tap client.LineTap
	call := func(line, answer string) interpret.Outcome {
		ctx, rec := client.Record(t.Context())
		c, err := tap.Request(ctx, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		c.Answer([]byte(answer))
		x, _ := rec.Exchange(ctx, nil)
		return interpret.Reply(x)
	}
	page := func(cursor, next, name string) {
		call(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+cursor+`}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"`+name+`","inputSchema":{}}]`+next+`}}`)
	}
	refused := func(name string) interpret.Kind {
		return call(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{}}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`).Kind
	}
	page("", `,"nextCursor":"2"`, "a")
	if k := refused("c"); k != interpret.InvalidArguments {
		t.Errorf("after one page of two: %s", k)
	}
	page(`"cursor":"2"`, "", "b")
	for name, want := range map[string]interpret.Kind{"a": interpret.InvalidArguments, "b": interpret.InvalidArguments, "c": interpret.UnknownTool} {
		if k := refused(name); k != want {
			t.Errorf("%s: %s, want %s", name, k, want)
		}
	}
	tap.Heard("notifications/tools/list_changed")
	if k := refused("c"); k != interpret.InvalidArguments {
		t.Errorf("after the list has changed: %s", k)
	}
}

func TestRecorderKeepsWhatIsWhole(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rctx, rec := client.Record(ctx)
	if _, ok := rec.Exchange(ctx, nil); ok || client.RecorderIn(rctx) != rec || client.RecorderIn(ctx) != nil {
		t.Error("an exchange without a request")
	}
	var tap client.LineTap
	c, _ := tap.Request(rctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	cancel()
	x, _ := rec.Exchange(ctx, ctx.Err())
	if o := interpret.Reply(x); o.Kind != interpret.Cancelled {
		t.Errorf("given up: %s", o.Kind)
	}
	c.Answer([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	x, _ = rec.Exchange(ctx, ctx.Err())
	if o := interpret.Reply(x); o.Kind != interpret.OK {
		t.Errorf("given up after the answer: %s", o.Kind)
	}
}
