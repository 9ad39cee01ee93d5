package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// serve is the first argument that makes the test binary a stdio server; the era follows, and the names of what it does wrong.
const serve = "serve-stdio"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == serve {
		s := &server{era: interpret.Era(os.Args[2]), sessions: map[string]bool{}}
		for _, f := range slices.Concat(spoilings, worst) {
			if slices.Contains(os.Args[3:], f.name) {
				s.spoil = append(s.spoil, f.spoil)
			}
		}
		s.serveStdio(os.Stdin, os.Stdout)
		return
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the children have no need to linger
	os.Exit(m.Run())
}

// way is a transport and an era.
type way struct {
	over transports
	era  interpret.Era
}

func (w way) String() string { return string(w.over) + "/" + string(w.era) }

var ways = []way{{overHTTP, modernEra}, {overHTTP, legacyEra}, {overStdio, modernEra}, {overStdio, legacyEra}}

func (f *spoiling) fits(w way) bool {
	return (f.over == overBoth || f.over == w.over) && (f.era == interpret.EraUnknown || f.era == w.era)
}

const credential = "the-credential-of-the-tests"

// ask probes a server of the way that does these things wrong.
func (w way) ask(t *testing.T, faults ...spoiling) (*server, Report, *Probe) {
	t.Helper()
	s := &server{era: w.era, http: w.over == overHTTP, secret: credential, sessions: map[string]bool{}}
	command := []string{os.Args[0], serve, string(w.era)}
	var silent []string // checks
	for _, f := range faults {
		s.spoil = append(s.spoil, f.spoil)
		command = append(command, f.name)
		if strings.Contains(f.says, "silent") {
			silent = append(silent, f.check)
		}
	}
	o := Options{Timeout: time.Minute, Limit: 10 * time.Minute, Tool: &Tool{"add", []byte(`{"a":"one"}`)}}
	if w.over == overStdio {
		o.Command = command
	} else {
		h := httptest.NewServer(s)
		t.Cleanup(h.Close)
		s.origin, o.URL = h.URL, h.URL+"/mcp"
		o.Header = http.Header{"Authorization": {"Bearer " + credential}}
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p.wire = &impatient{p.wire, p, silent}
	told := 0
	r := p.Run(t.Context(), func(Finding) { told++ })
	if told != len(r.Findings) {
		t.Errorf("told of %d findings of %d", told, len(r.Findings))
	}
	if r.Sent > p.Most() {
		t.Errorf("sent %d messages of %d", r.Sent, p.Most())
	}
	if len(s.sessions) > 0 {
		t.Errorf("left the sessions %v open", s.sessions)
	}
	return s, r, p
}

func (r *Report) of(t *testing.T, check string) *Finding {
	t.Helper()
	for i := range r.Findings {
		if r.Findings[i].Check.ID == check {
			return &r.Findings[i]
		}
	}
	t.Fatalf("no finding of %s", check)
	return nil
}

func (f *Finding) String() string {
	return fmt.Sprintf("%s %s %s %q, notes %q; %v, body %q, lines %q", f.Check.ID, f.Verdict, f.Why, f.Faults, f.Notes, f.Outcome.Kind, f.Exchange.Body, f.Exchange.Lines)
}

func TestServerThatDoesEverythingRight(t *testing.T) {
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			s, r, _ := w.ask(t)
			if !r.Reached || r.Server.Era != w.era || r.Server.Name != "right 1" {
				t.Errorf("%+v", r.Server)
			}
			for i := range r.Findings {
				f := &r.Findings[i]
				if f.Verdict != Holds || f.Want.Says == "" || !strings.HasPrefix(f.Want.Ref, "https://") {
					t.Errorf("%v; wants %+v", f, f.Want)
				}
			}
			for _, c := range Checks() {
				if c.applies(r.Server.Transport, w.era) {
					r.of(t, c.ID)
				}
			}
			if w.over != overHTTP {
				return
			}
			if fmt.Sprint(s.called) != "[add]" {
				t.Errorf("tools that ran: %v", s.called)
			}
			if w.era == legacyEra && (s.opened != 2 || !slices.Contains(s.got, "DELETE")) {
				t.Errorf("%d sessions were opened; the server got %v", s.opened, s.got)
			}
			if r.Sent != len(s.got) {
				t.Errorf("says that it sent %d messages; the server got %d", r.Sent, len(s.got))
			}
		})
	}
}

