package external

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"twindrift/generator"
)

// What goes wrong with a process; test with errors.Is.
var (
	ErrNotStarted = errors.New("it could not be started")
	ErrEnded      = errors.New("it ended")
	ErrClosedPipe = errors.New("it closed a pipe")
	ErrTimeout    = errors.New("it took too long")
	ErrAnswer     = errors.New("wrong answer")
)

// errTooLong is where all was answered just as time was up.
var errTooLong = errors.New("time is up")

// The ways out.
const (
	adviceStart   = "give a program in PATH or the path of one; a script needs leave to be executed and a first line that names its interpreter, or its interpreter before it in the command"
	adviceEnded   = "it has to answer every message, and to go on until its standard input ends; logs and errors go to standard error"
	adviceTimeout = "it has to flush its answers when no more input is ready (behind every line, or after every binary answer), with as many of them as it was asked for; a slow one needs a longer time-out or a smaller batch"
	adviceFrame   = "see that the framing is the one that the process speaks, little endian, and that nothing else, such as logs, goes to its standard output"
	adviceLine    = `an answer is a line like {"id":"638935272001000000"}, and nothing else, such as logs, may go to standard output`
	adviceSurplus = "it has to give one answer to each message, and nothing else, such as logs, may go to its standard output"
	adviceCount   = "an answer has as many ids as its request; a message that gets none has a status other than 0"
	adviceNone    = "an id has to be above -9223372036854775807; the lowest integers are what numbers that are too large, or none, turn into"
	adviceClose   = "it has to end with status 0 when its input ends"
)

// Error says how a process failed. It wraps one of the errors above.
type Error struct {
	Command []string
	Err     error  // what happened
	Status  string // "exit status 1", "signal: killed" or "still running"; "" where it was not started
	Advice  string // the way out
	Stderr  string // the last lines of its standard error
}

func (e *Error) Error() string {
	status, stderr := " ("+e.Status+")", "; it wrote nothing to standard error"
	if e.Status == "" {
		status, stderr = "", ""
	}
	if e.Stderr != "" {
		stderr = "; its standard error ends with:\n\t" + strings.ReplaceAll(e.Stderr, "\n", "\n\t")
	}
	return fmt.Sprintf("external generator %s: %v%s; %s%s", commandLine(e.Command), e.Err, status, e.Advice, stderr)
}

func (e *Error) Unwrap() error { return e.Err }

// RefusedError says that the process gave a message no id. It is a generator.Refusal.
type RefusedError struct {
	EventMs int64
	Status  int32 // what the process answered, not 0
}

var _ generator.Refusal = (*RefusedError)(nil)

// Kind is the outcome that the error stands for.
func (e *RefusedError) Kind() generator.Kind { return generator.External }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("timestamp %d: the external generator gave no id (status %d)", e.EventMs, e.Status)
}

// answerError is an answer that makes no sense. It wraps ErrAnswer.
type answerError struct{ what, advice string }

func (e *answerError) Error() string { return ErrAnswer.Error() + ": " + e.what }
func (e *answerError) Unwrap() error { return ErrAnswer }

// surplus is the error of what is left in out when all was answered.
func surplus(out *bufio.Reader) error {
	begin, _ := out.Peek(min(out.Buffered(), 4*cut))
	return &answerError{"more than was asked for: " + quoted(begin), adviceSurplus}
}

// cut is how many characters of an answer an error shows.
const cut = 80

// quoted shows the begin of a text.
func quoted(text []byte) string {
	runes, more := []rune(string(text)), ""
	if len(runes) > cut {
		runes, more = runes[:cut], "..."
	}
	return strconv.Quote(string(runes)) + more
}

// commandLine shows a command, with quotes where a word would not be seen as one.
func commandLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		if words[i] = word; word == "" || strings.ContainsAny(word, " \t\n\"'") {
			words[i] = strconv.Quote(word)
		}
	}
	return strings.Join(words, " ")
}
