package interpret

// What the tests of this package see beyond its API.

// Row is one row of a table, which a test may switch off.
type Row struct {
	Table string // the stage, "ran" or "deviations"
	ID    string // as in [Outcome.Why], or the slug of a deviation
	Last  bool   // the row that catches whatever is left, and cannot be switched off
	when  *func(*reading) bool
}

// Rows returns every row of every table.
func Rows() []Row {
	var all []Row
	for i := range stages {
		rows := stages[i].rows
		for j := range rows {
			all = append(all, Row{Table: stages[i].name, ID: rows[j].ID, when: &rows[j].when})
		}
	}
	all[len(all)-1].Last = true
	for i := range ranRules {
		all = append(all, Row{Table: "ran", ID: ranRules[i].ID, when: &ranRules[i].when})
	}
	for i := range deviationRules {
		all = append(all, Row{Table: "deviations", ID: string(deviationRules[i].slug), when: &deviationRules[i].when})
	}
	return all
}

// Off makes the row match nothing until on is called. Nothing may be read meanwhile but by the caller.
func (r Row) Off() (on func()) {
	was := *r.when
	*r.when = func(*reading) bool { return false }
	return func() { *r.when = was }
}
