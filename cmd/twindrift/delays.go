package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"twindrift/replay/parquet"
	"twindrift/sim/delay"
	"twindrift/sim/duration"
	"twindrift/sim/scenario"
)

// readDelays reads the columns of observed delays that a scenario names, from
// the folder of its file ("" for the working folder).
func (t *terminal) readDelays(s *scenario.Scenario, file string) error {
	dir := ""
	if file != "" && file != "-" {
		dir = filepath.Dir(file)
	}
	err := s.ReadDelays(dir, func(r delay.Reference) (*delay.Observed, error) {
		t.reads = append(t.reads, r.Path)
		var o delay.Observed
		if err := parquet.ReadNumbers(r.Path, r.Column, r.UnitNs, o.Add); err != nil {
			return nil, errors.New(inWords(err))
		}
		if o.Cut > 0 && !t.quiet {
			fmt.Fprintf(t.err, "%s: column %s: %d of %d delays lie below 0 or above %s and are cut to these\n",
				r.Path, r.Column, o.Cut, o.Len(), duration.Duration(delay.Max))
		}
		return &o, nil
	})
	if list, ok := errors.AsType[scenario.Errors](err); ok {
		for _, e := range list {
			e.File = file
		}
	}
	return err
}
