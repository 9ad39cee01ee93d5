package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// telltale are options under which everything that a client tells of a call besides its answer goes into a text.
func telltale() (Options, *bytes.Buffer) {
	var told bytes.Buffer
	log := slog.New(slog.NewTextHandler(&told, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return Options{Logger: log, Observer: tells{&told}}, &told
}

type tells struct{ to *bytes.Buffer }

func (o tells) AttemptStart(ctx context.Context, a retry.Attempt) (context.Context, map[string]string) {
	fmt.Fprintf(o.to, "%+v\n", a)
	return ctx, nil
}

func (o tells) AttemptEnd(_ context.Context, a retry.Attempt) { fmt.Fprintf(o.to, "%+v\n", a) }

// shown is all that is shown of an answer.
func shown(a *retry.Answer) string {
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("m", "outcome", a.Outcome, "error", a.Err())
	fault, _ := errors.AsType[*interpret.Error](a.Err())
	return fmt.Sprintf("%v %+v %+v %v %v %v %v %v %s", a.Err(), fault, a.Outcome, a.Stop, a.Outcome.Said(nil), a.Outcome.Hints(), a.ForModel(), a.ModelContent(), &log)
}

// A server that says a client's credentials back is heard, and nobody reads them.
func TestCredentialsThatAServerEchoes(t *testing.T) {
	const key, token, cookie, user = "3f9a7c1e5b8d2f4a6c0e9b7d1f3a5c8e2b4d6f80", "tenant-42-Zq8w", "Zm9vYmFyYmF6cXV4", "pass-Zq8w-word"
	echo := func(w http.ResponseWriter, r *http.Request, q seen) {
		all := strings.Join([]string{r.Header.Get("X-Api-Key"), r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.Header.Get("X-Environment")}, " ")
		if strings.Contains(string(q.Params), "good") {
			q.reply(w, fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":%q}]}`, all))
			return
		}
		q.fault(w, 200, -32000, "cannot authenticate "+all, fmt.Sprintf(`{"errors":[{"path":"a","message":%q}]}`, all))
	}
	s := newScript(t, true, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, _ int) bool {
		if q.Method == "tools/call" || q.Method == "resources/read" {
			echo(w, r, q)
			return true
		}
		return false
	}
	opts, told := telltale()
	model := &retry.ModelText{Scrub: interpret.NewScrubber("authenticate")}
	opts.Model = model
	c := s.dialAs(t, HTTP{URL: s.URL + "/mcp", Header: http.Header{
		"x-api-key": {key}, "Authorization": {"Bearer " + token}, "Cookie": {"sid=" + cookie}, "X-Environment": {"production"},
	}}, opts)
	secrets := []string{key, token, cookie}
	for _, a := range []*retry.Answer{
		c.CallTool(within(t), "act", nil), c.CallTool(within(t), "good", nil), c.ReadResource(within(t), "file:///"+key+"/"+token),
		c.CallTool(within(t), "act "+token, func() {}), c.CallTool(within(t), "act", []byte(`{"`+cookie+`":1,"`+cookie+`":2}`)),
	} {
		text := shown(a) + told.String()
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s in %s", secret, text)
			}
		}
	}
	a := c.CallTool(within(t), "act", nil)
	if !strings.Contains(a.Outcome.Message, key) || !strings.Contains(a.Err().Error(), "production") {
		t.Errorf("%s, %v", a.Outcome.Message, a.Err())
	}
	if text := a.ForModel(); !strings.Contains(text, "cannot [redacted] [redacted]") || model.Scrub.RedactOwn(key) != key {
		t.Errorf("%s", text)
	}

	c = s.dialAs(t, HTTP{URL: strings.Replace(s.URL, "://", "://bob:"+user+"@", 1) + "/mcp?key=" + cookie}, Options{})
	a = c.CallTool(within(t), "act", nil)
	if text := shown(a); strings.Contains(text, user) || strings.Contains(text, strings.TrimPrefix(a.Outcome.Message, "cannot authenticate  Basic ")) {
		t.Error(text)
	}
	if strings.Contains(c.secrets.scrub.Load().RedactOwn(user+cookie), "w") {
		t.Error("the address has secrets")
	}
}

// What an authorization gave is no more shown than what the host gave, also what it gave before.
func TestCredentialsOfAnAuthorization(t *testing.T) {
	s := newScript(t, true, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/call" {
			return false
		}
		if n < 3 {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="s%d %s"`, n, r.Header.Get("Authorization")))
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		q.fault(w, 200, -32000, r.Header.Get("Authorization")+" is not granted-1-Zq8w", "")
		return true
	}
	opts, told := telltale()
	grants := 0
	opts.Authorize = func(context.Context, Challenge) (http.Header, error) {
		grants++
		return http.Header{"Authorization": {fmt.Sprintf("granted-%d-Zq8w", grants)}}, nil
	}
	c := s.dial(t, opts)
	a := c.CallTool(within(t), "act", nil)
	if text := shown(a) + told.String(); grants != 2 || !strings.Contains(a.Outcome.Message, "granted-2-Zq8w is not granted-1-Zq8w") || strings.Contains(text, "Zq8w") {
		t.Errorf("%d grants: %s", grants, text)
	}
	for range 3 * grantsKept {
		c.secrets.grant([]string{"another-Zq8w"})
	}
	if n := len(c.secrets.granted); n != grantsKept {
		t.Errorf("%d authorizations are remembered", n)
	}
}

// A server may say a credential wherever it says a name or a version.
func TestCredentialsInOtherErrors(t *testing.T) {
	const key = "tenant-42-Zq8w"
	transport := func(s *script) HTTP { return HTTP{URL: s.URL, Header: http.Header{"X-Api-Key": {key}}} }
	s := newScript(t, true, func(w http.ResponseWriter, _ *http.Request, q seen, _ int) bool {
		q.fault(w, 400, -32022, "no", `{"supported":["`+key+`"],"requested":"2026-07-28"}`)
		return true
	})
	a := s.dialAs(t, transport(s), Options{}).Connect(within(t))
	var version *VersionError
	if !errors.As(a.Err(), &version) || version.Theirs[0] != key || strings.Contains(a.Err().Error()+version.Error()+shown(a), key) {
		t.Errorf("%v", a.Err())
	}

	s = newScript(t, true, func(w http.ResponseWriter, _ *http.Request, q seen, _ int) bool {
		if q.Method == "tools/list" {
			q.reply(w, `{"resultType":"complete","tools":[{"name":"act","`+key+`":1,"`+key+`":2},{"name":"b","inputSchema":{"properties":{"`+key+`":{"x-mcp-header":"`+key+` "}}}}]}`)
		}
		return q.Method == "tools/list"
	})
	l := s.dialAs(t, transport(s), Options{}).ListTools(within(t))
	if len(l.Skipped) != 2 {
		t.Fatalf("%+v", l)
	}
	for _, skipped := range l.Skipped {
		if skipped.Why == nil || strings.Contains(skipped.Why.Error(), key) {
			t.Error(skipped.Why)
		}
	}
}

// What a server is started with is known by its name.
func TestSecretsOfAStdioServer(t *testing.T) {
	t.Setenv("EXAMPLE_INHERITED_TOKEN", "inherited-Zq8w")
	for _, inherit := range []bool{false, true} {
		s := childOf("longer")
		s.Args = []string{"--api-key=argument-Zq8w"}
		says := `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"not inherited-Zq8w, environment-Zq8w, argument-Zq8w"}}`
		if inherit {
			t.Setenv(childVar, "longer")
			t.Setenv(childSays, says)
			t.Setenv("EXAMPLE_KEY", "environment-Zq8w")
			s.Env = nil
		} else {
			s.Env = append(s.Env, childSays+"="+says, "EXAMPLE_KEY=environment-Zq8w")
		}
		opts, told := telltale()
		c := dialChild(t, s, opts)
		a := c.CallTool(within(t), "act", nil)
		if text := shown(a) + told.String(); strings.Contains(text, "Zq8w") || !strings.Contains(a.Outcome.Message, "environment-Zq8w") {
			t.Errorf("%s\n%s", a.Outcome.Message, text)
		}
		c.Close()
	}
}

// Calls run while others sign in.
func TestCredentialsAreSafeForConcurrentUse(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, _ int) bool {
		if q.Method != "tools/call" || r.Header.Get("Authorization") != "" {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	c := s.dial(t, Options{Authorize: func(context.Context, Challenge) (http.Header, error) {
		return http.Header{"Authorization": {"granted-Zq8w"}}, nil
	}})
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			if a := c.CallTool(within(t), "act", nil); a.Err() != nil || a.ForModel() == "" {
				t.Error(a.Err())
			}
		})
	}
	work.Wait()
}
