package table

import (
	"encoding/json"
	"io"
	"math/big"

	"twindrift/sim/order"
)

// Version counts the changes of Report that readers must know of.
const Version = 1

// Report holds the measures of two columns. Fields that are not defined for the
// data are null in JSON.
type Report struct {
	Version       int           `json:"twindrift_order"`
	File          string        `json:"file"`
	X             ColumnNote    `json:"x"`
	Y             ColumnNote    `json:"y"`
	Rows          int           `json:"rows"`
	Pairs         PairsReport   `json:"pairs"`
	Reordering    Reordering    `json:"rfc4737"`
	Presortedness Presortedness `json:"presortedness"`
	Densities     Densities     `json:"rfc5236"`
	Definitions   []Definition  `json:"definitions"`
}

// ColumnNote says what a column is.
type ColumnNote struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
}

// PairsReport is how the pairs of rows stand in x and in y.
type PairsReport struct {
	order.Pairs
	DiscordantShare *float64 `json:"discordant_share"`
	TauA            *float64 `json:"tau_a"`
	TauB            *float64 `json:"tau_b"`
}

// Reordering holds the metrics of RFC 4737 over y in order of x.
type Reordering struct {
	Reordered       int          `json:"reordered"`
	Ratio           float64      `json:"ratio"`
	Extent          *Quantiles   `json:"extent"`
	Extents         []Count      `json:"extents"`
	Late            *Quantiles   `json:"late"`
	Behind          *Quantiles   `json:"behind"`
	NReordered      []NReordered `json:"n_reordered"`
	FreeRuns        FreeRuns     `json:"free_runs"`
	Discontinuities int          `json:"discontinuities"`
	Gap             *Quantiles   `json:"gap"`
}

// Count is how often a value came up.
type Count struct {
	Value int64 `json:"value"`
	Count int64 `json:"count"`
}

// NReordered is how many rows are n-reordered, and their share of all rows.
type NReordered struct {
	N     int64   `json:"n"`
	Count int64   `json:"count"`
	Ratio float64 `json:"ratio"`
}

// FreeRuns are the runs between reordered rows, with their statistics.
type FreeRuns struct {
	order.FreeRuns
	Mean      *float64 `json:"mean"`
	Weighted  *float64 `json:"weighted"`
	Variation *float64 `json:"variation"`
}

// Presortedness holds the measures of presortedness of y in order of x.
type Presortedness struct {
	*order.Presorted
	Spearman     *big.Int   `json:"spearman"`
	Displacement *Quantiles `json:"displacement"`
}

// Densities are the reorder densities of RFC 5236 over the places of the rows by y,
// as counts of rows.
type Densities struct {
	Displacements []Count    `json:"rd"` // place in the order of the rows less place by y
	TooEarly      *Quantiles `json:"too_early"`
	TooLate       *Quantiles `json:"too_late"`
	Occupancies   []Count    `json:"rbd"`
	Waiting       *Quantiles `json:"waiting"`
}

// Quantiles are quantiles by nearest rank, in a unit.
type Quantiles struct {
	Unit string      `json:"unit"`
	P50  json.Number `json:"p50"`
	P90  json.Number `json:"p90"`
	P99  json.Number `json:"p99"`
	P999 json.Number `json:"p99_9"`
	Max  json.Number `json:"max"`
}

// Definition says what a part of the report means.
type Definition struct {
	Of   string `json:"of"`
	Text string `json:"text"`
}

// JSON writes the report as indented JSON.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
