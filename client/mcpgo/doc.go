// Package mcpgo makes the calls of a client of mcp-go through a [retry.Loop], so that each comes back with its meaning,
// and what can be mended is mended on the way.
//
// [Connect] is the one line for a host that starts anew: its [Session] answers each call with mcp-go's result and a [retry.Answer],
// and opens another session where one is lost. [Wrap] is the one for a host that keeps its *client.Client: around the transport that
// the client is made with, it makes the errors of its calls an [*interpret.Error], behind which mcp-go's own stay reachable;
// [Answer] turns them, and results, into what the model reads. Below Wrap goes a [client.Tap] in the HTTP client ([HTTP] has one):
// without, what mcp-go throws away cannot be known.
//
// A token that the host has goes into [HTTP].Header: it is sent with every request to the server's origin, and to no other. One that a sign-in
// gives is for [transport.WithHTTPOAuth] among [HTTP].Options, or for [interpret.Authorize] among the loop's remedies.
//
// [retry.Loop]: https://pkg.go.dev/github.com/mcperr/mcperr/retry#Loop
// [client.Tap]: https://pkg.go.dev/github.com/mcperr/mcperr/client#Tap
package mcpgo
