package client

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// pages answers tools/list by cursor: a page's cursor is its number, the last has none.
func pages(n int, next func(page int) string) func(http.ResponseWriter, *http.Request, seen, int) bool {
	return func(w http.ResponseWriter, r *http.Request, q seen, _ int) bool {
		if q.Method != "tools/list" {
			return false
		}
		params, _ := parseObject(q.Params)
		page := 0
		fmt.Sscan(params.text("cursor"), &page)
		more := ""
		if page < n-1 {
			more = `,"nextCursor":"` + next(page) + `"`
		}
		q.reply(w, fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"t%d","inputSchema":{}}]%s}`, page, more))
		return true
	}
}

func TestListReadsAllPages(t *testing.T) {
	s := newScript(t, true, pages(4, func(p int) string { return fmt.Sprint(p + 1) }))
	for _, most := range []int64{0, math.MaxInt64} {
		if l := s.dial(t, Options{MaxReply: most}).ListTools(within(t)); l.Err() != nil || fmt.Sprint(l.names()) != "[t0 t1 t2 t3]" {
			t.Errorf("replies of at most %d bytes: %v, %v", most, l.names(), l.Err())
		}
	}
}

func TestPageThatIsNoList(t *testing.T) {
	for _, tools := range []string{`{}`, `"none"`, `7`} {
		s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, _ int) bool {
			if q.Method == "prompts/list" {
				q.reply(w, `{"resultType":"complete","prompts":`+tools+`,"nextCursor":"1"}`)
			}
			return q.Method == "prompts/list"
		})
		l := s.dial(t, Options{}).ListPrompts(within(t))
		if l.Err() == nil || len(s.got("prompts/list")) != 1 {
			t.Errorf("%s: %v after %d pages", tools, l.Err(), len(s.got("prompts/list")))
		}
	}
}

func TestCursorThatDoesNotAdvance(t *testing.T) {
	for name, next := range map[string]func(int) string{
		"the same again": func(p int) string { return "1" },
		"in a circle":    func(p int) string { return fmt.Sprint((p + 1) % 3) },
	} {
		s := newScript(t, true, pages(1_000_000, next))
		l := s.dial(t, Options{}).ListTools(within(t))
		if !errors.Is(l.Err(), errCursor) || len(s.got("tools/list")) > 4 {
			t.Errorf("%s: %v after %d pages", name, l.Err(), len(s.got("tools/list")))
		}
		if len(l.Items) == 0 {
			t.Errorf("%s: the tools so far are lost", name)
		}
	}
}

func TestRefusedCursorRestartsTheList(t *testing.T) {
	refused := false
	page := pages(3, func(p int) string { return fmt.Sprint(p + 1) })
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/list" && n == 2 {
			refused = true
			q.fault(w, 200, -32602, "Invalid cursor", "")
			return true
		}
		return page(w, r, q, n)
	})
	l := s.dial(t, Options{}).ListTools(within(t))
	if l.Err() != nil || !refused || fmt.Sprint(l.names()) != "[t0 t1 t2]" || l.Skipped != nil {
		t.Errorf("%v, %v, skipped %v", l.names(), l.Err(), l.Skipped)
	}
}

// A bridge whose backend is down answers tools/list with an empty list.
func TestOneEmptyListForgetsNothing(t *testing.T) {
	empty := false
	s := newScript(t, true, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.Method == "tools/list" && empty:
			q.reply(w, `{"resultType":"complete","tools":[]}`)
		case q.Method == "tools/call":
			q.fault(w, 200, -32602, "bad", "")
		default:
			return false
		}
		return true
	}
	c := s.dial(t, Options{})
	kind := func() interpret.Kind { return c.CallTool(within(t), "act", nil).Outcome.Kind }
	c.ListTools(within(t))
	empty = true
	c.ListTools(within(t))
	if k := kind(); k != interpret.InvalidArguments {
		t.Errorf("after one empty list: %v", k)
	}
	c.ListTools(within(t))
	if k := kind(); k != interpret.UnknownTool {
		t.Errorf("after two empty lists: %v", k)
	}
}

func TestFeatureThatTheServerDoesNotHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{on: func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			switch q.Method {
			case "initialize":
				q.reply(w, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`)
			case "resources/list": // never answered (Python SDK up to 1.6)
				<-r.Context().Done()
			case "resources/templates/list":
				q.fault(w, 200, -32601, "Method not found", "")
			default:
				return false
			}
			return true
		}}
		c := dialBubble(t, s, Options{Timeout: time.Second})
		if l := c.ListPrompts(t.Context()); !l.Absent || l.Err() != nil || len(s.got("prompts/list")) != 0 {
			t.Errorf("undeclared: %+v", l)
		}
		if l := c.ListResources(t.Context()); !l.Absent || l.Err() != nil || len(s.got("resources/list")) != 1 {
			t.Errorf("unanswered: %+v, asked %d times", l, len(s.got("resources/list")))
		}
		if l := c.ListResourceTemplates(t.Context()); !l.Absent || l.Err() != nil {
			t.Errorf("refused: %+v", l)
		}
		if l := c.ListTools(t.Context()); l.Absent || l.Err() != nil {
			t.Errorf("tools: %+v", l)
		}
	})
}

func TestHintsOfATrustedServerAllowAResend(t *testing.T) {
	for _, trust := range []bool{false, true} {
		executions := 0
		s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			switch q.Method {
			case "tools/list":
				q.reply(w, `{"resultType":"complete","tools":[{"name":"act","inputSchema":{},"annotations":{"readOnlyHint":true}}]}`)
				return true
			case "tools/call":
				if executions++; executions == 1 {
					http.Error(w, "down", http.StatusServiceUnavailable)
					return true
				}
			}
			return false
		})
		c := s.dial(t, Options{TrustHints: trust})
		c.ListTools(within(t))
		a := c.CallTool(within(t), "act", nil)
		if resent := a.Decision.Action == retry.Proceed; resent != trust {
			t.Errorf("trusted %v: %v, %d executions", trust, a.Decision, executions)
		}
	}
}

func TestAListHasSoManyEntries(t *testing.T) {
	page := `[` + strings.Repeat(`{"name":"a"},1,`, maxEntries) + `{}]`
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/list" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":%s}}`, q.ID, page)
		return true
	})
	l := s.dial(t, Options{}).ListTools(within(t))
	if n := len(l.Items) + len(l.Skipped); !errors.Is(l.Err(), errEndless) || n != maxEntries {
		t.Errorf("%d entries, %v", n, l.Err())
	}
}