// Each fault alone makes its check say so, and no other.
func TestEachFaultIsNamed(t *testing.T) {
	covered := map[string]bool{}
	for _, f := range spoilings {
		covered[f.check] = true
		for _, w := range ways {
			if !f.fits(w) {
				continue
			}
			t.Run(w.String()+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				_, r, _ := w.ask(t, f)
				want := f.verdict
				if want == "" {
					want = Deviates
				}
				got := r.of(t, f.check)
				if got.Verdict != want || !slices.ContainsFunc(got.Faults, func(s string) bool { return strings.Contains(s, f.says) }) {
					t.Errorf("%v; want %s and %q", got, want, f.says)
				}
				for i := range r.Findings {
					if o := &r.Findings[i]; o.Check.ID != f.check && !slices.Contains(f.also, o.Check.ID) && (o.Verdict == Deviates || o.Verdict == Advice) {
						t.Errorf("it names %v, too", o)
					}
				}
			})
		}
	}
	for _, c := range Checks() {
		if !covered[c.ID] {
			t.Errorf("no fault is for %s", c.ID)
		}
	}
}

func TestServerThatDoesEverythingWrong(t *testing.T) {
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			var all []spoiling
			for _, f := range slices.Concat(spoilings, worst) {
				if f.fits(w) && (f.all || f.check == "reserved_code" && f.also == nil || f.check == "result_type" && f.name != "a result without its type") {
					all = append(all, f)
				}
			}
			_, r, _ := w.ask(t, all...)
			for _, f := range all {
				got := r.of(t, f.check)
				if got.Verdict != Deviates || !slices.ContainsFunc(got.Faults, func(s string) bool { return strings.Contains(s, f.says) }) {
					t.Errorf("%s: %v; want %q", f.name, got, f.says)
				}
			}
			most := map[interpret.Era]int{modernEra: 1} // of a discovery there is nothing to spoil without losing all the rest
			if n := r.Count(Holds); n > most[w.era] {
				t.Errorf("%d checks hold", n)
				for i := range r.Findings {
					if f := &r.Findings[i]; f.Verdict == Holds {
						t.Log(f)
					}
				}
			}
		})
	}
}

