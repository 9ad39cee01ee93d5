package interpret_test

import (
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

// A row that no case reaches is a guess, and so is one that no case would miss.
func TestEveryRowFiresAndIsMissedWithoutIt(t *testing.T) {
	cases := corpus(t)
	fires := map[string][]*corpusCase{}
	for i := range cases {
		o := interpret.Reply(cases[i].x)
		for _, id := range o.Why {
			fires[id] = append(fires[id], &cases[i])
		}
		for _, slug := range o.Deviations {
			fires[string(slug)] = append(fires[string(slug)], &cases[i])
		}
	}
	for _, row := range interpret.Rows() {
		t.Run(row.Table+"/"+row.ID, func(t *testing.T) {
			if len(fires[row.ID]) == 0 {
				t.Fatal("no case reaches this row")
			}
			if row.Last {
				return
			}
			defer row.Off()()
			for _, c := range fires[row.ID] {
				if fixtures.Diff(c.Want, c.reads()) != nil {
					return
				}
			}
			t.Errorf("%d cases reach this row, and read the same without it", len(fires[row.ID]))
		})
	}
}
