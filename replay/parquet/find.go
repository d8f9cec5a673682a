package parquet

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// findFiles lists the Parquet files of paths, patterns and folders. A file that
// is named is taken whatever it is called. The order is that of the numbers in
// the names, so that part 2 comes before part 10.
func findFiles(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: no paths given; name Parquet files or folders", ErrNoCapture)
	}
	var list []string
	for _, path := range paths {
		found, err := findPath(path)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortStableFunc(list, compareNatural)
	return list, nil
}

func findPath(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return findFolder(path)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a file or folder; Parquet cannot be read from a stream, write it to a file first", path)
	case err == nil:
		return []string{path}, nil
	}
	matches, globErr := filepath.Glob(path)
	if globErr != nil || !strings.ContainsAny(path, "*?[") {
		return nil, fmt.Errorf("%s: %w; name a Parquet file, a folder of them or a pattern", path, fs.ErrNotExist)
	}
	var list []string
	for _, m := range matches {
		if passedOver(filepath.Base(m)) {
			continue
		}
		info, err := os.Stat(m)
		switch {
		case err != nil:
			return nil, err
		case !info.IsDir() && (looksParquet(m) || beginsParquet(m)):
			list = append(list, m)
		case info.IsDir():
			found, err := listFolder(m)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: %w match the pattern; name Parquet files or folders", path, ErrNoCapture)
	}
	return list, nil
}

func findFolder(path string) ([]string, error) {
	list, err := listFolder(path)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w in this folder: no file named .parquet (or .parq, .pq), or with Parquet content; make one with twindrift import or synth", path, ErrNoCapture)
	}
	return list, err
}

func listFolder(root string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == root:
			return nil
		case passedOver(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		if looksParquet(path) {
			list = append(list, path)
		}
		return nil
	})
	return list, err
}

// passedOver reports whether a name is that of something temporary, hidden or
// beside the captures.
func passedOver(name string) bool {
	return name == "+tmp" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") ||
		strings.HasSuffix(name, ".keys.parquet") || strings.HasSuffix(name, ".headers.parquet")
}

// looksParquet reports whether a file in a folder is Parquet: by its name, or
// (Aiven's sinks give none) by how it begins.
func looksParquet(path string) bool {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".parquet" || ext == ".parq" || ext == ".pq":
		return true
	case ext != "" && aivenName.FindString(stemOf(path)) == "":
		return false
	}
	return beginsParquet(path)
}

func beginsParquet(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	_, err = f.ReadAt(head[:], 0)
	return err == nil && (string(head[:]) == magic || string(head[:]) == magicEncrypted)
}

// compareNatural compares names with the numbers in them as numbers.
func compareNatural(a, b string) int {
	for i, j := 0, 0; ; {
		if i == len(a) || j == len(b) {
			return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), cmp.Compare(a, b))
		}
		na, nb := digitsAt(a[i:]), digitsAt(b[j:])
		if na == "" || nb == "" {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i++
			j++
			continue
		}
		x, y := strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
		i += len(na)
		j += len(nb)
	}
}

// digitsAt is the number that s begins with, as digits.
func digitsAt(s string) string {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n]
}
