package adapt

import "context"

// WithValues returns a context that ends with ctx and has the values of another: what outlives a call should not carry its marks.
func WithValues(ctx, values context.Context) context.Context { return valued{ctx, values} }

type valued struct {
	context.Context
	values context.Context
}

func (v valued) Value(key any) any { return v.values.Value(key) }
