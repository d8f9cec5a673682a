// Package spill keeps what has to wait on disk when it would take too much
// memory. A run makes one Store with a budget; each part of it that holds
// messages back is an Owner, says how much it holds, and has its largest pieces
// written to the store's file when all owners together hold too much.
//
// Pieces are sequences of int64 words, so that nothing depends on how a type
// lies in memory. A piece is written once and read back once, exactly as it
// was: results do not depend on what was on disk meanwhile.
package spill
