package gosdk_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// configured opens a session with a token, a rule for a code of the server's own, and the host's word for a tool.
func configured(ctx context.Context, endpoint, token string) (*gosdk.Session, error) {
	server := gosdk.HTTP{Endpoint: endpoint, Header: http.Header{"Authorization": {"Bearer " + token}}}
	loop := &retry.Loop{ // one a server: its calls share a budget
		Policy: retry.DefaultPolicy().With(retry.Rule{Name: "quota", Codes: []int64{4711}, Action: retry.Retry, Tries: 3}),
		Vouch:  func(r interpret.Request) bool { return r.Target == "quote" }, // that it may run twice
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "my-host", Version: "1"}, nil)
	return gosdk.Dial(ctx, c, server.Dialer(), loop)
}

// What a host knows of its server goes into the dialer and the loop.
func ExampleDial() {
	server := agent.Server() // one that says 4711 when a quota is used up for a moment
	defer server.Close()
	ctx := context.Background()

	s, err := configured(ctx, server.URL, "t0ken")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	_, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: "quote"})
	for _, a := range answer.Attempts {
		fmt.Println(a.Decision.Action, a.Decision.Rule)
	}
	fmt.Println("sent with", server.Got("tools/call")[0].Header.Get("Authorization"))
	// Output:
	// retry quota
	// retry quota
	// proceed default/ok
	// sent with Bearer t0ken
}
