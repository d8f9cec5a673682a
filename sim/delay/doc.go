// Package delay holds distributions of delays: how long a link or a consumer
// takes for a message.
//
// A distribution is written as text, "20ms" or "lognormal:35ms,400ms" (see
// Parse), and sampled with one uniform 64-bit word per sample by inverting its
// cumulative distribution: the word 0 gives the shortest delay, the largest
// word the longest. So a sample is a pure function of the word, larger words
// never give shorter delays, and two scenarios that use the same words see the
// same luck whatever their distributions. Mixtures are the exception to the
// second: their parts share the line of words, and samples rise with the word
// within the stretch of each part.
//
// Most distributions are the same at all times; those that vary over the day
// (Varies) are sampled with a time too.
//
// Samples are int64 nanoseconds, never negative and never above Max. They are
// the same on every machine: nothing in here depends on how a processor rounds.
//
// A new kind of distribution is one file and one line in the table in parse.go.
package delay
