// Package site simulates one data center in virtual time: the link that brings
// messages from the source log, and the consumer processes that take them up
// and say when each draws its id. It knows nothing of generators: when a draw
// happens does not depend on what is drawn.
//
// The words: a message is appended when the source log holds it, arrives when
// the link has brought it to the site (or, at an observed site, when the capture
// saw it processed), starts when a worker takes it up, and draws its id a
// handling delay later. Time in here is int64 nanoseconds since Clock.BaseMs.
//
// The messages come in epochs: everything appended before some moment. A
// consumer goes as far ahead in virtual time as those messages allow, so that
// what it has to hold is only what may still be overtaken.
package site
