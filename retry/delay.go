package retry

import "time"

// wait returns the delay before a resend: full jitter under a ceiling that doubles, the rule's own minimum, and never
// earlier than the server asked, of which the chance part keeps the callers apart that all heard the same wish.
func (j *judgement) wait() time.Duration {
	var d time.Duration
	if paced(j.fix) {
		d = j.ceiling()
		if j.state.Rand != nil {
			d = time.Duration(j.state.chance() * float64(d))
		}
	}
	if j.rule != nil {
		d = max(d, j.rule.MinDelay)
	}
	if until := max(j.wish, j.held()); until > 0 {
		d = max(d, until+time.Duration(j.state.chance()*float64(spread(&j.policy, until))))
	}
	return d
}

// held returns how long the server is held for all calls, as far as the policy waits at all: what a reply to another call
// said may delay this one, and no more.
func (j *judgement) held() time.Duration {
	if j.state.NotBefore.IsZero() {
		return 0
	}
	return min(j.state.NotBefore.Sub(j.state.Now), j.policy.HintCap)
}

// ceiling returns the longest wait at this point of the call: the first delay, doubled for each plain resend and each
// round that was made, up to the top. See "Exponential Backoff And Jitter", AWS Architecture Blog, 2015: full jitter.
func (j *judgement) ceiling() time.Duration {
	d := j.policy.FirstDelay
	n := j.state.plain() - 1
	if j.fix != "" {
		n = j.state.Spent[j.fix]
	}
	for ; n > 0 && d < j.policy.TopDelay; n-- {
		d *= 2
	}
	return min(d, j.policy.TopDelay)
}

// spread returns over how long those who wait for the same moment come back.
func spread(p *Policy, wish time.Duration) time.Duration { return max(p.FirstDelay, wish/10) }
