package adapt

import (
	"container/list"
	"runtime"
	"sync"
	"weak"

	"github.com/mcperr/mcperr/retry"
)

// Handle is a result of an SDK's, by which the answer that it came with is found again. It holds the result: it is for the moment.
// The zero value is no result.
type Handle struct {
	key    any // a weak.Pointer
	result any // what it points to: a key alone lets its answer go with the last use that the host has for the result
	ended  func()
}

// HandleOf returns that of a result; nil is none. A copy of a result is another one.
func HandleOf[T any](result *T) Handle {
	if result == nil {
		return Handle{}
	}
	key := weak.Make(result)
	return Handle{key, result, func() { runtime.AddCleanup(result, func(key weak.Pointer[T]) { results.forget(key) }, key) }}
}

// Keep remembers the answer for as long as the host has the result.
func (h Handle) Keep(a *retry.Answer) {
	if h.key != nil && results.keep(h.key, a) {
		h.ended()
	}
	runtime.KeepAlive(h.result)
}

// Answer returns what was remembered, nil if nothing was.
func (h Handle) Answer() *retry.Answer {
	if h.key == nil {
		return nil
	}
	a := results.get(h.key)
	runtime.KeepAlive(h.result)
	return a
}

// results are the answers to the results that hosts have. Nothing but their number is bounded: each is of the size of its result.
var results = kept{most: 4096, bytes: -1}

// kept are answers by a key, up to a number and up to so many bytes of replies; a negative number is no bound. The oldest are forgotten
// first, and the newest is there however large it is. It is safe for concurrent use.
type kept struct {
	most, bytes int

	mu    sync.Mutex
	by    map[any]*list.Element
	order list.List // of *keptAnswer, the oldest first
	size  int
}

type keptAnswer struct {
	key    any
	answer *retry.Answer
	size   int
}

// keep remembers an answer, in place of the one under the same key. It reports whether there was none.
func (k *kept) keep(key any, a *retry.Answer) (added bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.by[key]
	k.drop(old)
	if k.by == nil {
		k.by = make(map[any]*list.Element)
	}
	one := &keptAnswer{key, a, sizeOf(a)}
	k.by[key] = k.order.PushBack(one)
	k.size += one.size
	for k.order.Len() > 1 && (k.most >= 0 && k.order.Len() > k.most || k.bytes >= 0 && k.size > k.bytes) {
		k.drop(k.order.Front())
	}
	return old == nil
}

func (k *kept) get(key any) *retry.Answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.by[key]; e != nil {
		return e.Value.(*keptAnswer).answer
	}
	return nil
}

func (k *kept) forget(key any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(k.by[key])
}

// drop forgets one; nil is none. k.mu is held.
func (k *kept) drop(e *list.Element) {
	if e == nil {
		return
	}
	one := k.order.Remove(e).(*keptAnswer)
	delete(k.by, one.key)
	k.size -= one.size
}

// sizeOf returns how many bytes of messages an answer holds on to.
func sizeOf(a *retry.Answer) int {
	x := &a.Exchange
	n := len(x.Body) + len(x.Request.Body)
	for _, line := range x.Lines {
		n += len(line)
	}
	return n
}
