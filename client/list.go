package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcperr/mcperr/retry"
)

// Listing is a whole list of a server: tools, prompts, resources or resource templates.
type Listing struct {
	Items   []Item
	Skipped []Skipped     // entries that no client could use; the others are not lost for them
	Absent  bool          // the server does not have the feature; it may not have been asked
	Stop    error         // why the list was not read to its end although each page was good, nil if it was
	Answer  *retry.Answer // to the request for the last page; nil if none was sent
}

// Item is one entry of a list.
type Item struct {
	Name string          // name, uri or uriTemplate
	Raw  json.RawMessage // the entry as the server wrote it
}

// Skipped is one entry that cannot be used.
type Skipped struct {
	Index int    // in the order the server sent them
	Name  string // "" if it has none
	Why   error
}

// Err returns why the list is not whole, nil if it is or if the feature is absent, and of a nil Listing.
func (l *Listing) Err() error {
	switch {
	case l == nil, l.Absent:
		return nil
	case l.Stop != nil:
		return l.Stop
	}
	return l.Answer.Err()
}

// Bounds of one list, whatever its server sends.
const (
	maxPages    = 1000
	maxEntries  = 50_000
	listReplies = 4 // times the bytes of one reply
)

// Why a list was not read to its end.
var (
	errCursor  = errors.New("client: the list's cursor does not advance")
	errEndless = fmt.Errorf("client: the list has more than %d pages or %d entries, or more bytes than %d replies may have", maxPages, maxEntries, listReplies)
)

// feature is one kind of list.
type feature struct {
	method     string
	member     string // of the result
	key        string // of an entry
	capability string
	check      func(item object) error // more that makes an entry unusable; nil: nothing
}

// ListTools reads all pages of the server's tools, and remembers the names and which arguments go into headers.
func (c *Client) ListTools(ctx context.Context) *Listing {
	tools := make(map[string]toolFacts)
	l := c.list(ctx, feature{"tools/list", "tools", "name", "tools", func(item object) error {
		facts, err := c.toolFacts(item)
		if err == nil {
			tools[item.text("name")] = facts
		}
		return err
	}})
	if l.Answer != nil && l.Err() == nil {
		c.known.setTools(tools)
	}
	return l
}

// ListPrompts reads all pages of the server's prompts.
func (c *Client) ListPrompts(ctx context.Context) *Listing {
	l := c.list(ctx, feature{"prompts/list", "prompts", "name", "prompts", nil})
	if l.Answer != nil && l.Err() == nil {
		c.known.setPrompts(l.names())
	}
	return l
}

// ListResources reads all pages of the server's resources. Others than these may be readable, by a template.
func (c *Client) ListResources(ctx context.Context) *Listing {
	l := c.list(ctx, feature{"resources/list", "resources", "uri", "resources", nil})
	if l.Answer != nil && l.Err() == nil {
		c.known.setResources(l.names())
	}
	return l
}

// ListResourceTemplates reads all pages of the server's resource templates.
func (c *Client) ListResourceTemplates(ctx context.Context) *Listing {
	return c.list(ctx, feature{"resources/templates/list", "resourceTemplates", "uriTemplate", "resources", nil})
}

func (l *Listing) names() []string {
	names := make([]string, len(l.Items))
	for i, item := range l.Items {
		names[i] = item.Name
	}
	return names
}
