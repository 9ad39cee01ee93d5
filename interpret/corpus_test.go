package interpret_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

// corpusCase is one case of the corpus beside the exchange that it describes.
// That each reads as its label says is tested at the top of the module, where the policy is known, too.
type corpusCase struct {
	fixtures.Case
	x interpret.Exchange
}

var readCorpus = sync.OnceValues(func() (all []corpusCase, err error) {
	for c, e := range fixtures.Cases() {
		x, e2 := c.Exchange()
		all, err = append(all, corpusCase{c, x}), errors.Join(err, e, e2)
	}
	return all, err
})

// corpus returns every case, or ends the test.
func corpus(tb testing.TB) []corpusCase {
	tb.Helper()
	all, err := readCorpus()
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// distinct returns, of the cases that the same rules read alike over the same transport, the first.
func distinct(tb testing.TB) (list []corpusCase) {
	tb.Helper()
	seen := map[string]bool{}
	for _, c := range corpus(tb) {
		o := interpret.Reply(c.x)
		media := c.x.Header.Get("Content-Type")
		if key := fmt.Sprint(c.x.Request.Transport, media, o.Why, o.Deviations); !seen[key] {
			seen[key] = true
			list = append(list, c)
		}
	}
	return list
}

// labelled returns what a label could say of an outcome, with its leave in the place of an action.
func labelled(o interpret.Outcome) fixtures.Reading {
	return fixtures.ReadingOf(o, o.Leave.String(), o.Remedy)
}

// beyond are readings that the taxonomy fixes and no recording shows.
var beyond = []struct {
	id    string
	x     interpret.Exchange
	kind  interpret.Kind
	ran   interpret.Ran
	leave interpret.Leave
}{
	{"GET opens the listening stream",
		interpret.Exchange{Request: listen, Status: 200, Header: eventStream, Body: []byte(": open\n\n")},
		interpret.OK, interpret.RanNo, interpret.LeaveAlways},
	{"-32601 says that there is no such tool",
		answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown tool: add"}}`),
		interpret.UnknownTool, interpret.RanNo, interpret.LeaveRemedy},
	{"-32601 wants a capability and does not say which",
		answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no back-channel for requests of the server"}}`),
		interpret.MissingCapability, interpret.RanUnknown, interpret.LeaveRepeatable},
	{"the draft's -32003 names no capability",
		answer(`{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"no","data":{"requiredCapabilities":{}}}}`),
		interpret.MissingCapability, interpret.RanUnknown, interpret.LeaveRepeatable},
	{"half an error under a status that takes no request",
		interpret.Exchange{Request: call, Status: 405, Header: jsonBody, Body: []byte(`{"jsonrpc":"2.0","id":1,"err`),
			Failure: &interpret.Failure{What: interpret.FailedEOF, Delivery: interpret.DeliveryAnswering}},
		interpret.ConnectionLost, interpret.RanUnknown, interpret.LeaveRepeatable},
}

var (
	jsonBody    = http.Header{"Content-Type": {"application/json"}}
	eventStream = http.Header{"Content-Type": {"text/event-stream"}}

	call = interpret.Request{
		Method: "tools/call", Target: "add", ID: "1", Version: interpret.Version20251125, Era: interpret.EraLegacy, Arguments: interpret.ArgumentsObject,
	}
	listen = interpret.Request{HTTPMethod: http.MethodGet, Version: interpret.Version20251125, Era: interpret.EraLegacy, Session: true}
)

// answer is a call of the tool add with the id 1 and the JSON body that came back with 200.
func answer(body string) interpret.Exchange {
	return interpret.Exchange{Request: call, Status: 200, Header: jsonBody, Body: []byte(body)}
}

// labelledText is labelled, and the rules, as one text.
func labelledText(o interpret.Outcome) string {
	r := labelled(o)
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return fmt.Sprint(string(text), o.Why)
}
