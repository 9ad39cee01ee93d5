// Package retry turns the meaning of a reply into a decision, and carries decisions out.
//
// [Policy.Decide] is the decision: a pure function of the request, of what the reply means ([interpret.Outcome]) and of
// the call's [State]. The kind's row of [Defaults] chooses an [Action], or the first [Rule] of the host that matches; then
// gates are asked, in a fixed order, and no rule can pass one by. [Policy.Explain] shows the way, and [ParsePolicy] reads
// a policy from JSON.
//
// [Loop] makes calls: it is the only place that decides about *again*. It holds what a call has used up of its attempts,
// sends, remedies and time, and shares with all loops to one [Server] the budget of resends and the time before which the
// server asked for no request. Two drivers turn it: [Loop.Do] for anything that can send once, and [Loop.HTTP] for an HTTP
// request that the host has made itself. What became of the call is an [Answer].
//
// A model reads an answer as [Answer.ForModel] tells it, a result or one of three texts by who can fix the fault; [Guard] keeps it from making
// one failing call over and over. An [Observer] is told of every attempt, and never of what was said.
//
// What a reply means is read by package interpret, before this package sees it. How it is sent is for package client, or for whoever
// gives a Loop its [Sender].
package retry
