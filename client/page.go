package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcperr/mcperr/interpret"
)

// list reads a list page by page, each page a call of its own.
func (c *Client) list(ctx context.Context, f feature) *Listing {
	l := new(Listing)
	if !c.met() {
		if l.Answer = c.Connect(ctx); l.Answer.Err() != nil {
			return l
		}
	}
	if c.lacks(f) {
		return &Listing{Absent: true}
	}
	seen := make(map[string]bool) // cursors
	names := make(map[string]bool)
	var params object
	var size int64
	restarted := false
	for pages := 1; ; pages++ {
		k := c.newCall(f.method, params)
		l.Answer = k.do(ctx)
		if k.restarted {
			if restarted {
				l.Stop = errCursor
				return l
			}
			restarted = true
			*l = Listing{Answer: l.Answer}
			clear(names)
			clear(seen)
		}
		if l.Answer.Err() != nil {
			l.Absent = c.absent(f.method, l.Answer.Outcome.Kind)
			return l
		}
		result, err := members(l.Answer.Outcome.Result)
		if err != nil {
			l.Stop = fmt.Errorf("client: %s: %w", f.method, err) // interpret has read it as an object
			return l
		}
		if l.add(f, result.get(f.member), names, c.secrets.scrub.Load()); l.Stop != nil {
			return l
		}
		size += int64(len(l.Answer.Outcome.Result))
		next := result.text("nextCursor")
		switch {
		case next == "":
			return l
		case seen[next]:
			l.Stop = errCursor
			return l
		case pages == maxPages || size/listReplies > c.opts.maxReply():
			l.Stop = errEndless
			return l
		}
		seen[next] = true
		params = object{{"cursor", text(next)}}
	}
}

// add takes the entries of one page in.
func (l *Listing) add(f feature, page json.RawMessage, names map[string]bool, s *interpret.Scrubber) {
	dec := json.NewDecoder(bytes.NewReader(page))
	if open, err := dec.Token(); err != nil || open != json.Delim('[') {
		l.Stop = fmt.Errorf("client: %s is no array", f.member)
		return
	}
	for dec.More() {
		if len(l.Items)+len(l.Skipped) == maxEntries {
			l.Stop = errEndless
			return
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			l.Stop = fmt.Errorf("client: %s: %w", f.member, err) // interpret has read it as JSON
			return
		}
		item, err := parseObject(raw)
		name := item.text(f.key)
		switch {
		case err != nil:
		case name == "":
			err = fmt.Errorf("no %s", f.key)
		case names[name]:
			err = errors.New("the name was there before")
		case f.check != nil:
			err = f.check(item)
		}
		if err != nil {
			l.Skipped = append(l.Skipped, Skipped{len(l.Items) + len(l.Skipped), name, &scrubbedError{err, s}})
			continue
		}
		names[name] = true
		l.Items = append(l.Items, Item{name, raw})
	}
}

// lacks reports whether the server said what it has, and left a feature out. Such a feature is not asked for: some servers end at a
// method they do not know. Tools are, over HTTP: nobody would miss them otherwise.
func (c *Client) lacks(f feature) bool {
	o, err := parseObject(c.Server().Capabilities)
	return err == nil && o.get(f.capability) == nil && (f.capability != "tools" || c.link.transport() == interpret.Stdio)
}

// toolFacts reads what the client has to know of a tool. An error is why it cannot be called.
func (c *Client) toolFacts(item object) (toolFacts, error) {
	if _, err := parseObject(item.get("inputSchema")); err != nil {
		return toolFacts{}, fmt.Errorf("inputSchema: %w", err)
	}
	var facts toolFacts
	if c.link.transport() == interpret.HTTP && c.Server().Era == interpret.EraModern {
		var err error
		if facts.mirrored, err = paramHeaders(item.get("inputSchema")); err != nil {
			return toolFacts{}, err
		}
	}
	hints, err := parseObject(item.get("annotations"))
	if err == nil {
		facts.repeatable = hints.is("readOnlyHint") || hints.is("idempotentHint")
	}
	return facts, nil
}
