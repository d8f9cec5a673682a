// Command twindrift replays recorded Kafka traffic through simulated data
// centers and tells how their message ids will drift apart, overflow, be late
// and collide.
package main

import "os"

func main() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
