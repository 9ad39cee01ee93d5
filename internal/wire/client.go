package wire

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Client returns a copy of hc (nil: [http.DefaultClient]) that sends each request exactly once and hands back whatever is answered.
//
// net/http is kept from resending by itself: not for an Idempotency-Key header, not after a refused HTTP/2 stream, only a
// request without a body where a kept connection had died. A redirect is followed in one case only, a 307 or 308 within the
// origin, once: the server said that it did not take the request. The final address is then that of Response.Request.
// A body ends with the request's context, whatever hc sends by, and a reply with status 101 has none.
// Closing idle connections, which a driver below may ask for, is left to the owner of hc.
func Client(hc *http.Client) *http.Client {
	if hc == nil {
		hc = http.DefaultClient
	}
	if _, done := hc.Transport.(once); done {
		return hc
	}
	c := *hc
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = once{c.Transport}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// once is a RoundTripper that hides everything of the one below but RoundTrip, CloseIdleConnections above all.
type once struct{ below http.RoundTripper }

func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.send(r, r.URL, r.Body)
	if err != nil {
		return nil, err
	}
	to := followed(r, resp)
	if to == nil {
		if _, err := r.URL.Parse(resp.Header.Get("Location")); err != nil {
			resp.Header.Del("Location") // net/http would drop the whole reply for it
		}
		return resp, nil
	}
	var body io.ReadCloser
	if r.GetBody != nil {
		if body, err = r.GetBody(); err != nil {
			return resp, nil
		}
	}
	Drain(resp) // what stands in the body of a redirect is for people
	resp.Body.Close()
	if t, ok := r.Context().Value(traceKey{}).(*Trace); ok {
		t.restart()
	}
	return o.send(r, to, body)
}

// send is the one place that every request passes, as often as it goes out.
func (o once) send(r *http.Request, to *url.URL, body io.ReadCloser) (*http.Response, error) {
	resp, err := o.below.RoundTrip(unrepeatable(r, to, body))
	if err != nil {
		return nil, err
	}
	hold(r.Context(), resp)
	return resp, nil
}

// unrepeatable returns a copy of r that net/http cannot send a second time: it cannot get the body again.
func unrepeatable(r *http.Request, to *url.URL, body io.ReadCloser) *http.Request {
	c := r.WithContext(r.Context())
	c.URL, c.Body, c.GetBody = to, body, nil
	return c
}

// followed returns where to send r instead, nil if the reply stands as it is.
func followed(r *http.Request, resp *http.Response) *url.URL {
	if resp.StatusCode != http.StatusTemporaryRedirect && resp.StatusCode != http.StatusPermanentRedirect {
		return nil
	}
	if r.Body != nil && r.Body != http.NoBody && r.GetBody == nil {
		return nil
	}
	to, err := r.URL.Parse(resp.Header.Get("Location"))
	if err != nil || resp.Header.Get("Location") == "" || to.User != nil || !SameOrigin(r.URL, to) {
		return nil
	}
	return to
}

// SameOrigin reports whether two addresses have the same scheme, host and port (RFC 6454, section 5).
func SameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return "443"
	}
	return "80"
}
