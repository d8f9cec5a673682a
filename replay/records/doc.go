// Package records turns text into captures: CSV, JSON as the Kafka tools print
// it, and log lines.
//
// A file is a run of records, each one message. What a record is depends on
// the format: a CSV row; a JSON value (one a line, one after the other, or the
// elements of an array); a log line that a regular expression cuts up; a JSON
// line with plain fields before it. Whatever the format, a record has named
// fields, and the mapping says which field is the message's timestamp, which
// its key, and so on. A field's name is a CSV column, a path into the JSON
// value with dots between (data.E), the name of a group of the regular
// expression, or $1, $2, ... by its place in the line.
//
// Files are read as streams: memory does not grow with them. Times are brought
// to Kafka's milliseconds; a finer part is cut off (towards the past). Nothing
// is guessed where a guess could be wrong in silence: a column of integers
// whose size does not say their unit, or whose values disagree about it, is
// refused, and the error says how to name the unit.
package records
