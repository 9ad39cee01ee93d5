// Package proto holds the names and marks of the protocol that who writes a message and who reads it must agree on.
package proto

import (
	"encoding/base64"
	"strings"
)

// Members of _meta by which a request of 2026-07-28 declares what a handshake used to settle, and a server says who it is (basic, _meta).
const (
	MetaPrefix       = "io.modelcontextprotocol/"
	MetaVersion      = MetaPrefix + "protocolVersion"
	MetaInfo         = MetaPrefix + "clientInfo"
	MetaCapabilities = MetaPrefix + "clientCapabilities"
	MetaServerInfo   = MetaPrefix + "serverInfo"
)

// firstModern is the first version without a handshake.
const firstModern = "2026-07-28"

// Modern reports whether a version is one in which every request declares its own: 2026-07-28 and later.
// Versions are dates, so they sort as text; what is no date is in no era.
func Modern(version string) bool {
	return len(version) == len(firstModern) && version >= firstModern && version[0] == '2' && version[4] == '-' && version[7] == '-'
}

// TargetName is the member of params that names what a request is about, "" if it is about nothing that has a name.
func TargetName(method string) string {
	switch {
	case method == "tools/call", method == "prompts/get":
		return "name"
	case method == "resources/read":
		return "uri"
	case strings.HasPrefix(method, "tasks/"):
		return "taskId"
	}
	return ""
}

// Marks of a header value that is carried in Base64 (2026-07-28, Streamable HTTP).
const (
	sentinelOpen  = "=?base64?"
	sentinelClose = "?="
)

// EncodeHeader returns s as an Mcp-* header can carry it: as it is, or in Base64 between the sentinel's marks
// if it has other characters than printable ASCII, leads or ends with white space, or looks like the sentinel itself.
func EncodeHeader(s string) string {
	if s == strings.TrimSpace(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) &&
		!(strings.HasPrefix(s, sentinelOpen) && strings.HasSuffix(s, sentinelClose)) {
		return s
	}
	return sentinelOpen + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelClose
}

// DecodeHeader returns what an Mcp-* header carries; what is no Base64 between the marks is meant as it stands.
func DecodeHeader(v string) string {
	inner, ok := strings.CutPrefix(v, sentinelOpen)
	if ok {
		inner, ok = strings.CutSuffix(inner, sentinelClose)
	}
	if !ok {
		return v
	}
	if b, err := base64.StdEncoding.DecodeString(inner); err == nil {
		return string(b)
	}
	return v
}
