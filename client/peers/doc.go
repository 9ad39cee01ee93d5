// Package peers puts two SDKs, bare and with their adapters, before the same 25 replies to one tool call, in both eras of the protocol,
// and holds the table of the README to what becomes of them: `go test -run Peers -v` prints it. It is tests only; others have the adapters
// meet real servers of both SDKs, and telemetry.
package peers
