package main

import (
	"context"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/retry"
)

// TestDemo plays the scenes once, over real HTTP, and then looks at what is shown of them.
func TestDemo(t *testing.T) {
	corpus, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	takes, stop, err := stage(context.Background(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	played := make([]take, len(takes))
	for i := range takes {
		played[i] = <-takes[i]
	}
	if len(scenes) != 16 {
		t.Errorf("%d calls; the README says sixteen", len(scenes))
	}
	for i, s := range scenes {
		k := played[i]
		if k.err != nil {
			t.Fatalf("%s %s: %v", s.who, s.about, k.err)
		}
		if got := k.answer.Decision.Action; got != s.ends {
			t.Errorf("%s %s: ends in %s, want %s: %v", s.who, s.about, got, s.ends, k.answer.Err())
		}
		// What ends without a result was asked for once; what ends with one used each recorded reply.
		for method, ids := range s.replies {
			want := len(ids)
			if s.ends != retry.Proceed && method != "server/discover" && method != "initialize" {
				want = 1
			}
			if got := k.server.Given(method); got != want && method != "server/discover" && method != "initialize" {
				t.Errorf("%s %s: %s was run %d times, want %d", s.who, s.about, method, got, want)
			}
		}
	}
	for _, width := range []int{80, 100, 120} {
		e, out := testEnv("")
		e.width = width
		for i := range takes {
			takes[i] <- played[i]
		}
		if err := e.show(takes); err != nil {
			t.Error(err)
		}
		e.out.Flush()
		for l := range strings.SplitSeq(out.String(), "\n") {
			if n := len([]rune(l)); n > width {
				t.Errorf("%d columns in %d: %s", n, width, l)
			}
		}
		for _, s := range scenes {
			if !strings.Contains(out.String(), s.who+" "+s.about+"\n") {
				t.Errorf("no scene of %s", s.who)
			}
		}
		for _, row := range []string{"rate_limited", "session_lost", "unsupported_version", "legacy_server", "url_elicitation", "unauthorized", "not_mcp", "missing_capability"} {
			if !strings.Contains(out.String(), row) {
				t.Errorf("no row about %s", row)
			}
		}
	}
}

func TestDemoFailsWhereASceneEndsOtherwise(t *testing.T) {
	e, _ := testEnv("")
	takes := make([]chan take, len(scenes))
	for i, s := range scenes {
		takes[i] = make(chan take, 1)
		takes[i] <- take{answer: &retry.Answer{Decision: retry.Decision{Action: s.ends}}}
	}
	<-takes[3]
	takes[3] <- take{answer: &retry.Answer{Decision: retry.Decision{Action: retry.Retry}}}
	if err := e.show(takes); err == nil || !strings.Contains(err.Error(), scenes[3].who) {
		t.Errorf("%v", err)
	}
}
