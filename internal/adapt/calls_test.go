package adapt

import (
	"log/slog"
	"reflect"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

type nobody struct{ retry.Observer }

// TestLoopIsTheHostsInEveryMember fails when a loop gets a member that is not handed on.
func TestLoopIsTheHostsInEveryMember(t *testing.T) {
	host := &retry.Loop{
		Policy: new(retry.Policy), Server: new(retry.Server), Vouch: func(interpret.Request) bool { return true }, Read: interpret.Reply,
		Remedies: map[interpret.Remedy]retry.RemedyFunc{interpret.Authorize: nil},
		Model:    new(retry.ModelText), MaxBody: 1, Rand: func() float64 { return 0 }, Observer: nobody{}, Logger: slog.New(slog.DiscardHandler),
		Secrets: func() *interpret.Scrubber { return nil },
	}
	v := reflect.ValueOf(host).Elem()
	made := reflect.ValueOf(NewCalls(host).loop(map[interpret.Remedy]retry.RemedyFunc{interpret.EchoState: nil})).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if v.Field(i).IsZero() {
			t.Errorf("the test sets no %s", f.Name)
		}
		if made.Field(i).IsZero() {
			t.Errorf("%s is not handed on", f.Name)
		}
	}
	if n := made.FieldByName("Remedies").Len(); n != 2 {
		t.Errorf("%d remedies, want the host's and the adapter's", n)
	}
}
