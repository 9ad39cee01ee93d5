// Package interpret reads one exchange with an MCP server and says what it means: bytes in, meaning out.
//
// An [Exchange] is a request and all that came back for it, over HTTP or stdio, or the [Failure] of our own side that came instead.
// [ParseRequest] takes the request's facts from the bytes that were sent; what only the host knows, as the server's era and the names of its
// tools, it adds. [Reply] then returns an [Outcome]: the [Kind] of fault or success, who said it, whether the request ran, how firmly that is
// known, and every fact found on the way. Reply is total: any bytes whatever have an outcome. It is pure: it does no I/O, reads no clock,
// holds no policy and keeps no state.
//
// One question orders the kinds: who can fix this? [Outcome.Fixer] answers it: time, the model, the host, a person, or nobody.
// For those who want an error, [Outcome.Err] makes one, and errors.Is compares its kind.
//
// Replies are read by tables of rules. [Rules] returns them, [Outcome.Why] names those that fired, and docs/how-a-reply-is-read.md prints them
// with what each goes back to. They look at structure first: at what was sent, the status, the code, the shape of the data. Words are looked at
// last, once all that the request itself said has been cut from them, and choose only between kinds for which nothing is sent again.
// rules.go is where to start reading.
//
// [Scan] takes a reply apart while it is still being sent. What a server said is data, and no more: [Outcome.Hints], [Outcome.Said] and
// [Scrubber] make it fit to be shown to people, logs and models.
//
// What is done about an outcome is not said here: package [github.com/mcperr/mcperr/retry] decides that.
package interpret
