// Package live starts real MCP servers for tests: small ones on seven SDKs in three languages, over HTTP on loopback and over stdio.
// A server whose runtime or packages are missing skips the test with the reason, or fails it where MCPERR_LIVE is "required".
package live
