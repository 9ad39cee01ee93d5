package interpret_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// ruleIDs is every id that may stand in Why.
var ruleIDs = func() map[string]bool {
	ids := map[string]bool{}
	for _, r := range interpret.Rules() {
		ids[r.ID] = true
	}
	return ids
}()

// soundly reads an exchange and checks what holds for any: that reading it again says the same and changes nothing, and that no outcome
// contradicts itself.
func soundly(t *testing.T, x interpret.Exchange) interpret.Outcome {
	t.Helper()
	body, lines, sent := bytes.Clone(x.Body), bytes.Join(x.Lines, []byte("\n")), bytes.Clone(x.Request.Body)
	o := interpret.Reply(x)
	if again := interpret.Reply(x); !reflect.DeepEqual(o, again) {
		t.Errorf("read twice, and read apart:\n%+v\n%+v", o, again)
	}
	if !bytes.Equal(x.Body, body) || !bytes.Equal(bytes.Join(x.Lines, []byte("\n")), lines) || !bytes.Equal(x.Request.Body, sent) {
		t.Error("reading changed the bytes read")
	}
	for _, f := range contradictions(x, o) {
		t.Errorf("%s\n%+v", f, o)
	}
	return o
}

// contradictions returns what is wrong with an outcome, whatever the exchange was.
func contradictions(x interpret.Exchange, o interpret.Outcome) (list []string) {
	holds := func(ok bool, says string) {
		if !ok {
			list = append(list, says)
		}
	}
	holds(slices.Contains(interpret.Kinds(), o.Kind), "the kind is none of the closed set")
	holds(o.Remedy == "" || slices.Contains(interpret.Remedies(), o.Remedy), "the remedy is none of the closed set")
	holds(slices.Contains([]interpret.Origin{interpret.OriginServer, interpret.OriginGateway, interpret.OriginClient}, o.Origin), "the origin is missing")
	holds(slices.Contains([]interpret.Basis{interpret.BasisDefined, interpret.BasisShape, interpret.BasisText}, o.Basis), "the basis is missing")
	holds(o.Origin != interpret.OriginGateway || x.Status != 0 && !o.Answered, "a gateway speaks JSON-RPC")

	holds(o.Ran != interpret.RanYes || o.Leave == interpret.LeaveNever || o.Kind == interpret.UnsupportedVersion, "it ran, and may be sent again")
	holds(o.Ran == interpret.RanNo || o.Leave != interpret.LeaveAlways, "it may be sent again at any time, and may have run")
	holds(o.Kind != interpret.Cancelled || o.Leave == interpret.LeaveNever, "cancelled, and may be sent again")
	holds(o.Leave != interpret.LeaveRemedy || o.Remedy != "" || o.Ran != interpret.RanYes, "may be sent again after a remedy, and names none")
	request := x.Request.Method != "" || x.Request.HTTPMethod == "GET" || x.Request.HTTPMethod == "DELETE"
	holds(request || o.Leave == interpret.LeaveNever, "what was no request may be sent again")
	holds(!x.Request.IsNotification() || o.Leave == interpret.LeaveNever || o.Kind == interpret.SessionLost, "a notification may be sent again")

	holds(o.RetryAfter >= 0 && o.RetryAfter <= 365*24*time.Hour, "a wait beyond a year")
	holds(o.Tries >= 0, "a negative number of resends")
	holds(slices.IsSorted(o.Deviations) && len(slices.Compact(slices.Clone(o.Deviations))) == len(o.Deviations), "deviations are unsorted, or repeat")
	holds(len(o.Why) >= 2 && !slices.ContainsFunc(o.Why, func(id string) bool { return !ruleIDs[id] }), "why names what is no rule")
	holds(o.HasCode || o.Code == 0, "a code that was not read")
	holds(-1<<53 < o.Code && o.Code < 1<<53, "a code of more than 53 bits")
	holds(len(o.Supported) <= 64 && len(o.Elicitations) <= 16 && len(o.InputRequests) <= 1024 && len(o.RequiredCapabilities) <= 1024 && len(o.Pending) <= 16,
		"a list without a bound")
	holds(!slices.ContainsFunc(o.Elicitations, func(e interpret.Elicitation) bool {
		u := strings.ToLower(e.URL)
		return !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://")
	}), "a page that is not of the web")
	holds(o.Kind != interpret.URLElicitation || len(o.Elicitations) > 0, "a page to visit, and no page")
	holds(o.Kind != interpret.Task && o.Kind != interpret.InputRequired || o.Answered, "a result that did not answer")
	holds(o.Err() == nil == (o.Kind == interpret.OK || o.Kind == interpret.Task), "an error for a success, or none for a fault")
	return list
}

func TestEveryCaseIsSound(t *testing.T) {
	for _, c := range corpus(t) {
		t.Run(c.ID, func(t *testing.T) { soundly(t, c.x) })
	}
}
