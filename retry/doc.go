// Package retry turns the meaning of a reply into a decision, and carries decisions out.
//
// [Policy.Decide] is the decision: a pure function of the request, of what the reply means ([interpret.Outcome]) and of
// the call's [State]. [Rule] is how a host tunes it, and what no rule can pass by is a gate.
package retry
