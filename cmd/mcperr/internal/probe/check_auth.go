package probe

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	internalwire "github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// metadataGets is how many addresses are tried for the metadata of RFC 9728.
const metadataGets = 2

var noCredentials = Check{
	ID: "no_credentials", Asks: "a request without credentials", over: overHTTP, sends: 1 + metadataGets, closed: true, early: true,
	wants: []want{{says: "HTTP 401 with a Bearer challenge, and metadata that names an authorization server", ref: "basic/authorization"}},
	unfit: func(p *Probe) string {
		if len(p.credentials()) == 0 && !p.shut() {
			return "no credentials were given (--header)"
		}
		return ""
	},
	ask: func(ctx context.Context, a *asking) {
		q := a.request(a.harmless(), nil)
		if a.shut() {
			q = a.modern(interpret.Version20260728, "server/discover", nil)
		}
		for _, name := range a.credentials() {
			q.header.Del(name)
		}
		r := a.send(ctx, q)
		if r.m != nil && r.m.Result != nil {
			a.why = "the server answers without them"
			return
		}
		if a.aside(interpret.Unauthorized, interpret.Forbidden) {
			return
		}
		a.must(r.x.Status != 0, "%s", a.unanswered())
		a.challenged(ctx)
	},
}

// challenged judges a refusal for want of credentials, which is the last reply.
func (a *asking) challenged(ctx context.Context) {
	r := a.last
	a.status(http.StatusUnauthorized)
	if r.x.Status != http.StatusUnauthorized {
		return
	}
	bearer := false
	for _, s := range r.o.Schemes {
		bearer = bearer || strings.EqualFold(s, "Bearer")
	}
	a.must(bearer, "it has no Bearer challenge in WWW-Authenticate")
	own, _ := url.Parse(a.opts.URL)
	var places []string
	if r.o.ResourceMetadata != "" {
		places = []string{r.o.ResourceMetadata}
	} else {
		a.notes = append(a.notes, "its challenge names no resource_metadata: the well-known addresses are left")
		root := url.URL{Scheme: own.Scheme, Host: own.Host, Path: "/.well-known/oauth-protected-resource"}
		if path := strings.TrimSuffix(own.Path, "/"); path != "" {
			places = append(places, root.String()+path)
		}
		places = append(places, root.String())
	}
	for _, place := range places {
		u, err := own.Parse(place)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https":
			a.must(false, "its resource_metadata is no address")
			return
		case !internalwire.SameOrigin(own, u):
			a.notes = append(a.notes, "its metadata stand at another origin and were not fetched")
			return
		}
		if a.metadata(ctx, u.String()) {
			return
		}
	}
	a.must(false, "its metadata (RFC 9728) cannot be read: nothing names an authorization server")
}

// metadata reports whether the address has a document that names an authorization server. The credentials do not go there.
func (a *asking) metadata(ctx context.Context, address string) bool {
	a.watching = nil // it is no reply of the protocol
	defer func() { a.watching = a.check }()
	q := &question{verb: http.MethodGet, to: address, header: http.Header{"Accept": {"application/json"}}}
	x := a.Probe.send(ctx, q).x
	var doc struct {
		Servers []string `json:"authorization_servers"`
	}
	return x.Status == http.StatusOK && json.Unmarshal(x.Body, &doc) == nil && len(doc.Servers) > 0
}

// shut reports whether the server lets nobody in without credentials.
func (p *Probe) shut() bool { return p.server.shut }

// credentials are the names of the given headers that look as if they held some.
func (p *Probe) credentials() (names []string) {
	for name := range p.opts.Header {
		n := strings.ToLower(name)
		for _, word := range []string{"auth", "cookie", "key", "token", "secret", "session", "password"} {
			if strings.Contains(n, word) {
				names = append(names, name)
				break
			}
		}
	}
	return names
}
