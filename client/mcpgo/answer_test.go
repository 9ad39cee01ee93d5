package mcpgo_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
)

// TestDisguises reads the errors of a bare mcp-go, without a tap and without Wrap, as far as they go.
func TestDisguises(t *testing.T) {
	for _, c := range []struct {
		name  string
		reply adapttest.Reply
		want  interpret.Kind
		ran   interpret.Ran
	}{
		{"429 with text", adapttest.Reply{Status: 429, Body: "slow down"}, interpret.RateLimited, interpret.RanNo},
		{"503", down, interpret.Unavailable, interpret.RanUnknown},
		{"401", adapttest.Reply{Status: 401, Header: map[string]string{"WWW-Authenticate": `Bearer resource_metadata="https://a.example/m"`}}, interpret.Unauthorized, interpret.RanNo},
		{"404", adapttest.Reply{Status: 404}, interpret.NotMCP, interpret.RanNo},
		{"a code with a sentinel", adapttest.Error(200, -32602, `null`), interpret.InvalidArguments, interpret.RanNo},
		{"a refused version", adapttest.Error(400, -32022, `{"supported":["2025-06-18"],"requested":"2025-11-25"}`), interpret.UnsupportedVersion, interpret.RanNo},
		{"headers", adapttest.Error(400, -32020, `null`), interpret.HeaderMismatch, interpret.RanUnknown},
		{"a capability", adapttest.Error(400, -32021, `{"requiredCapabilities":{"sampling":{}}}`), interpret.MissingCapability, interpret.RanUnknown},
		{"a page", adapttest.Reply{Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>"}, interpret.NotMCP, interpret.RanUnknown},
		{"broken JSON", adapttest.Reply{Body: "{"}, interpret.MalformedReply, interpret.RanUnknown},
		{"a stream without an answer", adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: ": hi\n\n"}, interpret.ConnectionLost, interpret.RanUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := adapttest.New(t, false)
			bare, err := client.NewStreamableHttpClient(s.URL)
			if err == nil {
				_, err = bare.Initialize(t.Context(), initialize)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer bare.Close()
			s.Say("tools/call", c.reply)
			_, err = bare.CallTool(t.Context(), call("t"))
			if o := mcpgo.Answer(nil, err).Outcome; o.Kind != c.want || o.Ran != c.ran {
				t.Errorf("%v reads as %s, ran %s; want %s, %s", err, o.Kind, o.Ran, c.want, c.ran)
			}
		})
	}
}

func TestAnswerOfErrorsThatAreNobodys(t *testing.T) {
	for _, c := range []struct {
		err  error
		want interpret.Kind
	}{
		{fmt.Errorf("calling: %w", io.EOF), interpret.ConnectionLost},
		{fmt.Errorf("calling: %w", context.Canceled), interpret.Cancelled},
		{fmt.Errorf("calling: %w", transport.ErrTransportClosed), interpret.ConnectionLost},
		{transport.ErrLegacySSEServer, interpret.NotMCP},
		{mcp.URLElicitationRequiredError{}, interpret.MissingCapability},
		{(&interpret.Outcome{Kind: interpret.Forbidden}).Err(), interpret.Forbidden},
	} {
		if a := mcpgo.Answer(nil, c.err); a.Outcome.Kind != c.want || a.Err() == nil {
			t.Errorf("%v reads as %s, want %s", c.err, a.Outcome.Kind, c.want)
		}
	}
}
