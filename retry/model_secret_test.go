package retry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mcperr/mcperr/interpret"
)

// planted holds secrets in the forms in which they leak; each has the mark that nothing may show. own is one that only the host knows.
const (
	secretMark = "S3CR3T"
	ownSecret  = "swordfish-S3CR3T"
	planted    = ` see https://bob:S3CR3T1@h.example/v1?page=2&token=S3CR3T2&sig=S3CR3T3 with Authorization: Bearer S3CR3T4xyz, ` +
		`api_key=S3CR3T5, {"password":"S3CR3T6","client_secret": "S3CR3T7"}, sk-S3CR3T8abc, Cookie: sid=S3CR3T9; a=b, and Basic UzNDUjNU `
)

// Wherever a server puts a secret, in whatever case of the corpus, no model, error, log, span or print shows it.
func TestPlantedSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the whole corpus twice")
	}
	cases, shown := corpusCases(t), 0
	for i, id := range slices.Sorted(maps.Keys(cases)) {
		if slowed && i%50 != 0 {
			continue
		}
		for name, x := range plantings(cases[id]) {
			shown++
			for where, text := range everythingSaid(t, x) {
				if i := strings.Index(text, secretMark); i >= 0 {
					t.Errorf("%s, planted in %s: %s shows …%s…", id, name, where, text[max(0, i-60):min(len(text), i+20)])
				}
			}
			if t.Failed() {
				return // one is enough to look at
			}
		}
	}
	t.Logf("%d exchanges with secrets in them", shown)
}

// plantings puts the secrets beside what stands in every field, or in the place of every text and into data.
func plantings(x interpret.Exchange) map[string]interpret.Exchange {
	beside, instead := x, x
	beside.Request.Target += planted
	eachMessage(&beside, func(s string) string { return s + planted + ownSecret })
	if beside.Header = maps.Clone(x.Header); beside.Header != nil {
		for k := range beside.Header {
			if k != "Content-Type" {
				beside.Header[k] = []string{beside.Header.Get(k) + `, x="` + planted + `"`}
			}
		}
		beside.Header.Set("Location", "https://h.example/?token=S3CR3T0")
	}
	if x.Failure != nil {
		f := *x.Failure
		f.Err = errors.New("dial https://bob:S3CR3T@h.example/?token=S3CR3T: refused")
		beside.Failure = &f
	}
	eachMessage(&instead, func(string) string { return planted + ownSecret })
	eachMessage(&instead, nil)
	return map[string]interpret.Exchange{"every field": beside, "place of texts": instead}
}

// eachMessage edits the texts of every JSON message of a reply; nil puts secrets into its data and its structured content instead.
func eachMessage(x *interpret.Exchange, edit func(string) string) {
	message := func(raw []byte) []byte {
		var v map[string]any
		if json.Unmarshal(raw, &v) != nil {
			return raw
		}
		for _, k := range []string{"error", "result"} {
			inner, ok := v[k].(map[string]any)
			switch {
			case !ok:
			case edit == nil:
				leak := map[string]any{"message": planted, "field": "password", "received": planted, "errors": []any{map[string]any{"field": "x" + planted, "hint": planted, "expected": planted}}, planted: planted}
				inner["data"], inner["structuredContent"] = leak, leak
			default:
				v[k] = editStrings(inner, edit)
			}
		}
		b, _ := json.Marshal(v)
		return b
	}
	if x.Body != nil {
		var out []byte
		for line := range bytes.Lines(x.Body) {
			data, isData := bytes.CutPrefix(line, []byte("data:"))
			if isData {
				out = append(append(append(out, "data: "...), message(bytes.TrimSpace(data))...), '\n')
			} else {
				out = append(out, line...)
			}
		}
		x.Body = message(out)
	}
	lines := x.Lines
	x.Lines = nil
	for _, l := range lines {
		x.Lines = append(x.Lines, message(l))
	}
}

