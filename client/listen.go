package client

import (
	"context"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// Waits between two listening streams. What the server asks for counts, but for a floor: nobody waits for such a stream, and it
// must not become a storm.
const (
	listenAgain    = time.Second
	listenAgainTop = 30 * time.Second
	listenFloor    = 500 * time.Millisecond
)

// listen keeps a GET stream open for as long as the session lasts. Such a stream may send no headers before its first message.
func (l *httpLink) listen(s *session) {
	if l.t.Listen {
		l.c.background(func() { l.stream(s) })
	}
}

func (l *httpLink) stream(s *session) {
	wait, last := listenAgain, ""
	for s.quitCtx.Err() == nil {
		req := interpret.Request{HTTPMethod: http.MethodGet, Era: s.era(), Session: s.id != "", Version: s.version()}
		x := l.get(s.quitCtx, s, req, last)
		o := interpret.Reply(x)
		if x.Failure == nil && !streamed(x) {
			return // it has no such stream, or not for us
		}
		if o.EventID != "" {
			wait = listenAgain
			if id := returnable(o.EventID); id != "" {
				last = id // else from the one before: an event may come twice, none is lost
			}
		}
		if asked := s.reconnection(); asked > 0 {
			wait = max(asked, listenFloor)
		}
		if pause(s.quitCtx, wait) != nil {
			return
		}
		wait = min(2*wait, listenAgainTop)
	}
}

// get opens an event stream, from the event that is named if one is.
func (l *httpLink) get(ctx context.Context, s *session, req interpret.Request, after string) interpret.Exchange {
	h := s.headers()
	if after != "" {
		h.Set(headerLastEvent, after)
	}
	return l.do(ctx, s, http.MethodGet, req, h, nil)
}

// streamed reports whether the reply is an event stream.
func streamed(x interpret.Exchange) bool {
	return x.Status == http.StatusOK && wire.IsEventStream(x.Header)
}

// pause waits, or returns why ctx ended first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
