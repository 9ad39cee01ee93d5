package stdio

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// What was written before the end is read, however late; whoever else holds the pipe open is not waited for, nor listened to for ever, be it that
// they write without a pause or a little now and then.
func TestOutputIsReadPastItsDeadline(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	const left = "the last words"
	io.WriteString(w, left)
	r.SetReadDeadline(time.Unix(1, 0))
	out := &Output{File: r}
	if got, err := io.ReadAll(out); err != nil || string(got) != left {
		t.Errorf("%q, %v", got, err)
	}

	out = &Output{File: r}
	r.SetReadDeadline(time.Unix(1, 0))
	io.WriteString(w, left)
	for p := make([]byte, 100); ; {
		n, err := out.Read(p)
		if err == io.EOF {
			break
		}
		if err != nil || string(p[:n]) != left {
			t.Fatalf("%q, %v", p[:n], err)
		}
		io.WriteString(w, "more")
	}

	go io.Copy(w, endless{}) // ends with the pipe
	r.SetReadDeadline(time.Unix(1, 0))
	if got, err := io.ReadAll(&Output{File: r}); err != nil || strings.Trim(string(got), "x") != "more" {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
