// Package conformance runs the client scenarios of the official conformance suite against a command built on package client.
// The command is in client; the suite is the npm package @modelcontextprotocol/conformance, which live/install.sh installs.
package conformance
