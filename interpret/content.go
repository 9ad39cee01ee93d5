package interpret

import "fmt"

// Block is one block of a result's content, as the server sent it: nothing is scrubbed.
type Block struct {
	Type     string // text, image, audio, resource, resource_link, or what else the server says; of a part of contents, resource
	Text     string // of a text, and of a resource that is one
	HasText  bool
	Data     string // Base64, of an image, an audio or another resource
	MIMEType string
	Name     string // of a link
	URI      string // of a resource or a link
	Role     string // who speaks, in a prompt's messages
}

// Blocks returns the content of a result in order: of a tool's result (a content that is a string, or one block alone, is read too), the
// contents of a resource, or the messages of a prompt. It is nil if there is no result, or if it has none of them.
func (o Outcome) Blocks() (list []Block) {
	add := func(b Block) bool { list = append(list, b); return true }
	eachBlock(member(o.Result, "content"), add)
	elements(member(o.Result, "contents"), func(v []byte) bool {
		b := readBlock(v)
		b.Type = "resource"
		return add(b)
	})
	elements(member(o.Result, "messages"), func(v []byte) bool {
		role := string(text(member(v, "role")))
		eachBlock(member(v, "content"), func(b Block) bool {
			b.Role = role
			return add(b)
		})
		return true
	})
	return list
}

// eachBlock visits the blocks of a content.
func eachBlock(raw []byte, visit func(Block) bool) {
	if !isArray(raw) {
		if raw != nil && string(raw) != "null" {
			visit(readBlock(raw))
		}
		return
	}
	elements(raw, func(v []byte) bool { return visit(readBlock(v)) })
}

func readBlock(raw []byte) (b Block) {
	if s := text(raw); s != nil {
		return Block{Type: "text", Text: string(s), HasText: true}
	}
	var resource []byte
	read := func(name, v []byte) bool {
		switch string(name) {
		case "type":
			b.Type = string(text(v))
		case "text":
			b.Text, b.HasText = string(text(v)), isText(v)
		case "data", "blob":
			b.Data = string(text(v))
		case "mimeType":
			b.MIMEType = string(text(v))
		case "name":
			b.Name = string(text(v))
		case "uri":
			b.URI = string(text(v))
		case "resource":
			resource = v
		}
		return true
	}
	members(raw, read)
	if kind := b.Type; kind == "resource" {
		members(resource, read)
		b.Type = kind
	}
	return b
}

// String returns the text of a block; of what has none it says in brackets what it is.
func (b *Block) String() string {
	switch {
	case b.HasText:
		return b.Text
	case b.Type == "resource_link":
		return fmt.Sprintf("[link: %s %s]", b.Name, b.URI)
	}
	s := b.Type
	for _, part := range []string{b.MIMEType, b.URI} {
		if part != "" {
			s += ", " + part
		}
	}
	if b.Data != "" {
		s += ", " + size(len(b.Data)*3/4)
	}
	return "[" + s + "]"
}

const mostBlocks = 64 // of a failed tool's content that are looked at

// content takes in the blocks of a failed tool's result.
func (w *words) content(raw []byte) {
	eachBlock(raw, func(b Block) bool {
		w.piece(b.String())
		return len(w.pieces) < mostBlocks
	})
}
