package otel_test

import (
	"log"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/client/otel"
)

// A host gives each client an observer of its own; spans and metrics go to the global providers that it has set up.
func Example() {
	const endpoint = "https://mcp.example/mcp"
	observer, err := otel.New(otel.Options{Server: "files", URL: endpoint})
	if err != nil {
		log.Fatal(err)
	}
	c, err := client.New(client.HTTP{URL: endpoint}, client.Options{Observer: observer})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
}
