package interpret_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// circumstances are what an exchange has beside bytes. A fuzzer picks each by a digit of one number.
var circumstances = []struct {
	choices int
	apply   func(x *interpret.Exchange, choice int)
}{
	{4, func(x *interpret.Exchange, n int) { x.Request.HTTPMethod = []string{"", "GET", "DELETE", "PUT"}[n] }},
	{len(versions), func(x *interpret.Exchange, n int) {
		if x.Request.Version == "" {
			x.Request.Version = versions[n]
		}
	}},
	{len(eras), func(x *interpret.Exchange, n int) { x.Request.Era = eras[n] }},
	{2, func(x *interpret.Exchange, n int) {
		x.Request.Session = x.Request.Session || n == 1 && x.Request.Transport == interpret.HTTP
	}},
	{3, func(x *interpret.Exchange, n int) {
		names := []*interpret.Names{nil, interpret.NewNames("other"), interpret.NewNames("other", x.Request.Target)}[n]
		x.Request.Known = interpret.Known{Tools: names, Prompts: names, Resources: names}
	}},
	{2, func(x *interpret.Exchange, n int) {
		if n == 1 && x.Request.State == interpret.StateFirst {
			x.Request.State = interpret.StateAgain
		}
	}},
	{len(capabilities), func(x *interpret.Exchange, n int) {
		if x.Request.Capabilities == nil {
			x.Request.Capabilities = capabilities[n]
		}
	}},
	{2, func(x *interpret.Exchange, n int) { x.Request.ParamHeaders = n == 1 }},
	{3, func(x *interpret.Exchange, n int) {
		switch r := &x.Request; n {
		case 1:
			r.Headers = rebuilt(r)
		case 2:
			r.Headers = http.Header{}
		}
	}},
	{2, func(x *interpret.Exchange, n int) { x.Request.InFlight = n }},
	{2, func(x *interpret.Exchange, n int) { x.Truncated = n == 1 }},
	{1 + len(failures), func(x *interpret.Exchange, n int) {
		if n > 0 {
			x.Failure = &interpret.Failure{What: failures[n-1]}
		}
	}},
	{len(deliveries), func(x *interpret.Exchange, n int) {
		if x.Failure != nil {
			x.Failure.Delivery = deliveries[n]
		}
	}},
	{2, func(x *interpret.Exchange, n int) {
		if n == 1 {
			x.Request.ResultTypes = []string{"extended"}
		}
	}},
}

var (
	versions     = append([]string{"", "2099-01-01"}, interpret.Versions()...)
	eras         = []interpret.Era{interpret.EraUnknown, interpret.EraLegacy, interpret.EraModern}
	capabilities = [][]string{nil, {"elicitation"}, {"elicitation.form"}, {"elicitation.url"}, {"sampling"}, {"roots"},
		{"elicitation.form", "sampling"}, {"elicitation.form", "elicitation.url", "roots.listChanged", "sampling"}}
	failures = []interpret.FailureWhat{interpret.FailedTimeout, interpret.FailedCancelled, interpret.FailedRefused, interpret.FailedReset,
		interpret.FailedEOF, interpret.FailedExited, interpret.FailedDNS, interpret.FailedTLS, interpret.FailedProtocol}
	deliveries = []interpret.Delivery{interpret.DeliveryUnknown, interpret.DeliveryNotSent, interpret.DeliveryWritten, interpret.DeliveryAnswering}
)

// rebuilt are the headers of 2026-07-28 that follow from a request.
func rebuilt(r *interpret.Request) http.Header {
	h := http.Header{"Mcp-Method": {r.Method}, "Mcp-Protocol-Version": {r.Version}}
	if r.Target != "" {
		h.Set("Mcp-Name", r.Target)
	}
	return h
}

// fuzzed makes an exchange of what a fuzzer can vary: the circumstances by number, the request by its bytes, the reply by its head and bytes.
// Without a head, the request went over stdio, and the reply is lines.
func fuzzed(how uint64, request []byte, status uint16, head string, reply []byte) interpret.Exchange {
	var x interpret.Exchange
	if head == "" {
		x.Request, _ = interpret.ParseRequest(request, nil)
		x.Lines = bytes.Split(reply, []byte("\n"))
	} else {
		x.Request, _ = interpret.ParseRequest(request, http.Header{})
		x.Status, x.Header, x.Body = int(status), http.Header{}, reply
		for line := range strings.SplitSeq(head, "\n") {
			if name, value, ok := strings.Cut(line, ":"); ok {
				x.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
			}
		}
	}
	for _, c := range circumstances {
		n := uint64(c.choices)
		c.apply(&x, int(how%n))
		how /= n
	}
	return x
}

