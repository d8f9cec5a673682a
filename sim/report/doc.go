// Package report renders what a run found: as text for people (Text), as JSON
// for programs (JSON, which ReadJSON takes back), and as Parquet with one row a
// delivery and site (Parquet).
//
// A rendering counts, sums and decides nothing that is not in the
// result.Result already; it chooses, formats and puts side by side. So a result
// file rendered again gives the same text as the run that made it.
package report
