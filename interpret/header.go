package interpret

import (
	"net/url"
	"strings"
)

// isWebURL reports whether a person's browser could open it: absolute, http or https.
func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https")) && u.Host != ""
}
