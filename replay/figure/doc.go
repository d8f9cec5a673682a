// Package figure writes figures for people: counts, shares, lengths of time and
// moments read the same in whatever a command prints.
package figure
