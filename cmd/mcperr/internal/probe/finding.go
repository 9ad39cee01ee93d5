package probe

import "github.com/mcperr/mcperr/interpret"

// Verdict is what a check comes to.
type Verdict string

// Verdicts.
const (
	Holds    Verdict = "holds"    // as the specification wants it
	Advice   Verdict = "advice"   // a client reads it right, and it departs from what the specification recommends
	Deviates Verdict = "deviates" // it departs from what the specification demands, or a client must read it wrong
	Skipped  Verdict = "skipped"  // it was not asked, or what came says nothing about it
)

// Finding is one check's result.
type Finding struct {
	Check   *Check
	Verdict Verdict
	Why     string   // it was skipped
	Faults  []string // what departs, a sentence each: "it …"; those of a demand first
	Notes   []string // what else there is to know

	Asked    bool // something was sent, and Exchange and Outcome are about it
	Exchange interpret.Exchange
	Outcome  interpret.Outcome
	Want     Want // in the version in force
}

// Want is what the specification says about a question.
type Want struct {
	Says string
	Ref  string // URL
}

// Server is what is known of the server that is asked.
type Server struct {
	Transport interpret.Transport
	Era       interpret.Era // unknown: no session could be opened
	Version   string        // in force
	Name      string        // as it calls itself, with its own version: the server's words

	old          bool            // it says that it speaks the older protocol, too
	shut         bool            // it wants credentials that we do not have
	capabilities map[string]bool // that it declared
	session      string          // the id it gave, "" if none
	tools        *interpret.Names
	schemas      map[string][]byte // of tools, by name
}

func (s *Server) modern() bool { return s.Era == interpret.EraModern }
func (s *Server) http() bool   { return s.Transport == interpret.HTTP }
