package retry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/mcperr/mcperr/interpret"
)

// Content is one block of what a model reads. Its JSON is a content block of MCP.
type Content struct {
	Type     string `json:"type"`               // text, image or audio
	Text     string `json:"text,omitempty"`     // of a text
	Data     string `json:"data,omitempty"`     // Base64, of an image or an audio
	MIMEType string `json:"mimeType,omitempty"` // of an image or an audio
}

// String returns the text, or says in brackets what the block is.
func (c Content) String() string {
	b := interpret.Block{Type: c.Type, Text: c.Text, HasText: c.Type == "text", Data: c.Data, MIMEType: c.MIMEType}
	return b.String()
}

// result returns the content of a result: its blocks in order, its structured content where there is none, else the result as JSON.
func (m *ModelText) result(a *Answer) []Content {
	o := &a.Outcome
	if o.Kind == interpret.Task {
		return []Content{{Type: "text", Text: "The server has taken this as a task and is working on it. There is no result yet; the host fetches it when it is there."}}
	}
	var list []Content
	for _, b := range o.Blocks() {
		list = append(list, m.block(b))
	}
	if list == nil {
		list = m.unblocked(o.Result)
	}
	return m.bounded(list)
}

// What is called an image is passed on as one only if it can be: anything else may be text.
var (
	base64Text = regexp.MustCompile(`^[A-Za-z0-9+/_-]+={0,2}$`)
	mediaType  = regexp.MustCompile(`^[a-z]+/[\w.+-]{1,64}$`)
)

func (m *ModelText) block(b interpret.Block) Content {
	switch {
	case (b.Type == "image" || b.Type == "audio") && base64Text.MatchString(b.Data) && mediaType.MatchString(b.MIMEType):
		return Content{Type: b.Type, Data: b.Data, MIMEType: b.MIMEType}
	case b.Role != "":
		return Content{Type: "text", Text: m.clean(b.Role + ": " + b.String())}
	}
	return Content{Type: "text", Text: m.clean(b.String())}
}

// unblocked is a result without content blocks.
func (m *ModelText) unblocked(raw []byte) []Content {
	var r struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if json.Unmarshal(raw, &r) == nil && len(r.StructuredContent) > 0 {
		raw = r.StructuredContent
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.Len() == 0 || b.String() == "{}" || b.String() == `{"content":[]}` {
		return nil
	}
	return []Content{{Type: "text", Text: m.clean(b.String())}}
}

// clean scrubs a text of a result; where the host wants results raw, it takes out no more than what the host has named as secret.
func (m *ModelText) clean(s string) string {
	if m.RawResults {
		return m.Scrub.RedactOwn(s)
	}
	return m.Scrub.Scrub(s)
}

// bounded cuts the texts of a result to the budget for results, the first ones staying whole. The line feeds between the blocks count, and
// a text for which nothing is left is dropped.
func (m *ModelText) bounded(list []Content) (kept []Content) {
	if m.ResultBudget <= 0 {
		return list
	}
	left := m.ResultBudget
	for _, c := range list {
		if len(kept) > 0 {
			left--
		}
		if c.Type != "text" {
			kept = append(kept, c)
			continue
		}
		if len(c.Text) > left {
			if c.Text = shortened(c.Text, max(left, 0)); c.Text == "" {
				continue
			}
		}
		left -= len(c.Text)
		kept = append(kept, c)
	}
	return kept
}

// shortened cuts the middle out of a text, so that n bytes stay, and says how many are gone where there is room for it.
func shortened(s string, n int) string {
	for keep := n; keep > 0; keep = keep * 7 / 8 {
		head, tail, cut := ends(interpret.Said{Text: s}, keep)
		if short := fmt.Sprintf("%s\n[… %d bytes cut …]\n%s", head, cut, tail); len(short) <= n {
			return short
		}
	}
	return cutEnd(s, n)
}
