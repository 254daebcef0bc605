// Reads a text a line and prints it with what Kubernetes makes of it as a quantity; nothing if it refuses it.
package main

import (
	"bufio"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		q, err := resource.ParseQuantity(in.Text())
		if err != nil {
			fmt.Printf("%s,\n", in.Text())
			continue
		}
		q.Neg()
		q.Neg() // drops the text that was read: the form is worked out anew
		fmt.Printf("%s,%s\n", in.Text(), q.String())
	}
}
