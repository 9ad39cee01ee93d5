package interpret

import (
	"slices"
	"strings"
)

// Said is what a server said of a fault, fit to be shown: scrubbed, of bounded length, and each thing once.
// It is data. Whoever shows it marks it as the server's words.
type Said struct {
	Text  string // messages and text blocks in order, unwrapped, without what Hints says more clearly; "" if nothing is left
	Tail  string // the end of a text that was too long, where Cut is not 0
	Cut   int    // bytes left out between Text and Tail
	Hints []Hint // what Text does not say itself
	More  int    // hints left out, for there are at most eight
}

// Said reads the error's message and data, or the content of a result that is a fault, with a scrubber that the host may have given
// secrets of its own; nil is the usual one. What is no fault, and what only a person may be shown, has nothing to say here.
func (o Outcome) Said(s *Scrubber) Said {
	w := words{scrub: s.With(o.scrub)}
	w.read(&o)
	head, tail, cut := ends(strings.Join(w.pieces, "\n"))
	said := Said{Text: w.prose(w.show(head)), Tail: w.show(tail), Cut: cut}
	said.Hints, said.More = w.beside(), w.more
	return said
}

// Hints returns what was wrong with the request, field by field, from wherever the reply says it: data and structuredContent under the names
// that servers use for it, lists of issues as JSON validators write them, and the wordings of the usual ones. There are at most eight;
// a text that has none of these forms gives none. They are worked out on each call.
func (o Outcome) Hints() []Hint {
	w := words{scrub: o.scrub}
	w.read(&o)
	head, _, _ := ends(strings.Join(w.pieces, "\n"))
	w.prose(w.show(head))
	return w.hints
}

// Bounds of what is read out of a reply for people and models.
const (
	mostHints   = 8
	mostCounted = 1000     // entries of lists that are looked at for hints, whatever they hold
	hintLength  = 200      // characters of one member of a hint
	saidHead    = 24 << 10 // bytes of a text that are kept, from its beginning
	saidTail    = 8 << 10  // and from its end
	mostNested  = 4        // wrappings of one message in another that are taken off
)

// words collects what a reply says.
type words struct {
	scrub  *Scrubber
	pieces []string // texts, unwrapped, not yet scrubbed
	hints  []Hint
	more   int // hints beyond the most
	looked int // entries that were looked at
	plain  int // the last so many hints stand in the text just as clearly
}

func (w *words) read(o *Outcome) {
	switch o.Kind {
	case OK, Task, InputRequired, URLElicitation:
		return
	}
	if o.Result != nil {
		result := w.own(o.Result)
		w.data(member(result, "structuredContent"), "", 0)
		w.content(member(result, "content"))
		return
	}
	message, data := w.scrub.RedactOwn(o.Message), w.own(o.Data)
	if more := text(data); more == nil {
		w.data(data, message, 0)
		w.piece(message)
	} else {
		w.piece(message)
		if !strings.Contains(message, string(more)) {
			w.piece(string(more))
		}
	}
}

// own returns JSON without the host's secrets, before anything is cut or rewritten. Where one is more than a part of a string it stays, until
// what is shown of it is scrubbed.
func (w *words) own(raw []byte) []byte {
	clear := w.scrub.RedactOwn(string(raw))
	if clear == string(raw) || !valid([]byte(clear)) {
		return raw
	}
	return []byte(clear)
}

// piece takes in one text.
func (w *words) piece(s string) {
	if s = w.unwrap(s, 0); s != "" {
		w.pieces = append(w.pieces, s)
	}
}

// beside returns the hints that the text does not give.
func (w *words) beside() []Hint { return w.hints[:len(w.hints)-w.plain] }

// add takes in a hint, if there is something in it that no hint before it has.
func (w *words) add(h Hint) {
	if h == (Hint{}) {
		return
	}
	if len(w.hints) == mostHints {
		w.more++
		return
	}
	h = derived(h)
	if secretPath(h.Path) {
		h.hide()
	}
	for _, m := range []*string{&h.Path, &h.Problem, &h.Expected, &h.Allowed, &h.Received, &h.Suggestion} {
		*m = w.scrub.Line(*m, hintLength)
	}
	if h != (Hint{}) && !slices.Contains(w.hints, h) {
		w.hints = append(w.hints, h)
	}
}

// ends cuts the middle out of a text that is too long. What was a part of a word at the cut goes too: it may be the rest of a secret.
func ends(s string) (head, tail string, cut int) {
	if len(s) <= saidHead+saidTail {
		return s, "", 0
	}
	head, tail = s[:saidHead], s[len(s)-saidTail:]
	const word = 256
	if i := strings.LastIndexAny(head, " \n"); i > len(head)-word {
		head = head[:i]
	}
	if i := strings.IndexAny(tail, " \n"); i >= 0 && i < word {
		tail = tail[i:]
	}
	return head, tail, len(s) - len(head) - len(tail)
}