func TestFeaturesThatAreNotDeclared(t *testing.T) {
	s := &server{era: modernEra, http: true, bare: true, sessions: map[string]bool{}}
	h := httptest.NewServer(s)
	defer h.Close()
	p, err := New(Options{URL: h.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(t.Context(), func(Finding) {})
	if r.Count(Deviates) > 0 || r.Count(Skipped) != 7 {
		t.Errorf("%d skipped: %v", r.Count(Skipped), r.Findings)
	}
	if f := r.of(t, "unknown_tool"); f.Why != "the server declares no tools" || f.Asked {
		t.Error(f)
	}
}

func TestServerThatLetsNobodyIn(t *testing.T) {
	s := &server{era: modernEra, http: true, secret: credential, sessions: map[string]bool{}}
	h := httptest.NewServer(s)
	defer h.Close()
	s.origin = h.URL
	p, err := New(Options{URL: h.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(t.Context(), func(Finding) {})
	if r.Reached || len(r.Findings) != 2 || r.of(t, "opening").Why != "the server wants credentials (--header)" || r.of(t, "no_credentials").Verdict != Holds {
		t.Errorf("%+v", r)
	}
}

func TestNobodyThere(t *testing.T) {
	for _, o := range []Options{{URL: "http://127.0.0.1:1"}, {Command: []string{"/no/such/command"}}, {Command: []string{"false"}}} {
		p, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.Run(t.Context(), func(Finding) {}); r.Reached || len(r.Findings) != 1 || r.Findings[0].Verdict == Holds {
			t.Errorf("%+v", r)
		}
	}
}

// A server that wants fewer requests gets no more of them.
func TestThrottled(t *testing.T) {
	_, r, _ := way{overHTTP, modernEra}.ask(t, spoiling{spoil: at(noMethod, shows(429, "text/plain", "slow down"))})
	for i := range r.Findings {
		f := &r.Findings[i]
		asked := f.Check.ID == "opening" || f.Check.ID == "tool_list" || f.Check.ID == "unknown_method"
		if f.Check.watch == nil && (f.Asked != asked || f.Verdict != map[bool]Verdict{true: Holds, false: Skipped}[asked && f.Check.ID != "unknown_method"]) {
			t.Error(f)
		}
	}
}

// The session that a question ends is opened anew, and the question asked again.
func TestSessionIsOpenedAnew(t *testing.T) {
	var s *server
	lose := spoiling{spoil: func(q *asked, a *answer) {
		if q.is("prompts/get") {
			clear(s.sessions)
		}
	}}
	s = &server{era: legacyEra, http: true, sessions: map[string]bool{}, spoil: []func(*asked, *answer){lose.spoil}}
	h := httptest.NewServer(s)
	defer h.Close()
	p, err := New(Options{URL: h.URL})
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(t.Context(), func(Finding) {})
	if f := r.of(t, "bad_cursor"); f.Verdict != Holds || len(f.Notes) != 1 || r.Count(Deviates) > 0 {
		t.Error(f, r.Count(Deviates))
	}
	if len(s.sessions) > 0 {
		t.Errorf("left %v open", s.sessions)
	}
}

func TestVersionIsForced(t *testing.T) {
	for _, c := range []struct {
		era     interpret.Era
		version string
		reached bool
	}{
		{legacyEra, "2025-06-18", true}, {legacyEra, "2025-11-25", true}, {legacyEra, "2024-11-05", false}, {legacyEra, "2026-07-28", false},
		{modernEra, "2026-07-28", true}, {modernEra, "2025-11-25", false},
	} {
		s := &server{era: c.era, http: true, sessions: map[string]bool{}}
		h := httptest.NewServer(s)
		defer h.Close()
		p, err := New(Options{URL: h.URL, Version: c.version})
		if err != nil {
			t.Fatal(err)
		}
		r := p.Run(t.Context(), func(Finding) {})
		if r.Reached != c.reached || c.reached && (r.Server.Version != c.version || r.Count(Deviates) > 0) {
			t.Errorf("%s of %s: %+v", c.version, c.era, r.Findings)
		}
		if len(s.sessions) > 0 {
			t.Errorf("%s of %s: left %v open", c.version, c.era, s.sessions)
		}
	}
}

// Whatever ends a probe early, what it opened is closed.
func TestInterrupted(t *testing.T) {
	s := &server{era: legacyEra, http: true, sessions: map[string]bool{}}
	h := httptest.NewServer(s)
	defer h.Close()
	p, err := New(Options{URL: h.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := p.Run(ctx, func(f Finding) {
		if f.Check.ID == "unknown_tool" {
			cancel()
		}
	})
	if f := r.of(t, "unknown_resource"); f.Verdict != Skipped || f.Why != "the probe was interrupted" {
		t.Error(f)
	}
	if s.opened != 1 || len(s.sessions) > 0 {
		t.Errorf("%d opened, left %v", s.opened, s.sessions)
	}
}

// A question that the end of the time cuts off is no silence of the server.
func TestTimeIsOver(t *testing.T) {
	s := &server{era: modernEra, http: true, sessions: map[string]bool{}, spoil: []func(*asked, *answer){at(noMethod, func(a *answer) { a.silent = true })}}
	h := httptest.NewServer(s)
	defer h.Close()
	for limit := 2 * time.Second; ; limit *= 2 {
		p, err := New(Options{URL: h.URL, Timeout: time.Hour, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		r := p.Run(t.Context(), func(Finding) {})
		s.mu.Lock()
		asked := slices.Contains(s.got, "POST "+noMethod)
		s.mu.Unlock()
		if !asked && limit < time.Minute {
			continue // a busy machine
		}
		for _, check := range []string{"unknown_method", "unknown_tool"} {
			if f := r.of(t, check); f.Verdict != Skipped || f.Why != "the time for the whole probe is over" {
				t.Error(f)
			}
		}
		return
	}
}

func TestReplyOverTheLimit(t *testing.T) {
	huge := strings.Repeat("x", 5000)
	for _, w := range ways {
		s := spoiling{spoil: at(noMethod, func(a *answer) { a.err.Message = huge })}
		if w.over == overStdio {
			continue // the server is another process: its fault has no name there
		}
		srv := &server{era: w.era, http: true, sessions: map[string]bool{}, spoil: []func(*asked, *answer){s.spoil}}
		h := httptest.NewServer(srv)
		defer h.Close()
		p, err := New(Options{URL: h.URL, MaxBody: 2000})
		if err != nil {
			t.Fatal(err)
		}
		r := p.Run(t.Context(), func(Finding) {})
		if f := r.of(t, "unknown_method"); f.Verdict != Deviates || !strings.Contains(f.Faults[0], "over 2000 bytes") || len(f.Exchange.Body) != 2000 {
			t.Error(f)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{}, {URL: "ftp://h"}, {URL: "http://"}, {URL: "http://h", Command: []string{"x"}}, {URL: "http://h", Version: "2020-01-01"},
		{URL: "http://h", Timeout: -1}, {URL: "http://h", Tool: &Tool{"", []byte("{}")}}, {URL: "http://h", Tool: &Tool{"x", []byte("[]")}},
		{URL: "http://h", Tool: &Tool{"x", []byte("null")}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
