// Evaluates expressions with HashiCorp's own implementation: what ours is held against.
//
// A line of JSON in, a line out, in the same order; values are written as tests/conformance/notation.rs says.
//
//	{"names": {"a": 2}}                               the names of what follows, unless it has its own → {}
//	{"text": "a + 1", "names": {"a": 2}}              an expression    → {"value": 3} or {"faults": ["…"]}
//	{"body": "a = 1\n", "names": {}, "known": ["a"]}  a file           → {"value": {"a": 1}} or {"places": ["1:2-1:3"]}
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"os"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

type question struct {
	Text  *string                    `json:"text"`
	Body  *string                    `json:"body"`
	Known []string                   `json:"known"`
	Names map[string]json.RawMessage `json:"names"`
}

type answer struct {
	Value  any      `json:"value,omitempty"`
	Faults []string `json:"faults,omitempty"`
	Places []string `json:"places,omitempty"`
}

// shared are the names of expressions that have none of their own.
var shared = &hcl.EvalContext{Functions: functions}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		var q question
		decoder := json.NewDecoder(strings.NewReader(in.Text()))
		decoder.UseNumber()
		if err := decoder.Decode(&q); err != nil {
			log.Fatalf("not a question: %s: %s", err, in.Text())
		}
		line, err := json.Marshal(respond(&q))
		if err != nil {
			log.Fatal(err)
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
}

func respond(q *question) (a answer) {
	// A crash of theirs is an answer, too.
	defer func() {
		if crash := recover(); crash != nil {
			a = answer{Faults: []string{fmt.Sprintf("panic: %v", crash)}}
		}
	}()
	context := shared
	if q.Names != nil {
		context = &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: functions}
		for name, raw := range q.Names {
			context.Variables[name] = value(raw)
		}
	}
	if q.Text == nil && q.Body == nil {
		shared = context
		return answer{}
	}
	if q.Body != nil {
		return file(*q.Body, q.Known, context)
	}
	expr, faults := hclsyntax.ParseExpression([]byte(*q.Text), "", hcl.InitialPos)
	if faults.HasErrors() {
		return answer{Faults: messages(faults)}
	}
	found, faults := expr.Value(context)
	if faults.HasErrors() {
		return answer{Faults: messages(faults)}
	}
	return answer{Value: show(found)}
}

func file(text string, known []string, context *hcl.EvalContext) answer {
	parsed, faults := hclsyntax.ParseConfig([]byte(text), "", hcl.InitialPos)
	if !faults.HasErrors() && known != nil {
		for _, block := range parsed.Body.(*hclsyntax.Body).Blocks {
			schema := &hcl.BodySchema{}
			for _, name := range known {
				schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
			}
			_, more := block.Body.Content(schema)
			faults = append(faults, more...)
		}
	}
	if faults.HasErrors() {
		a := answer{}
		for _, fault := range faults {
			r := fault.Subject
			a.Places = append(a.Places,
				fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column))
		}
		return a
	}
	found, faults := body(parsed.Body.(*hclsyntax.Body), context)
	if faults.HasErrors() {
		return answer{Faults: messages(faults)}
	}
	return answer{Value: found}
}

func body(b *hclsyntax.Body, context *hcl.EvalContext) (map[string]any, hcl.Diagnostics) {
	result := map[string]any{}
	var faults hcl.Diagnostics
	for name, attribute := range b.Attributes {
		found, more := attribute.Expr.Value(context)
		faults = append(faults, more...)
		result[name] = show(found)
	}
	for _, block := range b.Blocks {
		found, more := body(block.Body, context)
		faults = append(faults, more...)
		key := strings.Join(append([]string{block.Type}, block.Labels...), " ")
		list, _ := result[key].([]any)
		result[key] = append(list, found)
	}
	return result, faults
}

func messages(faults hcl.Diagnostics) []string {
	var all []string
	for _, fault := range faults {
		all = append(all, fault.Summary+": "+fault.Detail)
	}
	return all
}

// functions are those that both sides have and that the generated expressions call.
var functions = map[string]function.Function{
	"upper": stdlib.UpperFunc, "lower": stdlib.LowerFunc, "abs": stdlib.AbsoluteFunc, "min": stdlib.MinFunc,
	"max": stdlib.MaxFunc, "concat": stdlib.ConcatFunc, "join": stdlib.JoinFunc, "keys": stdlib.KeysFunc,
	"values": stdlib.ValuesFunc, "length": stdlib.LengthFunc, "merge": stdlib.MergeFunc,
	"reverse": stdlib.ReverseListFunc, "flatten": stdlib.FlattenFunc, "contains": stdlib.ContainsFunc,
	"try": tryfunc.TryFunc, "can": tryfunc.CanFunc,
	"tostring": stdlib.MakeToFunc(cty.String), "tonumber": stdlib.MakeToFunc(cty.Number),
	"tobool": stdlib.MakeToFunc(cty.Bool), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"lab::upper": stdlib.UpperFunc,
	// Blames an argument that it may not have been given.
	"refuse": function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "any", Type: cty.String},
		Type: func([]cty.Value) (cty.Type, error) {
			return cty.NilType, function.NewArgErrorf(1, "out of range")
		},
	}),
}

