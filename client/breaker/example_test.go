package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/client/breaker"
	"github.com/mcperr/mcperr/retry"
)

// behind opens a client behind a circuit, such as breaker.New(nil, breaker.Options{}). Each server has one of its own.
func behind(circuit *breaker.Transport, endpoint string, o client.Options) (*client.Client, error) {
	return client.New(client.HTTP{URL: endpoint, Client: &http.Client{Transport: circuit}}, o)
}

// A server that cannot be reached is asked a few times, and then no more for a while: calls fail at once.
func Example() {
	const nobody = "http://127.0.0.1:1" // no server listens there

	circuit := breaker.New(nil, breaker.Options{Failures: 2})
	c, err := behind(circuit, nobody, client.Options{Policy: &retry.Policy{Attempts: 2, FirstDelay: time.Millisecond}})
	if err != nil {
		panic(err)
	}
	defer c.Close()
	for range 2 {
		answer := c.CallTool(context.Background(), "search", nil)
		fmt.Println(answer.Outcome.Kind, "ran", answer.Outcome.Ran, circuit.State(), errors.Is(answer.Err(), breaker.ErrOpen))
	}
	// Output:
	// unavailable ran no open false
	// unavailable ran no open true
}
