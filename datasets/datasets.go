// Package datasets holds small captures to try things on, built into the
// program.
//
// Nobody's data is in them: each is made by the recipe beside it (NAME.yaml,
// see package replay/recipe), whose first comment says what it shows. After a
// change to a recipe, go generate ./datasets writes the captures anew.
package datasets

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:generate go test -run TestCapturesAreWhatTheirRecipesMake -update .

//go:embed *.yaml *.parquet
var files embed.FS

// Default is the capture that a run takes when it is given none.
const Default = "evening"

// Names lists the captures, in alphabetical order.
func Names() []string {
	recipes, err := fs.Glob(files, "*.yaml")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for i, r := range recipes {
		recipes[i] = strings.TrimSuffix(r, ".yaml")
	}
	return recipes
}

// Recipe gives the text of the recipe that a capture is made from.
func Recipe(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("there is no sample %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return text, nil
}
