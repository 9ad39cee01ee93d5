package breaker

import "sync"

// changes are those of a circuit that are to be told. They are added under its lock, so in order, and told outside of it, so that whoever is told may
// use the circuit. The zero value has none, and tells nobody.
type changes struct {
	changed func(from, to State)
	mu      sync.Mutex
	queue   [][2]State
	telling bool
}

func (c *changes) add(from, to State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, [2]State{from, to})
}

// tell tells what is to be told. If somebody is at it, that one tells this too.
func (c *changes) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.telling {
		return
	}
	c.telling = true
	defer func() { c.telling = false }()
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.call(next)
	}
}

// call leaves the lock for the call; if that panics, it is taken again for tell.
func (c *changes) call(change [2]State) {
	c.mu.Unlock()
	defer c.mu.Lock()
	c.changed(change[0], change[1])
}
