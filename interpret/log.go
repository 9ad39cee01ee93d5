package interpret

import "log/slog"

// String returns one line as [Error.Error] does, so that printing an outcome prints no more of a server's words than that.
func (o Outcome) String() string { return (&Error{Outcome: o}).Error() }

// LogValue returns the outcome as a group of facts: no data, no result, and of the message as much as [Error.Error] has.
func (o Outcome) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("kind", o.Kind.String()), slog.String("origin", string(o.Origin)), slog.String("ran", o.Ran.String())}
	if o.HasCode {
		attrs = append(attrs, slog.Int64("code", o.Code))
	}
	if o.Status != 0 {
		attrs = append(attrs, slog.Int("status", o.Status))
	}
	if m := o.scrub.Line(o.Message, messageInError); m != "" {
		attrs = append(attrs, slog.String("message", m))
	}
	return slog.GroupValue(attrs...)
}

// String returns what [Error.Error] does.
func (e *Error) String() string { return e.Error() }

// LogValue returns what [Error.Error] does, for a log has errors as text.
func (e *Error) LogValue() slog.Value { return slog.StringValue(e.Error()) }