// editStrings edits what is text, and leaves what the protocol reads.
func editStrings(v any, edit func(string) string) any {
	switch v := v.(type) {
	case string:
		return edit(v)
	case []any:
		for i := range v {
			v[i] = editStrings(v[i], edit)
		}
	case map[string]any:
		for k := range v {
			if k != "type" && k != "resultType" && k != "method" && k != "mode" && k != "url" && k != "protocolVersion" {
				v[k] = editStrings(v[k], edit)
			}
		}
	}
	return v
}

type spans struct{ *bytes.Buffer }

func (s spans) AttemptStart(ctx context.Context, a Attempt) (context.Context, map[string]string) {
	fmt.Fprintf(s, "%+v\n", a)
	return ctx, nil
}
func (s spans) AttemptEnd(_ context.Context, a Attempt) { fmt.Fprintf(s, "%+v\n", a) }

// everythingSaid makes a call that meets the exchange, and returns all that is shown of it, by where.
func everythingSaid(t *testing.T, x interpret.Exchange) map[string]string {
	t.Helper()
	var logged, traced bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	scrub, other := interpret.NewScrubber(ownSecret), interpret.NewScrubber("the host's other secret")
	var a *Answer
	synctest.Test(t, func(t *testing.T) {
		l := &Loop{Rand: half, Logger: log, Observer: spans{&traced}, Secrets: func() *interpret.Scrubber { return scrub }, Model: &ModelText{Scrub: other}, Remedies: failingRemedies}
		a = l.Do(t.Context(), x.Request, func(context.Context, interpret.Request) interpret.Exchange { return x })
	})
	err := a.Err()
	log.Info("x", "err", err, "outcome", a.Outcome, "fault", a.Outcome.Err())
	content, _ := json.Marshal(a.ModelContent())
	hints, _ := json.Marshal(a.Outcome.Hints())
	return map[string]string{
		"a log": logged.String(), "a span": traced.String(), "a hint": string(hints), "the error": fmt.Sprint(err),
		"the error in full": fmt.Sprintf("%+v", a.Outcome.ErrCause(failureOf(x))), "a print": fmt.Sprintf("%+v", a.Outcome),
		"the model's text": a.ForModel(), "the model's content": string(content),
	}
}

func failureOf(x interpret.Exchange) error {
	if x.Failure == nil {
		return nil
	}
	return x.Failure.Err
}

// failingRemedies can do everything, and fail with an error that quotes what it saw.
var failingRemedies = func() map[interpret.Remedy]RemedyFunc {
	m := map[interpret.Remedy]RemedyFunc{}
	for _, r := range append(interpret.Remedies(), AnswerInput, OpenURL) {
		m[r] = func(_ context.Context, c *Call) error {
			return fmt.Errorf("%s: %s %s", r, c.Outcome.Message, http.Header(c.Exchange.Header).Get("Location"))
		}
	}
	return m
}()

// A result is scrubbed as a fault is; raw, it stays as it came, but for what the host has named.
func TestResultsAreScrubbed(t *testing.T) {
	text := "family 👩\u200d👧, \x1b[1mbold\x1b[0m, password=hunter2, " + ownSecret
	block, _ := json.Marshal(text)
	a := faultOf(interpret.Outcome{Kind: interpret.OK, Result: []byte(`{"content":[{"type":"text","text":` + string(block) + `}]}`)}, Decision{Action: Proceed})
	for _, c := range []struct {
		model *ModelText
		want  string
	}{
		{nil, "family 👩👧, bold, password=[redacted], " + ownSecret},
		{&ModelText{Scrub: interpret.NewScrubber(ownSecret)}, "family 👩👧, bold, password=[redacted], [redacted]"},
		{&ModelText{RawResults: true}, text},
		{&ModelText{Scrub: interpret.NewScrubber(ownSecret), RawResults: true}, strings.ReplaceAll(text, ownSecret, "[redacted]")},
	} {
		if a.model = c.model; a.ForModel() != c.want {
			t.Errorf("%+v: got %q, want %q", c.model, a.ForModel(), c.want)
		}
	}
}
