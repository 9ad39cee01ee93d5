package retry

import "context"

// mark is what a context carries while a loop sends something for a call: an inner loop on the same server finds it and
// makes one attempt only, so that layers never multiply. A call to another server keeps its own resends.
type mark struct {
	call   *call
	remedy bool              // a remedy of the call is sending, not the call itself
	meta   map[string]string // for the _meta of the attempt, see [Meta]
}

type markKey struct{ server *Server }

// marked returns the context of something that the call sends. What is wanted in the _meta of another server's requests, or of an attempt
// around this call, ends here.
func (c *call) marked(ctx context.Context, remedy bool, meta map[string]string) context.Context {
	ctx = context.WithValue(ctx, markKey{c.server}, mark{c, remedy, meta})
	if len(meta) > 0 || Meta(ctx) != nil {
		ctx = context.WithValue(ctx, metaKey{}, meta)
	}
	return ctx
}

func markOf(ctx context.Context, s *Server) (mark, bool) {
	m, ok := ctx.Value(markKey{s}).(mark)
	return m, ok
}
