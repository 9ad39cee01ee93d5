package client_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

// visiting is a host whose user visits pages: open shows the whole address, and opens it on consent.
func visiting(open func(url, why string) (consent bool)) client.Options {
	return client.Options{
		Capabilities: map[string]any{"elicitation": map[string]any{"url": map[string]any{}}},
		OpenURL: func(_ context.Context, pages []interpret.Elicitation) error {
			for _, p := range pages {
				if !open(p.URL, p.Message) {
					return errors.New("the user declined")
				}
			}
			return nil
		},
	}
}

// A server whose user has to visit a page first says so, and the call goes on afterwards.
func ExampleOptions_openURL() {
	server := serving(`"error":{"code":-32042,"message":"connect first","data":{"elicitations":`+
		`[{"mode":"url","elicitationId":"1","url":"https://weather.example/connect","message":"Connect your account"}]}}`, noCity)
	defer server.Close()

	steps(call(server.URL, visiting(func(url, why string) bool {
		fmt.Println("the user is asked:", why, url)
		return true
	})))
	// Output:
	// the user is asked: Connect your account https://weather.example/connect
	// url_elicitation ask
	// tool_error surface
}
