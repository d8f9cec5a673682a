package external

import (
	"bufio"

	"twindrift/generator"
)

// framing writes requests and reads answers.
type framing interface {
	// encode appends a request to buf.
	encode(buf []byte, c generator.Calls, node int32, partitionNumber []int32) []byte
	// decode reads the answer to a request of len(ids) messages, and says how many it
	// found before an error: of the pipe, or an *answerError.
	decode(out *bufio.Reader, ids []int64, kinds []generator.Kind) (answered int, err error)
	// refusedStatus is the last status that was not 0.
	refusedStatus() int32
}

// outcome is the id and kind that an answer stands for.
func outcome(id int64, status int32, refused *int32) (int64, generator.Kind) {
	if status != 0 {
		*refused = status
		return 0, generator.External
	}
	return id, generator.Drawn
}

// isNone says whether an integer is no id. A float that is no number, or too large, becomes
// the lowest.
func isNone(id int64) bool { return id < generator.LeastID }

// partition is the Kafka partition of an index.
func partition(index int32, number []int32) int32 {
	if number == nil {
		return index
	}
	return number[index]
}