// value reads the notation.
func value(raw json.RawMessage) cty.Value {
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var found any
	if err := decoder.Decode(&found); err != nil {
		log.Fatalf("not a value: %s: %s", err, raw)
	}
	return build(found)
}

func build(found any) cty.Value {
	switch found := found.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	case bool:
		return cty.BoolVal(found)
	case json.Number:
		return cty.MustParseNumberVal(found.String())
	case string:
		return cty.StringVal(found)
	case []any:
		return cty.TupleVal(all(found))
	case map[string]any:
		for word := range found {
			if strings.HasPrefix(word, "$") {
				return special(word, found)
			}
		}
		return cty.ObjectVal(entries(found))
	}
	panic(fmt.Sprintf("no value: %v", found))
}

func special(word string, found map[string]any) cty.Value {
	inner := found[word]
	of := func() cty.Type {
		if text, ok := found["of"].(string); ok {
			return typeOf(text)
		}
		return cty.DynamicPseudoType
	}
	switch word {
	case "$number":
		above, below, _ := strings.Cut(inner.(string), "/")
		number := cty.MustParseNumberVal(above)
		if below != "" {
			number = number.Divide(cty.MustParseNumberVal(below))
		}
		return number
	case "$null":
		return cty.NullVal(typeOf(inner.(string)))
	case "$sensitive":
		return build(inner).Mark("sensitive")
	case "$list":
		if items := all(inner.([]any)); len(items) > 0 {
			return cty.ListVal(items)
		}
		return cty.ListValEmpty(of())
	case "$set":
		if items := all(inner.([]any)); len(items) > 0 {
			return cty.SetVal(items)
		}
		return cty.SetValEmpty(of())
	case "$map":
		if items := entries(inner.(map[string]any)); len(items) > 0 {
			return cty.MapVal(items)
		}
		return cty.MapValEmpty(of())
	case "$unknown":
		return unknown(typeOf(inner.(string)), found)
	}
	panic("no word " + word)
}

func unknown(ty cty.Type, found map[string]any) cty.Value {
	result := cty.UnknownVal(ty)
	if ty == cty.DynamicPseudoType {
		return result
	}
	refined := result.Refine()
	if found["not_null"] == true {
		refined = refined.NotNull()
	}
	number := func(word string) (cty.Value, bool) {
		text, ok := found[word].(json.Number)
		if !ok {
			return cty.NilVal, false
		}
		return cty.MustParseNumberVal(text.String()), true
	}
	size := func(word string) (int, bool) {
		text, ok := found[word].(json.Number)
		if !ok {
			return 0, false
		}
		n, err := text.Int64()
		if err != nil {
			panic(err)
		}
		return int(n), true
	}
	if bound, ok := number("above"); ok {
		refined = refined.NumberRangeLowerBound(bound, false)
	}
	if bound, ok := number("below"); ok {
		refined = refined.NumberRangeUpperBound(bound, false)
	}
	if bound, ok := size("at_least"); ok {
		refined = refined.CollectionLengthLowerBound(bound)
	}
	if bound, ok := size("at_most"); ok {
		refined = refined.CollectionLengthUpperBound(bound)
	}
	return refined.NewValue()
}

func all(items []any) []cty.Value {
	var found []cty.Value
	for _, item := range items {
		found = append(found, build(item))
	}
	return found
}

func entries(items map[string]any) map[string]cty.Value {
	found := map[string]cty.Value{}
	for name, item := range items {
		found[name] = build(item)
	}
	return found
}

func typeOf(text string) cty.Type {
	expr, faults := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if faults.HasErrors() {
		log.Fatalf("not a type: %s", text)
	}
	ty, faults := typeexpr.TypeConstraint(expr)
	if faults.HasErrors() {
		log.Fatalf("not a type: %s", text)
	}
	return ty
}

// show writes the notation.
func show(v cty.Value) any {
	v, marks := v.Unmark()
	if len(marks) > 0 {
		return map[string]any{"$sensitive": show(v)}
	}
	ty := v.Type()
	switch {
	case !v.IsKnown():
		return map[string]any{"$unknown": typeexpr.TypeString(ty)}
	case v.IsNull():
		return map[string]any{"$null": typeexpr.TypeString(ty)}
	case ty == cty.Bool:
		return v.True()
	case ty == cty.String:
		return v.AsString()
	case ty == cty.Number:
		return number(v.AsBigFloat())
	case ty.IsTupleType():
		return elements(v)
	case ty.IsListType():
		return map[string]any{"$list": elements(v)}
	case ty.IsSetType():
		return map[string]any{"$set": elements(v)}
	}
	result := map[string]any{}
	names := []string{}
	for name, item := range v.AsValueMap() {
		result[name] = show(item)
		names = append(names, name)
	}
	sort.Strings(names)
	if ty.IsMapType() || (len(names) > 0 && strings.HasPrefix(names[0], "$")) {
		return map[string]any{"$map": result}
	}
	return result
}

func elements(v cty.Value) []any {
	result := []any{}
	for it := v.ElementIterator(); it.Next(); {
		_, item := it.Element()
		result = append(result, show(item))
	}
	return result
}

// number is exact: a whole number, or a fraction of two.
func number(f *big.Float) any {
	if f.IsInf() {
		return map[string]any{"$number": f.String()}
	}
	exact, _ := f.Rat(nil)
	return map[string]any{"$number": exact.RatString()}
}