// seed is what fuzzed makes an exchange like x from.
func seed(x interpret.Exchange) (how uint64, request []byte, status uint16, head string, reply []byte) {
	request, _ = sent(&x.Request)
	r := &x.Request
	known := r.Known.Tools
	switch r.Method {
	case "prompts/get":
		known = r.Known.Prompts
	case "resources/read":
		known = r.Known.Resources
	}
	on := func(is ...bool) int { return slices.Index(is, true) + 1 }
	digits := []int{
		max(0, slices.Index([]string{"", "GET", "DELETE", "PUT"}, r.HTTPMethod)),
		max(0, slices.Index(versions, r.Version)),
		slices.Index(eras, r.Era),
		on(r.Session),
		on(known != nil && !known.Has(r.Target), known != nil),
		on(r.State == interpret.StateAgain),
		max(0, slices.IndexFunc(capabilities, func(c []string) bool { return slices.Equal(c, r.Capabilities) })),
		on(r.ParamHeaders),
		on(r.Headers != nil && maps.EqualFunc(r.Headers, rebuilt(r), slices.Equal), r.Headers != nil),
		min(r.InFlight, 1),
		on(x.Truncated),
		0, 0, 0, // the failure, its delivery, and result types of an extension
	}
	if x.Failure != nil {
		digits[11] = slices.Index(failures, x.Failure.What) + 1
		digits[12] = slices.Index(deliveries, x.Failure.Delivery)
	}
	for i, d := range slices.Backward(digits) {
		how = how*uint64(circumstances[i].choices) + uint64(d)
	}
	if r.Transport == interpret.Stdio {
		return how, request, 0, "", bytes.Join(x.Lines, []byte("\n"))
	}
	var lines []string
	for name, values := range x.Header {
		for _, v := range values {
			lines = append(lines, name+": "+v)
		}
	}
	slices.Sort(lines)
	return how, request, uint16(x.Status), strings.Join(append(lines, ""), "\n") + "\n", x.Body
}

// Seeds that read otherwise than what they were made from would lead a fuzzer nowhere.
func TestSeedsReadLikeTheCorpus(t *testing.T) {
	cases, apart := distinct(t), 0
	for _, c := range cases {
		want, got := interpret.Reply(c.x), interpret.Reply(fuzzed(seed(c.x)))
		if got.Kind != want.Kind || got.Leave != want.Leave || !slices.Equal(got.Deviations, want.Deviations) {
			t.Logf("%s: %s, want %s", c.ID, brief(got), brief(want))
			apart++
		}
	}
	if apart*20 > len(cases) {
		t.Errorf("%d of %d seeds read otherwise than their cases", apart, len(cases))
	}
}

// seeds are what a fuzzer starts from: of the cases that the same rule names over the same transport, the first. It runs all of them before
// it varies any.
func seeds(f *testing.F) (list []corpusCase) {
	seen := map[string]bool{}
	for _, c := range distinct(f) {
		if key := fmt.Sprint(c.x.Request.Transport, interpret.Reply(c.x).Why[0]); !seen[key] {
			seen[key] = true
			list = append(list, c)
		}
	}
	return list
}

func FuzzReply(f *testing.F) {
	for _, c := range seeds(f) {
		how, request, status, head, reply := seed(c.x)
		f.Add(how, request, status, head, reply)
	}
	f.Fuzz(func(t *testing.T, how uint64, request []byte, status uint16, head string, reply []byte) {
		soundly(t, fuzzed(how, request, status, head, reply))
	})
}

// plainStream is whole events, each with one line of data, its last.
var plainStream = regexp.MustCompile(`^(?:(?:(?:event|id|retry): ?[^\r\n]*\r?\n)*data: ?[^\r\n]*\r?\n\r?\n)+$`)

func FuzzHostileVariant(f *testing.F) {
	for i, c := range seeds(f) {
		how, request, status, head, reply := seed(c.x)
		f.Add(how, request, status, head, reply, uint(i))
	}
	f.Fuzz(func(t *testing.T, how uint64, request []byte, status uint16, head string, reply []byte, which uint) {
		x := fuzzed(how, request, status, head, reply)
		if x.Request.Method == "" || x.Request.ID == "" {
			return // nothing answers a GET, a DELETE or a notification: what comes beside 2xx is no matter
		}
		if strings.Contains(strings.ToLower(x.Header.Get("Content-Type")), "text/event-stream") && !plainStream.Match(x.Body) {
			return // what a variant does to the events around it is FuzzScan's to find
		}
		c, ok := answerOf(x)
		if !ok {
			return
		}
		list, n := members(c.text), uint(len(variants))
		v, m := &variants[which%n], list[which/n%uint(len(list))]
		v.try(c, m, func(why string) { t.Error(why) })
	})
}
