package interpret

import (
	"fmt"
	"strings"
)

// content takes in the blocks of a tool's result in order: texts as they are, of everything else what it is.
// A content that is a string or a single block is read too.
func (w *words) content(raw []byte) {
	if s := text(raw); s != nil {
		w.piece(string(s))
		return
	}
	if isObject(raw) {
		w.block(raw)
		return
	}
	elements(raw, func(block []byte) bool {
		w.block(block)
		return len(w.pieces) < mostBlocks
	})
}

const mostBlocks = 64 // of a result that are looked at

func (w *words) block(raw []byte) {
	if s := text(raw); s != nil {
		w.piece(string(s))
		return
	}
	b := readBlock(raw)
	switch {
	case b.text != nil:
		w.piece(string(b.text))
	case b.kind == "resource_link":
		w.pieces = append(w.pieces, strings.TrimSpace(fmt.Sprintf("[link to %s %s]", b.name, b.uri)))
	case b.data > 0:
		kind := b.kind
		if b.media != "" {
			kind += ", " + b.media
		}
		w.pieces = append(w.pieces, fmt.Sprintf("[%s, %s]", kind, size(b.data*3/4)))
	}
}

// block is a content block as far as it can be shown as text.
type block struct {
	kind, media, name, uri string
	text                   []byte // nil: it has none
	data                   int    // characters of Base64
}

func readBlock(raw []byte) (b block) {
	var resource []byte
	read := func(name, v []byte) bool {
		switch string(name) {
		case "type":
			b.kind = string(text(v))
		case "text":
			b.text = text(v)
		case "data", "blob":
			b.data = len(text(v))
		case "mimeType":
			b.media = string(text(v))
		case "name":
			b.name = string(text(v))
		case "uri":
			b.uri = string(text(v))
		case "resource":
			resource = v
		}
		return true
	}
	members(raw, read)
	if kind := b.kind; kind == "resource" {
		members(resource, read)
		b.kind = kind
	}
	return b
}
