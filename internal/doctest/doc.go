// Package doctest holds the pages of this repository to the code: its tests read every *.md, and no block of one stands unchecked.
//
// What a block is follows from its language, or from an HTML comment in the line before it:
//
//	```go       <!-- NAME of FILE -->            the body of a testable example, or a whole function
//	```         <!-- output of NAME of FILE -->  what that example prints
//	any         <!-- FILE -->                    the file itself
//	any         <!-- in FILE -->                 a part of the file, line by line
//	```json     <!-- a policy -->                a policy as package retry parses it
//	```console                                   commands behind "$ ", and what they print; exit code 0
//	```sh                                        commands that end with exit code 0
//	either      <!-- exit code N -->             the same, with another exit code
//	```sh       <!-- run by .ci/run -->          commands that .ci/run runs itself
//	```sh       <!-- needs PROGRAM -->           the same, where the program is installed; .ci/run insists on it
//	any         <!-- not run: REASON -->         what needs something of the reader's own
//
// And between <!-- printed by: COMMAND --> and <!-- end of what is printed --> stands what the command prints.
//
// Commands run in a copy of the repository, block after block. What is copied or printed is written by
//
//	go test ./internal/doctest -update
package doctest
