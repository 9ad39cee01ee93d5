package interpret

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// decodeHeader returns the value of an Mcp-Name header: names that are no plain ASCII go as =?base64?…?= (2026-07-28, Streamable HTTP).
func decodeHeader(v string) string {
	inner, ok := strings.CutPrefix(v, "=?base64?")
	if ok {
		inner, ok = strings.CutSuffix(inner, "?=")
	}
	if !ok {
		return v
	}
	if b, err := base64.StdEncoding.DecodeString(inner); err == nil {
		return string(b)
	}
	return v
}

// isWebURL reports whether a person's browser could open it: absolute, http or https.
func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https")) && u.Host != ""
}
