//go:build race

package retry

// slowed is set where the race detector makes everything many times slower: what looks at the whole corpus then looks at a part of it.
const slowed = true
