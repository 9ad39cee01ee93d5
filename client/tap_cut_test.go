package client

import (
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// TestLineOverTheLimitIsWhatTheRecorderKeeps, and what the SDK can be told.
func TestLineOverTheLimitIsWhatTheRecorderKeeps(t *testing.T) {
	var tap LineTap
	ctx, rec := Record(t.Context())
	call, err := tap.Request(ctx, []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := call.Cut(); interpret.KindOf(err) != interpret.ReplyTooLarge {
		t.Error(err)
	}
	call.Answer([]byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)) // it is over
	if x, ok := rec.Exchange(ctx, nil); !ok || !x.Truncated || x.Lines != nil || interpret.Reply(x).Kind != interpret.ReplyTooLarge {
		t.Errorf("%+v", x)
	}
	if call, _ = tap.Request(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)); call.Cut() != nil {
		t.Error("a notification has no answer")
	}
}
