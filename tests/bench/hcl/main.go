// Command hcl parses every *.pool.hcl file of a folder with HashiCorp's parser and counts the blocks: what reading
// HCL costs alone, beside what Poolwright does with it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func main() {
	names, err := filepath.Glob(filepath.Join(os.Args[1], "*.pool.hcl"))
	if err != nil || len(names) == 0 {
		fmt.Fprintln(os.Stderr, "no *.pool.hcl file in", os.Args[1])
		os.Exit(1)
	}
	parser := hclparse.NewParser()
	blocks := 0
	for _, name := range names {
		file, faults := parser.ParseHCLFile(name)
		if faults.HasErrors() {
			fmt.Fprintln(os.Stderr, faults)
			os.Exit(1)
		}
		if body, ok := file.Body.(*hclsyntax.Body); ok {
			blocks += len(body.Blocks)
		}
	}
	fmt.Println(blocks, "blocks")
}
