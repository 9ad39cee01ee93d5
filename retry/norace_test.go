//go:build !race

package retry

const slowed = false
