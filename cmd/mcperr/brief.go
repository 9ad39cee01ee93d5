package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// briefText is how much of a server's text a line of the demo shows, in characters.
const briefText = 56

// arrivedBriefly says what came back, in a few words.
func arrivedBriefly(x interpret.Exchange) string {
	o := interpret.Reply(x)
	var parts []string
	if x.Status != 200 && x.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", x.Status))
	}
	if v := x.Header.Get("Retry-After"); v != "" {
		parts = append(parts, "Retry-After "+clean(v, briefText))
	}
	if v := x.Header.Get("WWW-Authenticate"); v != "" {
		scheme, _, _ := strings.Cut(clean(v, briefText), " ")
		parts = append(parts, scheme+" challenge")
	}
	said := ""
	switch {
	case o.HasCode:
		said = fmt.Sprintf("%d ", o.Code) + brief(o.Message)
	case o.Kind == interpret.ToolError:
		said = "isError " + brief(resultText(o.Result))
	case o.Result != nil:
		said = "result " + brief(resultText(o.Result))
	case title.Match(x.Body):
		said = "HTML page"
		if t := string(title.FindSubmatch(x.Body)[1]); !strings.HasPrefix(t, fmt.Sprint(x.Status)) {
			said += " " + brief(t)
		}
	case len(bytes.TrimSpace(x.Body)) > 0:
		said = brief(string(x.Body))
	}
	if said = strings.TrimSpace(said); said != "" {
		parts = append(parts, said)
	}
	if x.Failure != nil {
		parts = append(parts, "the connection breaks")
	}
	return strings.Join(parts, ", ")
}

var title = regexp.MustCompile(`(?is)<title>(.*?)</title>`)

func brief(s string) string {
	if s = clean(s, briefText); s == "" {
		return ""
	}
	return "‹" + s + "›"
}

// resultText finds the words of a result: its first text, else the names that it lists.
func resultText(result []byte) string {
	var r struct {
		Content           []struct{ Text string }
		Tools             []json.RawMessage
		SupportedVersions []string
		ProtocolVersion   string
	}
	if json.Unmarshal(result, &r) != nil {
		return ""
	}
	switch {
	case len(r.Content) > 0:
		return r.Content[0].Text
	case r.Tools != nil:
		return plural(len(r.Tools), "tool")
	case r.SupportedVersions != nil:
		return strings.Join(r.SupportedVersions, " ")
	}
	return r.ProtocolVersion
}

func fixerBriefly(s step) string {
	if s.Kind == interpret.OK {
		return "–"
	}
	return s.Kind.Fixer().String()
}

// remedyBriefly says what is done before a resend.
var remedyBriefly = map[interpret.Remedy]string{
	interpret.Renegotiate:    "other version",
	interpret.Initialize:     "handshake",
	interpret.Reinitialize:   "new session",
	interpret.RefreshTools:   "list tools",
	interpret.RebuildHeaders: "new headers",
	interpret.RestartList:    "page one",
}

// doneBriefly says what is done about a reply.
func doneBriefly(s step) string {
	d := s.Decision
	switch d.Action {
	case retry.Proceed:
		return "use it"
	case retry.Retry:
		var parts []string
		if d.Remedy != "" {
			parts = append(parts, remedyBriefly[d.Remedy])
		}
		if d.Delay > 0 {
			parts = append(parts, "wait "+duration(d.Delay))
		}
		return strings.Join(append(parts, "resend"), ", ")
	case retry.Surface:
		if s.Kind.Fixer() == interpret.FixedByModel {
			return "the model reads it"
		}
		switch d.Stop {
		case retry.StopUnsafe:
			return "no resend: it may have run"
		case retry.StopDeadline:
			return "no resend: no time is left"
		}
		return "no resend"
	case retry.Ask:
		switch {
		case d.Remedy == interpret.Authorize:
			return "the user signs in"
		case s.Kind == interpret.URLElicitation:
			return "the user opens the page"
		}
		return "the user is asked"
	}
	return "end this call"
}
