// Package table measures the order of two columns of a file: it reads them from
// comma-separated text, applies every measure of package order, and renders the
// answers as text or JSON, so that anybody can check them against SciPy or R.
//
// Read gives two columns, Measure a Report, and the Report writes itself.
package table
