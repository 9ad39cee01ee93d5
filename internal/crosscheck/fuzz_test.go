package crosscheck

import (
	"math/rand/v2"
	"testing"
)

func FuzzEventStream(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(makeStream(rand.New(rand.NewPCG(seed, 2))), seed)
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64) {
		compare(t, stream, rand.New(rand.NewPCG(seed, 3)))
	})
}
