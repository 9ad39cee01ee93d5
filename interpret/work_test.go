package interpret_test

import "runtime"

// bytesAllocated returns how much f allocates, what was freed meanwhile included.
func bytesAllocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
