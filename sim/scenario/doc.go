// Package scenario says what is to be simulated: which generator, which sites,
// with what delays, consumers and node numbers.
//
// A scenario is a YAML file, decoded strictly (Parse): what is unknown,
// misspelt, given twice, in the wrong unit or at odds with the rest is an
// error that says where it stands and what may have been meant. The common
// cases need no file: Default is a whole scenario, and Flags change one from
// the command line. Either way all defaults are filled in: a Scenario in hand
// says everything there is to say, and its text (Marshal) reads back to the
// same scenario.
//
// The fields of the structs are the fields of the file, by their json names.
// From them, and from their comments, the JSON schema is made (Schema), so the
// comments here are written for whoever writes a scenario file. A new field is
// added to its struct and, where it has one, its default to the struct's
// defaults method.
package scenario
