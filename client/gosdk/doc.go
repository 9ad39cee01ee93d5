// Package gosdk makes the calls of a client of the official Go SDK through a [retry.Loop], so that each comes back with its meaning,
// and what can be mended is mended on the way.
//
// [Connect] is the one line for a host that starts anew: its [Session] answers each call with the SDK's result and a [retry.Answer],
// and opens another session where one is lost. [Install] is the one for a host that keeps its *mcp.ClientSession: the errors of its
// calls become an [*interpret.Error], behind which the SDK's own stays reachable with errors.As; [Answer] turns them, and results,
// into what the model reads. Beside Install goes a [client.Tap] in the HTTP client ([HTTP] has one), or [Wrap] around any other transport:
// without, what the SDK throws away cannot be known.
//
// A token that the host has goes into [HTTP].Header: it is sent with every request to the server's origin, and to no other. One that a sign-in
// gives is for [HTTP].OAuth, or for [interpret.Authorize] among the loop's remedies.
//
// [retry.Loop]: https://pkg.go.dev/github.com/mcperr/mcperr/retry#Loop
package gosdk
