package interpret_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// What is made of an outcome that has a scrubber goes through it; the members stay as they are.
func TestOutcomeWithAScrubber(t *testing.T) {
	const key = "tenant-42-Zq8w"
	plain := interpret.Outcome{
		Kind: interpret.ServerError, Message: "cannot authenticate " + key, Supported: []string{key}, Scopes: []string{key}, RequiredCapabilities: []string{key},
		Data: []byte(`{"errors":[{"path":"a","message":"is ` + key + `"}]}`),
	}
	texts := func(o interpret.Outcome) map[string]string {
		err := o.ErrCause(errors.New("dial " + key))
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("m", "outcome", o, "error", err)
		said := o.Said(interpret.NewScrubber("cannot"))
		return map[string]string{
			"Error": err.Error(), "%+v": fmt.Sprintf("%+v", err), "%q": fmt.Sprintf("%q", err), "String": o.String(), "a log": log.String(),
			"Said": fmt.Sprint(said), "Hints": fmt.Sprint(o.Hints()), "a joined error": errors.Join(err).Error(),
		}
	}
	for name, text := range texts(plain) {
		if !strings.Contains(text, key) {
			t.Errorf("%s proves nothing: %s", name, text)
		}
	}
	o := plain.ScrubbedBy(interpret.NewScrubber(key)).ScrubbedBy(nil)
	for name, text := range texts(o) {
		if strings.Contains(text, key) || !strings.Contains(text, "[redacted]") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if said := o.Said(interpret.NewScrubber("cannot")).Text; !strings.Contains(said, "[redacted] authenticate [redacted]") {
		t.Errorf("beside the scrubber that is given: %s", said)
	}
	if o.Message != plain.Message || o.Scrubber() == nil || plain.Scrubber() != nil || o.ScrubbedBy(interpret.NewScrubber("another")).Err().Error() != o.Err().Error() {
		t.Errorf("%+v", o)
	}
	var none *interpret.Error
	if none.Scrubber() != nil || none.ScrubbedBy(o.Scrubber()).Kind != interpret.Unknown {
		t.Error("a nil error has a scrubber")
	}
}
