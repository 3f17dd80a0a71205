package main

import (
	"embed"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"

	"github.com/Nerzal/gocloak/v13"
)

//go:embed *.go
var sources embed.FS

type testCase struct {
	name string
	run  func()
}

var passed, failed int

func run(one testCase) {
	defer func() {
		if reason := recover(); reason != nil {
			failed++
			fmt.Printf("FAILED %s: %v\n", one.name, reason)
			for _, line := range strings.Split(string(debug.Stack()), "\n") {
				if strings.Contains(line, "/test/peers/go/") && !strings.Contains(line, "checks.go") {
					fmt.Println(" ", strings.TrimSpace(line))
				}
			}
			return
		}
		passed++
	}()
	one.run()
}

// report names the methods of the client that no case calls. Every case calls all that it names, or fails.
func report() {
	called := map[string]bool{}
	files, _ := sources.ReadDir(".")
	for _, file := range files {
		text, _ := sources.ReadFile(file.Name())
		for _, match := range regexp.MustCompile(`\bg\.([A-Z]\w*)\(`).FindAllStringSubmatch(string(text), -1) {
			called[match[1]] = true
		}
	}
	var missing []string
	kind := reflect.TypeOf(g)
	for i := 0; i < kind.NumMethod(); i++ {
		if name := kind.Method(i).Name; !called[name] {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	fmt.Printf("coverage: %d of %d methods of gocloak\n", kind.NumMethod()-len(missing), kind.NumMethod())
	for _, name := range missing {
		fmt.Println("  not called:", name)
	}
}

func p[T any](value T) *T { return &value }

func ok(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	ok(err)
	return value
}

func second[T any](_ T, err error) error { return err }

func equal[T comparable](wanted, got T) {
	if wanted != got {
		panic(fmt.Sprintf("expected %v, got %v", wanted, got))
	}
}

// refused checks that a call was refused with this status.
func refused(status int, err error) {
	var refusal *gocloak.APIError
	if !errors.As(err, &refusal) {
		panic(fmt.Sprintf("expected a refusal with %d, got %v", status, err))
	}
	equal(status, refusal.Code)
}

// has returns the item of a list that is wanted, and fails without one.
func has[T any](items []*T, isWanted func(*T) bool) *T {
	for _, item := range items {
		if isWanted(item) {
			return item
		}
	}
	panic(fmt.Sprintf("an item is missing among %d", len(items)))
}

func lacks[T any](items []*T, isUnwanted func(*T) bool) {
	for _, item := range items {
		if isUnwanted(item) {
			panic("an item is still there")
		}
	}
}

func role(name string) func(*gocloak.Role) bool {
	return func(one *gocloak.Role) bool { return *one.Name == name }
}

func scope(name string) func(*gocloak.ClientScope) bool {
	return func(one *gocloak.ClientScope) bool { return *one.Name == name }
}
