package retry

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// An operator reads in a log what failed on our side, and never its text, which may hold an address.
func TestLocalFailuresAreToldByTheirWord(t *testing.T) {
	const secret = "hunter2"
	for _, c := range []struct {
		failure interpret.Failure
		status  int
		want    interpret.FailureWhat
	}{
		{interpret.Failure{What: interpret.FailedDNS, Delivery: interpret.DeliveryNotSent}, 0, interpret.FailedDNS},
		{interpret.Failure{What: interpret.FailedTLS, Delivery: interpret.DeliveryNotSent}, 0, interpret.FailedTLS},
		{interpret.Failure{What: interpret.FailedRefused}, 0, interpret.FailedRefused},
		{interpret.Failure{}, 0, interpret.FailedReset},
		{interpret.Failure{What: interpret.FailedEOF, Delivery: interpret.DeliveryAnswering}, 403, ""}, // the status says it all
	} {
		c.failure.Err = errors.New("dial " + secret)
		var log bytes.Buffer
		l := &Loop{Policy: &Policy{Attempts: 1}, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
		a := l.Do(t.Context(), toolCall, func(context.Context, interpret.Request) interpret.Exchange {
			return interpret.Exchange{Status: c.status, Failure: &c.failure}
		})
		if got := a.Attempts[0].Failure; got != c.want {
			t.Errorf("%+v: told as %q", c.failure, got)
		}
		records := strings.Count(log.String(), "\n")
		if got := strings.Count(log.String(), " failure="+string(c.want)+" "); c.want != "" && got != records || c.want == "" && strings.Contains(log.String(), "failure") {
			t.Errorf("%+v: logged %s", c.failure, &log)
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has the text: %s", &log)
		}
	}
}
