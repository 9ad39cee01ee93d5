package retry

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// What a sign-in gave in the middle of a call is no more told than what was known before, and neither is what the host has given its ModelText.
func TestSecretsGrowWithinACall(t *testing.T) {
	const first, second, models = "first-Zq8w", "second-Zq8w", "models-Zq8w"
	known := []string{first}
	model := &ModelText{Scrub: interpret.NewScrubber(models)}
	var log bytes.Buffer
	s := replies(interpret.Outcome{Kind: interpret.Unauthorized, Origin: interpret.OriginServer, Leave: interpret.LeaveRemedy, Ran: interpret.RanNo, Remedy: interpret.Authorize, Message: first},
		interpret.Outcome{Kind: interpret.ToolError, Origin: interpret.OriginServer, Message: first + " " + second + " " + models})
	l := s.loop(&Loop{
		Secrets: func() *interpret.Scrubber { return interpret.NewScrubber(known...) },
		Model:   model, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Remedies: map[interpret.Remedy]RemedyFunc{interpret.Authorize: func(context.Context, *Call) error { known = append(known, second); return nil }},
	})
	req := toolCall
	req.Target = first + " tool"
	a := l.Do(t.Context(), req, s.send)
	said := fmt.Sprintf("%v %+v %s %s %s", a.Err(), a.Outcome.Err(), a.ForModel(), model.Text(a), &log)
	if strings.Contains(said, first) || strings.Contains(said, second) || strings.Contains(a.ForModel(), models) || len(a.Attempts) != 2 || a.Attempts[0].Target != "[redacted] tool" {
		t.Errorf("%s", said)
	}
	if !strings.Contains(a.ForModel(), "[redacted] [redacted] [redacted]") || !strings.Contains(a.Outcome.Message, second) || model.Scrub.RedactOwn(first) != first {
		t.Errorf("%s", a.ForModel())
	}
	if a := l.Refuse(req, interpret.InvalidArguments, errors.New("bad "+second)); strings.Contains(a.Err().Error()+a.ForModel(), second) || strings.Contains(a.ForModel(), first) {
		t.Error(a.Err(), a.ForModel())
	}
}

// A request that the host has made itself shows its credentials.
func TestSecretsOfARequestOfTheHost(t *testing.T) {
	const key, password = "3f9a7c1e5b8d2f4a6c0e9b7d1f3a5c8e", "tenant-42-Zq8w"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, got, _ := r.BasicAuth()
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no %s %s %s"}}`, r.Header.Get("X-Api-Key"), got, r.Header.Get("Authorization"))
	}))
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, strings.Replace(s.URL, "://", "://bob:"+password+"@", 1),
		strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"act","arguments":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", key)
	a := new(Loop).HTTP(nil, r, interpret.Request{})
	said := fmt.Sprintf("%v %+v %s", a.Err(), a.Outcome.Err(), a.ForModel())
	for _, secret := range []string{key, password, base64.StdEncoding.EncodeToString([]byte("bob:" + password))} {
		if strings.Contains(said, secret) || !strings.Contains(a.Outcome.Message, secret) {
			t.Errorf("%s in %s", secret, said)
		}
	}
}
