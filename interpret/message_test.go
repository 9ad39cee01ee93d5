package interpret_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// member is where one member of a message stands, in the envelope, in its error, or at the top of its result.
type member struct {
	level      string // "", "error" or "result"
	name       string
	start, end int // of the name, with its quotes
	from, to   int // of the value
}

// members finds the members of the levels that are read strictly; none if the text is no JSON object.
func members(text []byte) (list []member) {
	dec := json.NewDecoder(bytes.NewReader(text))
	var walk func(level string) bool
	walk = func(level string) bool {
		if t, err := dec.Token(); err != nil || t != json.Delim('{') {
			return false
		}
		for dec.More() {
			before := int(dec.InputOffset())
			t, err := dec.Token()
			if err != nil {
				return false
			}
			m := member{level: level, name: t.(string), end: int(dec.InputOffset())}
			m.start = before + bytes.IndexByte(text[before:], '"')
			m.from = m.end + len(text[m.end:]) - len(bytes.TrimLeft(text[m.end:], " \t\r\n:"))
			if level == "" && (m.name == "error" || m.name == "result") && m.from < len(text) && text[m.from] == '{' {
				if !walk(m.name) {
					return false
				}
			} else if err := dec.Decode(new(json.RawMessage)); err != nil {
				return false
			}
			m.to = int(dec.InputOffset())
			list = append(list, m)
		}
		_, err := dec.Token()
		return err == nil
	}
	if !walk("") || len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return nil
	}
	return list
}

// carried is an exchange and one JSON-RPC message in it: the body, one event or one line.
type carried struct {
	x    interpret.Exchange
	text []byte
	put  func(text []byte) interpret.Exchange // the exchange with another text in its place
	drop func() interpret.Exchange            // the exchange without the message

	plain, bare interpret.Outcome // what the exchange means as it is, and without the message
}

// onlyData: no other line of the same event is data, so that line i is all that the event says.
func onlyData(lines [][]byte, i int) bool {
	blank := func(l []byte) bool { return len(bytes.TrimRight(l, "\r\n")) == 0 }
	for j := i - 1; j >= 0 && !blank(lines[j]); j-- {
		if bytes.HasPrefix(lines[j], []byte("data")) {
			return false
		}
	}
	for j := i + 1; j < len(lines) && !blank(lines[j]); j++ {
		if bytes.HasPrefix(lines[j], []byte("data")) {
			return false
		}
	}
	return true
}

// answerOf finds the first answer in an exchange, one under our id if there is one.
func answerOf(x interpret.Exchange) (c carried, ok bool) {
	defer func() {
		if ok {
			c.plain, c.bare = interpret.Reply(x), interpret.Reply(c.drop())
		}
	}()
	own := false
	answers := func(text []byte) bool {
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		has, same := map[string]bool{}, false
		for _, m := range members(text) {
			if m.level == "" {
				has[m.name] = true
				same = same || m.name == "id" && string(text[m.from:m.to]) == x.Request.ID
			}
		}
		if !has["jsonrpc"] || has["method"] || !has["result"] && !has["error"] || ok && (own || !same) {
			return false
		}
		c.text, own, ok = text, same, true
		return true
	}
	c.x = x
	with := func(change func(*interpret.Exchange)) interpret.Exchange {
		x := x
		change(&x)
		return x
	}
	media, _, _ := strings.Cut(x.Header.Get("Content-Type"), ";")
	switch {
	case x.Request.Transport == interpret.Stdio:
		for i, l := range x.Lines {
			if answers(l) {
				c.put = func(text []byte) interpret.Exchange {
					return with(func(x *interpret.Exchange) { x.Lines = slices.Replace(slices.Clone(x.Lines), i, i+1, text) })
				}
				c.drop = func() interpret.Exchange {
					return with(func(x *interpret.Exchange) { x.Lines = slices.Delete(slices.Clone(x.Lines), i, i+1) })
				}
			}
		}
		return c, ok
	case strings.EqualFold(strings.TrimSpace(media), "text/event-stream"):
		lines := bytes.SplitAfter(x.Body, []byte("\n"))
		for i, l := range lines {
			data, one := bytes.CutPrefix(bytes.TrimRight(l, "\r\n"), []byte("data:"))
			if one = one && onlyData(lines, i); one && answers(bytes.TrimPrefix(data, []byte(" "))) {
				put := func(line []byte) interpret.Exchange {
					return with(func(x *interpret.Exchange) {
						x.Body = bytes.Join(slices.Replace(slices.Clone(lines), i, i+1, line), nil)
					})
				}
				c.put = func(text []byte) interpret.Exchange { return put(slices.Concat([]byte("data: "), text, []byte("\n"))) }
				c.drop = func() interpret.Exchange { return put(nil) }
			}
		}
		return c, ok
	}
	c.put = func(text []byte) interpret.Exchange { return with(func(x *interpret.Exchange) { x.Body = text }) }
	c.drop = func() interpret.Exchange { return with(func(x *interpret.Exchange) { x.Body = nil }) }
	return c, answers(x.Body)
}
