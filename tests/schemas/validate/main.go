// Holds objects against CustomResourceDefinitions with the API server's own library: schema, CEL rules, defaults and
// pruning, as at a create. An object that a default or the pruning would change is a fault too: what is written is
// meant to be what the server stores.
//
//	validate FOLDER-OF-CRDS FOLDER-OF-OBJECTS…
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// What one rule, and all rules of one object, may cost; far above what any of them does.
const celBudget = 10_000_000

type rules struct {
	structural *schema.Structural
	schema     validation.SchemaValidator
	cel        *cel.Validator
}

func main() {
	kinds, err := readKinds(os.Args[1])
	fail(err)
	objects, faults := 0, 0
	for _, folder := range os.Args[2:] {
		fail(filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".yaml") {
				return err
			}
			found, known, err := check(path, kinds)
			if known {
				objects++
			}
			for _, fault := range found {
				faults++
				fmt.Println(path + ": " + fault)
			}
			return err
		}))
	}
	fmt.Printf("%d objects, %d faults\n", objects, faults)
	if faults > 0 || objects == 0 {
		os.Exit(1)
	}
}

// readKinds gives the rules of version v1beta2 of every kind.
func readKinds(folder string) (map[string]rules, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	kinds := map[string]rules{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &crd); err != nil {
			return nil, err
		}
		for _, version := range crd.Spec.Versions {
			// Workloads are made by Kueue; their schema is a hundred times the size of the others.
			if version.Name != "v1beta2" || crd.Spec.Names.Kind == "Workload" {
				continue
			}
			var props apiextensions.JSONSchemaProps
			err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
				version.Schema.OpenAPIV3Schema, &props, nil)
			if err != nil {
				return nil, err
			}
			structural, err := schema.NewStructural(&props)
			if err != nil {
				return nil, err
			}
			validator, _, err := validation.NewSchemaValidator(&props)
			if err != nil {
				return nil, err
			}
			kinds[crd.Spec.Names.Kind] = rules{structural, validator, cel.NewValidator(structural, true, celBudget)}
		}
	}
	return kinds, nil
}

func check(path string, kinds map[string]rules) (faults []string, known bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, false, err
	}
	var written, stored map[string]any
	if err := yaml.Unmarshal(text, &written); err != nil {
		return nil, false, err
	}
	if err := yaml.Unmarshal(text, &stored); err != nil {
		return nil, false, err
	}
	kind, known := kinds[fmt.Sprint(written["kind"])]
	if !known {
		return nil, false, nil
	}
	defaulting.Default(stored, kind.structural)
	pruning.Prune(stored, kind.structural, true)
	if !reflect.DeepEqual(written, stored) {
		faults = append(faults, fmt.Sprintf("would be stored as %v", stored))
	}
	found := validation.ValidateCustomResource(nil, stored, kind.schema)
	more, _ := kind.cel.Validate(context.Background(), field.NewPath(""), kind.structural, stored, nil, celBudget)
	for _, fault := range append(found, more...) {
		faults = append(faults, fault.Error())
	}
	return faults, true, nil
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
