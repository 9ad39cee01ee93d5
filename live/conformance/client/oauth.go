package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// oauth is the host's side of an authorization: it turns a challenge into a token, as a browser and a person would.
// It registers once with the authorization server and goes through the code flow with PKCE for each set of scopes.
type oauth struct {
	resource string // the server's URL
	clientID string
}

const redirectURL = "http://localhost:0/callback" // nothing listens there: the code is read from the redirect itself

// token authorizes for the scopes. Without any it asks for those that the resource names, if it names some.
func (o *oauth) token(ctx context.Context, metadataURL string, scopes []string) (string, error) {
	resource, err := oauthex.GetProtectedResourceMetadata(ctx, metadataURL, o.resource, http.DefaultClient)
	if err != nil {
		return "", err
	}
	if len(resource.AuthorizationServers) == 0 {
		return "", errors.New("the resource names no authorization server")
	}
	if len(scopes) == 0 {
		scopes = resource.ScopesSupported
	}
	issuer := resource.AuthorizationServers[0]
	server, err := oauthex.GetAuthServerMeta(ctx, wellKnown(issuer), issuer, http.DefaultClient)
	if err != nil {
		return "", err
	}
	if server == nil {
		return "", fmt.Errorf("%s has no metadata", issuer)
	}
	if o.clientID == "" {
		client, err := oauthex.RegisterClient(ctx, server.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{
			ClientName: "mcperr", RedirectURIs: []string{redirectURL}, ApplicationType: "native", TokenEndpointAuthMethod: "none",
		}, http.DefaultClient)
		if err != nil {
			return "", err
		}
		o.clientID = client.ClientID
	}
	config := oauth2.Config{
		ClientID: o.clientID, RedirectURL: redirectURL, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: server.AuthorizationEndpoint, TokenURL: server.TokenEndpoint, AuthStyle: oauth2.AuthStyleInParams},
	}
	verifier := oauth2.GenerateVerifier()
	target := oauth2.SetAuthURLParam("resource", o.resource)
	code, err := authorize(ctx, config.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier), target), issuer)
	if err != nil {
		return "", err
	}
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier), target)
	if err != nil {
		return "", err
	}
	return token.AccessToken, nil
}

// authorize visits the page, whose server consents at once, and takes the code out of the redirect back to us.
func authorize(ctx context.Context, page, issuer string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		return "", err
	}
	answer := back.Query()
	if answer.Get("state") != "state" || answer.Has("iss") && answer.Get("iss") != issuer {
		return "", errors.New("the redirect answers another request")
	}
	return answer.Get("code"), nil
}

// wellKnown returns where an issuer keeps its metadata (RFC 8414, section 3.1).
func wellKnown(issuer string) string {
	u, err := url.Parse(issuer)
	if err != nil {
		return issuer
	}
	u.Path = "/.well-known/oauth-authorization-server" + strings.TrimSuffix(u.Path, "/")
	return u.String()
}
