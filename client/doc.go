// Package client speaks the Model Context Protocol over Streamable HTTP and over the standard input and output of a child process,
// in both eras: the handshake and session of 2025-03-26 to 2025-11-25, and 2026-07-28, where every request declares itself.
//
// [New] makes a [Client] of an [HTTP] or a [Stdio]. Its calls go through a [retry.Loop] each: what a fault means is read by
// package interpret, whether to send again is decided by package retry, and this package carries out what has to be done first.
// It negotiates the version, opens a session and a new one when that is lost, follows the server's pages, echoes its state and
// takes a broken stream up again. What needs the host (credentials, a person, a model) is asked of the functions in [Options];
// without them the call ends with what is wanted.
//
// A call ends in a [retry.Answer]: the result or the fault, what is to be done about it, and what was tried.
//
// A host that has an SDK keeps it. [Tap] goes below it, sees what was on the wire and keeps the session alive; [Record] holds one call's
// exchange for a Loop to judge. The adapters in the modules below this one put both together.
package client
