package client_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/mcperr/mcperr/client"
)

// signingIn is a host that can sign in: token gets one for scopes, as by OAuth.
func signingIn(token func(ctx context.Context, scopes []string) (string, error)) client.Options {
	return client.Options{
		Authorize: func(ctx context.Context, c client.Challenge) (http.Header, error) {
			t, err := token(ctx, c.Scopes)
			return http.Header{"Authorization": {"Bearer " + t}}, err
		},
	}
}

// With a function that signs in, the call goes on by itself; without one it ends in Ask and says what is wanted.
func ExampleOptions_authorize() {
	server := httptest.NewServer(guarded(tool(noCity)))
	defer server.Close()

	token := func(context.Context, []string) (string, error) { return "t0ken", nil }
	for _, options := range []client.Options{{}, signingIn(token)} {
		answer := call(server.URL, options)
		fmt.Println(answer.Outcome.Kind, answer.Decision.Action, answer.Outcome.Scopes)
	}
	// Output:
	// unauthorized ask [weather:read]
	// tool_error surface []
}

// guarded puts a server behind a sign-in.
func guarded(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			w.Header().Set("WWW-Authenticate", `Bearer scope="weather:read"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	}
}
