package adapt

import (
	"net/http"
	"net/url"

	"github.com/mcperr/mcperr/internal/wire"
)

// Headed returns a RoundTripper that gives each request to the endpoint's origin the host's headers. It goes above a tap, which is to know them.
// What a request has already it keeps: the SDK's own headers, those of the protocol and of an authorization, stand over the host's.
// No other origin gets one, whoever redirects there.
func Headed(below http.RoundTripper, endpoint string, h http.Header) http.RoundTripper {
	if len(h) == 0 {
		return below
	}
	origin, err := url.Parse(endpoint)
	if err != nil {
		return below // the SDK will say so
	}
	return &headed{below, origin, h.Clone()}
}

type headed struct {
	below  http.RoundTripper
	origin *url.URL
	header http.Header
}

// RoundTrip implements [http.RoundTripper].
func (t *headed) RoundTrip(r *http.Request) (*http.Response, error) {
	if wire.SameOrigin(r.URL, t.origin) {
		r = r.Clone(r.Context())
		if r.Header == nil {
			r.Header = make(http.Header)
		}
		for name, values := range t.header {
			if name = http.CanonicalHeaderKey(name); r.Header[name] == nil {
				r.Header[name] = values
			}
		}
	}
	return t.below.RoundTrip(r)
}
