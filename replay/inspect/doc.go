// Package inspect says what is in a capture before anything is replayed: how
// many messages from when to when, how fast they come, how far each partition
// is out of time order, and what is wrong with the timestamps.
//
// It works from the plan of a source, so it costs one reading of four columns.
package inspect
