package input

import (
	"errors"

	"github.com/mcperr/mcperr/fixtures"
)

// readCases reads a case of the corpus, or a file of them. Their want is not looked at.
func readCases(b []byte, _ Options) ([]Reply, error) {
	cases, err := fixtures.Read(b)
	if err != nil {
		return nil, jsonError(b, err)
	}
	if len(cases) == 0 {
		return nil, errors.New("the array is empty: there is no case in it")
	}
	replies := make([]Reply, len(cases))
	for i, c := range cases {
		x, err := c.Exchange()
		if err != nil {
			return nil, err
		}
		replies[i] = Reply{ID: c.ID, Exchange: x, Asked: true}
	}
	return replies, nil
}
