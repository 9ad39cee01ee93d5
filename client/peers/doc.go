// Package peers puts two SDKs, bare and with their adapters, before the same 25 replies to one tool call, in both eras of the protocol.
// `go test -run Peers -v` prints what becomes of them.
package peers
