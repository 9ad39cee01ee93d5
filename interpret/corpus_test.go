package interpret_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// corpusCase is one case of the corpus beside the exchange that it describes.
type corpusCase struct {
	fixtures.Case
	x interpret.Exchange
}

var readCorpus = sync.OnceValues(func() (all []corpusCase, err error) {
	for c, e := range fixtures.Cases() {
		x, e2 := c.Exchange()
		all, err = append(all, corpusCase{c, x}), errors.Join(err, e, e2)
	}
	return all, err
})

// corpus returns every case, or ends the test.
func corpus(tb testing.TB) []corpusCase {
	tb.Helper()
	all, err := readCorpus()
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// reads returns the case's reading as it comes out, in the words of its label: what [interpret.Reply] says, and what the default policy makes of it.
func (c *corpusCase) reads() fixtures.Reading {
	o := interpret.Reply(c.x)
	d := retry.DefaultPolicy().Decide(c.x.Request, o, retry.State{})
	return fixtures.ReadingOf(o, d.Action.String(), d.Remedy)
}
