//go:build race

package interpret_test

// raced: the race detector is on. Pools then forget at random, and allocations say nothing.
const raced = true
