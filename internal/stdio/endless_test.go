package stdio

import (
	"io"
	"strings"
	"testing"
)

// A line may be much longer than the limit, and as many as there are, but not endless.
func TestOutputEndsWhereALineDoesNot(t *testing.T) {
	const most = 8 << 20 // of a limit of 512 KiB
	line := strings.Repeat("x", most)
	for end, before := range map[string]int{"\n": 3, "\r": 1, "\r\n": 2, "": 0} {
		whole := strings.Repeat(line+end, before)
		b := &Bounded{Below: io.MultiReader(strings.NewReader(whole), endless{}), Limit: 512 << 10}
		n, err := io.Copy(io.Discard, b)
		if over := n - int64(len(whole)); err != nil || over <= most || over > most+1<<16 {
			t.Errorf("lines that end with %q: %d bytes of the endless one, %v", end, over, err)
		}
	}
}

func TestAShortLimitLeavesRoomForALine(t *testing.T) {
	for limit, least := range map[int64]int64{0: 4 << 20, 1: 4 << 20, 512 << 10: 8 << 20} {
		if n, _ := io.Copy(io.Discard, &Bounded{Below: endless{}, Limit: limit}); n <= least || n > least+1<<16 {
			t.Errorf("limit %d: ended after %d bytes", limit, n)
		}
	}
	const much = 8 << 20
	b := &Bounded{Below: io.LimitReader(endless{}, much), Limit: 1<<63 - 1}
	if n, err := io.Copy(io.Discard, b); n != much || err != nil {
		t.Errorf("without a limit: %d bytes, %v", n, err)
	}
}
