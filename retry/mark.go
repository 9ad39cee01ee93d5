package retry

import "context"

// mark is what a context carries while a loop sends something for a call: an inner loop on the same server finds it and
// makes one attempt only, so that layers never multiply. A call to another server keeps its own resends.
type mark struct {
	call   *call
	remedy bool // a remedy of the call is sending, not the call itself
}

type markKey struct{ server *Server }

func (c *call) marked(ctx context.Context, remedy bool) context.Context {
	return context.WithValue(ctx, markKey{c.server}, mark{c, remedy})
}

func markOf(ctx context.Context, s *Server) (mark, bool) {
	m, ok := ctx.Value(markKey{s}).(mark)
	return m, ok
}
