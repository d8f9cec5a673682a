// Package reading holds what programs that read ids for people have in common,
// whatever the generator: what such a reader is, how moments and numbers are
// parsed, what a sorted set keeps of an id, and lines of 80 columns.
//
// The readers themselves are packages called reading too, each below the
// generator whose ids it reads.
package reading
