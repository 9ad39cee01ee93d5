package interpret_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

func TestTheTextOfAKindSurvivesARoundTrip(t *testing.T) {
	for _, k := range append(interpret.Kinds(), interpret.Unknown, "a_kind_of_a_later_version") {
		raw, err := json.Marshal(map[string]interpret.Kind{"kind": k})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]interpret.Kind
		if err := json.Unmarshal(raw, &back); err != nil || back["kind"] != k {
			t.Errorf("%s came back as %q, %v", raw, back["kind"], err)
		}
		if k.String() != k.Error() || string(raw) != `{"kind":"`+k.String()+`"}` {
			t.Errorf("%q says %q and %q, and marshals as %s", string(k), k.String(), k.Error(), raw)
		}
	}
	if interpret.Unknown.String() != "unknown" {
		t.Errorf("the zero value says %q", interpret.Unknown.String())
	}
}

func TestKindsAreASet(t *testing.T) {
	kinds := interpret.Kinds()
	slices.Sort(kinds)
	if n := len(kinds); len(slices.Compact(kinds)) != n || slices.Contains(kinds, interpret.Unknown) {
		t.Errorf("%q", kinds)
	}
	interpret.Kinds()[0] = "changed"
	if interpret.Kinds()[0] != interpret.OK {
		t.Error("the closed set can be changed")
	}
}

func TestWhoCanFixIt(t *testing.T) {
	want := map[interpret.Fixer][]interpret.Kind{
		interpret.Nobody:       {interpret.Unknown, interpret.OK, interpret.MethodNotFound, interpret.NotMCP, interpret.MalformedReply, interpret.ReplyTooLarge, interpret.Cancelled},
		interpret.FixedByTime:  {interpret.Task, interpret.RateLimited, interpret.Unavailable, interpret.Timeout, interpret.ConnectionLost, interpret.ServerError},
		interpret.FixedByModel: {interpret.ToolError, interpret.InvalidArguments, interpret.UnknownTool, interpret.ResourceNotFound, interpret.UnknownPrompt, interpret.UnknownError},
		interpret.FixedByHost: {interpret.UnsupportedVersion, interpret.LegacyServer, interpret.SessionLost, interpret.HeaderMismatch, interpret.MissingCapability,
			interpret.InputExpired, interpret.InvalidCursor, interpret.InvalidRequest},
		interpret.FixedByPerson: {interpret.InputRequired, interpret.Unauthorized, interpret.InsufficientScope, interpret.Forbidden, interpret.PaymentRequired, interpret.URLElicitation},
	}
	n := 0
	for fixer, kinds := range want {
		for _, k := range kinds {
			if n++; k.Fixer() != fixer {
				t.Errorf("%s is fixed by %s, want %s", k, k.Fixer(), fixer)
			}
		}
	}
	if n != len(interpret.Kinds())+1 {
		t.Errorf("%d kinds of %d are listed", n, len(interpret.Kinds())+1)
	}
	for fixer, word := range map[interpret.Fixer]string{
		interpret.Nobody: "nobody", interpret.FixedByTime: "time", interpret.FixedByModel: "model", interpret.FixedByHost: "host", interpret.FixedByPerson: "user",
	} {
		if text, _ := fixer.MarshalText(); fixer.String() != word || string(text) != word {
			t.Errorf("%q says %q", string(fixer), fixer)
		}
	}
}

// Sampling and roots are the host's to answer, a form is the user's; of both, the user's comes first.
func TestWhoAnswersAnInputRequest(t *testing.T) {
	for want, methods := range map[interpret.Fixer][]string{
		interpret.FixedByHost:   {"sampling/createMessage", "roots/list"},
		interpret.FixedByPerson: {"sampling/createMessage", "elicitation/create"},
	} {
		o := interpret.Outcome{Kind: interpret.InputRequired}
		for _, m := range methods {
			o.InputRequests = append(o.InputRequests, interpret.InputRequest{Method: m})
		}
		if o.Fixer() != want {
			t.Errorf("%q: %s, want %s", methods, o.Fixer(), want)
		}
	}
}

func TestKindOf(t *testing.T) {
	fault := (&interpret.Outcome{Kind: interpret.RateLimited}).Err()
	var none *interpret.Error
	for _, c := range []struct {
		name string
		err  error
		want interpret.Kind
	}{
		{"nil", nil, interpret.OK},
		{"an error of another package", io.EOF, interpret.Unknown},
		{"a fault", fault, interpret.RateLimited},
		{"a wrapped fault", fmt.Errorf("call: %w", fault), interpret.RateLimited},
		{"a joined fault", errors.Join(io.EOF, fault), interpret.RateLimited},
		{"a fault below another", (&interpret.Outcome{Kind: interpret.Timeout}).ErrCause(fault), interpret.Timeout},
		{"a kind itself", interpret.NotMCP, interpret.NotMCP},
		{"a wrapped kind", fmt.Errorf("probe: %w", interpret.NotMCP), interpret.NotMCP},
		{"a nil fault", none, interpret.Unknown},
	} {
		if got := interpret.KindOf(c.err); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWordsOfZeroValues(t *testing.T) {
	for got, want := range map[string]string{
		interpret.RanUnknown.String(): "unknown", interpret.RanNo.String(): "no", interpret.RanYes.String(): "yes",
		interpret.LeaveNever.String(): "never", interpret.LeaveRepeatable.String(): "repeatable", interpret.LeaveRemedy.String(): "remedy", interpret.LeaveAlways.String(): "always",
		interpret.HTTP.String(): "http", interpret.Stdio.String(): "stdio",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if text, err := interpret.RanUnknown.MarshalText(); string(text) != "unknown" || err != nil {
		t.Errorf("ran marshals as %q, %v", text, err)
	}
}

func TestNames(t *testing.T) {
	var unknown *interpret.Names
	empty, two := interpret.NewNames(), interpret.NewNames("b", "a", "b")
	if unknown.Has("a") || unknown.All() != nil || empty.Has("") || empty == nil {
		t.Error("a list that is not known, or is empty, has names")
	}
	if !two.Has("a") || !two.Has("b") || two.Has("c") || !slices.Equal(two.All(), []string{"a", "b"}) {
		t.Errorf("%q", two.All())
	}
	two.All()[0] = "changed"
	if !two.Has("a") {
		t.Error("a set can be changed")
	}
}

func TestTheWordsOfRanAndFixerSurviveARoundTrip(t *testing.T) {
	for _, ran := range []interpret.Ran{interpret.RanUnknown, interpret.RanNo, interpret.RanYes, "later"} {
		var back interpret.Ran
		if raw, err := json.Marshal(ran); err != nil || json.Unmarshal(raw, &back) != nil || back != ran {
			t.Errorf("%s came back as %q, %v", raw, string(back), err)
		}
	}
	for _, fixer := range []interpret.Fixer{interpret.Nobody, interpret.FixedByTime, interpret.FixedByPerson, "later"} {
		var back interpret.Fixer
		if raw, err := json.Marshal(fixer); err != nil || json.Unmarshal(raw, &back) != nil || back != fixer {
			t.Errorf("%s came back as %q, %v", raw, string(back), err)
		}
	}
}
