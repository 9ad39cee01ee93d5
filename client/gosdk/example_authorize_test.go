package gosdk_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// bearer is a transport to one server, which puts the token of the last sign-in into each request.
type bearer struct{ token atomic.Value }

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if token, ok := b.token.Load().(string); ok {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// signingIn opens a session that signs in when the server wants it: signIn gets a token for scopes.
func signingIn(ctx context.Context, endpoint string, signIn func(context.Context, []string) (string, error)) (*gosdk.Session, error) {
	credentials := new(bearer)
	server := gosdk.HTTP{Endpoint: endpoint, Client: &http.Client{Transport: credentials}}
	loop := &retry.Loop{Remedies: map[interpret.Remedy]retry.RemedyFunc{
		interpret.Authorize: func(ctx context.Context, c *retry.Call) error {
			token, err := signIn(ctx, c.Outcome.Scopes)
			if err == nil {
				credentials.token.Store(token)
			}
			return err
		},
	}}
	c := mcp.NewClient(&mcp.Implementation{Name: "my-host", Version: "1"}, nil)
	return gosdk.Dial(ctx, c, server.Dialer(), loop)
}

// With a function that signs in, a call goes on by itself where it would end in Ask.
func ExampleDial_authorize() {
	server := agent.Server() // one that wants a sign-in for payments
	defer server.Close()
	ctx := context.Background()

	s, err := signingIn(ctx, server.URL, func(_ context.Context, scopes []string) (string, error) {
		fmt.Println("the user signs in for", scopes)
		return "t0ken", nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	_, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: "pay"})
	for i, a := range answer.Attempts {
		fmt.Printf("%s %s, sent with %q\n", a.Kind, a.Decision.Action, server.Got("tools/call")[i].Header.Get("Authorization"))
	}
	// Output:
	// the user signs in for [payments]
	// unauthorized ask, sent with ""
	// ok proceed, sent with "Bearer t0ken"
}
