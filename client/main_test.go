package client

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// childVar names the behaviour of a test binary that was started as a stdio server.
const childVar = "MCPERR_TEST_CHILD"

// TestMain runs the tests, or one of the children that the tests start.
func TestMain(m *testing.M) {
	if name := os.Getenv(childVar); name != "" {
		child := children[name]
		if child == nil {
			os.Exit(99)
		}
		child()
		os.Exit(0)
	}
	code := m.Run()
	if left := leaked(); code == 0 && left != "" {
		os.Stderr.WriteString("goroutines left behind:\n" + left + "\n")
		code = 1
	}
	os.Exit(code)
}

// leaked returns the stacks of the package's goroutines that are still there after a wait, "" if there are none.
func leaked() string {
	var left string
	for range 1000 {
		buf := make([]byte, 1<<20)
		left = ""
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "mcperr/client.") && !strings.Contains(g, "client.leaked(") {
				left += g + "\n\n"
			}
		}
		if left == "" {
			return ""
		}
		time.Sleep(20 * time.Millisecond)
	}
	return left
}
