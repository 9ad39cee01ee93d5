package client

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// stream hands an event stream on as it comes, and records it.
func (e *exchange) stream(r *http.Request, resp *http.Response) *http.Response {
	x := interpret.Exchange{Request: e.request, Status: resp.StatusCode, Header: telling(resp.Header), Received: time.Now()}
	e.recorder.stream(x, e.trace)
	s := &sieve{e: e, x: x, below: resp, listens: e.request.ID == "" || e.request.Method == "subscriptions/listen"}
	var seen io.Reader = resp.Body
	if !s.listens {
		seen = &capped{r: io.TeeReader(seen, s.kept()), left: e.t.maxBody()}
	}
	s.next, s.stop = iter.Pull2(interpret.Scan(seen, resp.Header.Get("Content-Type"), e.request, interpret.Limits{Bytes: e.t.maxBody()}))
	out := *resp
	out.Header = resp.Header.Clone()
	out.Header.Del("Content-Length")
	if e.request.Method != "initialize" {
		out.Header.Del(headerSession)
	}
	out.Body, out.ContentLength, out.Request = s, -1, r
	return &out
}

// sieve is an event stream as an SDK gets it: each event as soon as it is whole, without those that an SDK could take for
// something else than they are. It ends after the answer.
type sieve struct {
	e       *exchange
	listens bool               // it is for what the server sends of itself, and has no end: it is not recorded
	x       interpret.Exchange // without its body
	below   *http.Response
	raw     bytes.Buffer // all that came, where nobody records
	next    func() (interpret.Message, error, bool)
	stop    func()

	mu    sync.Mutex // held while below is read
	ready []byte     // to be read
	event string     // id of the last event
	end   error
	shut  bool
}

// kept is where the stream's bytes go.
func (s *sieve) kept() io.Writer {
	if s.e.recorder == nil {
		return &s.raw
	}
	return recording{s.e.recorder}
}

// Read hands on the next whole event.
func (s *sieve) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.ready) == 0 {
		switch {
		case s.end != nil:
			return 0, s.end
		case s.shut:
			return 0, http.ErrBodyReadAfterClose
		}
		m, err, ok := s.next()
		m.EventID = returnable(m.EventID) // an SDK would fail with it
		if m.EventID != "" {
			s.event = m.EventID
		}
		switch {
		case err != nil:
			s.broke(err)
		case !ok:
			s.broke(nil)
		case m.Answer:
			s.answered(m)
		case s.fit(m):
			s.ready = s.write(m)
		}
	}
	n := copy(p, s.ready)
	s.ready = s.ready[n:]
	return n, nil
}

// fit reports whether an event may reach the SDK: a message of the server's own that it can take, or a mere event id.
// An answer to another request is not this stream's to give: mcp-go would take it for this one's, go-sdk for the other's.
func (s *sieve) fit(m interpret.Message) bool {
	if m.Method != "" && m.ID == "" {
		s.e.peer.names.stale(m.Method)
	}
	return m.Raw == nil || !m.Junk && m.Method != "" && proto.Decodable(m.Raw)
}

// answered hands the answer on if it counts. Either way nothing more is read.
func (s *sieve) answered(m interpret.Message) {
	s.end = io.EOF
	if s.listens {
		s.ready = s.write(m)
		return
	}
	x := s.exchange()
	s.e.recorder.end(x)
	o := interpret.Reply(x)
	s.e.learn(&x, &o)
	if o.Answered {
		m.Raw = s.e.decodable(m.Raw, &o)
		s.ready = s.write(m)
	}
}

// broke ends a stream that gave no answer. What may be taken up again is remembered.
func (s *sieve) broke(err error) {
	s.end = cmp.Or(err, io.EOF)
	if s.listens {
		return
	}
	x := s.exchange()
	if err != nil {
		if x.Truncated = errors.Is(err, interpret.ErrTooLarge); !x.Truncated {
			x.Failure = s.e.trace.Failure(s.e.ctx, err)
		}
	}
	s.e.recorder.end(x)
	if s.event != "" && s.resumable() {
		s.e.peer.remember(s.event, s.e)
	}
}

// resumable: event ids mean something in these versions only, and an SDK that saw one elsewhere would ask for more in vain.
func (s *sieve) resumable() bool {
	v := s.e.request.Version
	return v >= interpret.Version20250326 && v <= interpret.Version20251125
}

// exchange returns what came so far.
func (s *sieve) exchange() interpret.Exchange {
	x := s.x
	x.Replied = s.e.peer.repliedIDs()
	if s.e.recorder == nil {
		x.Body = bytes.Clone(s.raw.Bytes())
	} else {
		x.Body = s.e.recorder.bytes()
	}
	return x
}

// write is the event anew, by the same rules that it was read by.
func (s *sieve) write(m interpret.Message) []byte {
	var b bytes.Buffer
	if m.EventID != "" && s.resumable() {
		fmt.Fprintf(&b, "id: %s\n", m.EventID)
	}
	if m.Wait > 0 {
		fmt.Fprintf(&b, "retry: %d\n", m.Wait.Milliseconds())
	}
	if m.Raw != nil {
		for line := range bytes.SplitSeq(m.Raw, []byte("\n")) {
			fmt.Fprintf(&b, "data: %s\n", line)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// Close may be called while Read waits, which it ends.
func (s *sieve) Close() error {
	if s.mu.TryLock() {
		if s.end == io.EOF && !s.shut {
			wire.Drain(s.below)
		}
		s.mu.Unlock()
	}
	err := s.below.Body.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shut {
		s.shut = true
		s.stop()
	}
	return err
}

// capped is a reader that fails past a number of bytes.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, interpret.ErrTooLarge
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}
