// SPDX-License-Identifier: Apache-2.0

// Go's net/http, one goroutine for each concurrent request.
//
//	nethttp URL CONCURRENCY SECONDS
package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const warmUp = 300 * time.Millisecond

func cpu() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: nethttp URL CONCURRENCY SECONDS")
		os.Exit(2)
	}
	url := os.Args[1]
	concurrency, _ := strconv.Atoi(os.Args[2])
	seconds, _ := strconv.ParseFloat(os.Args[3], 64)
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConns: concurrency, MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency,
	}}

	type counts struct {
		requests, failures int64
		_                  [48]byte // a cache line each
	}
	all := make([]counts, concurrency)
	var stop atomic.Bool
	var group sync.WaitGroup
	for index := range all {
		group.Add(1)
		go func(own *counts) {
			defer group.Done()
			var body bytes.Buffer
			for !stop.Load() {
				body.Reset()
				response, err := client.Get(url)
				if err == nil {
					_, err = body.ReadFrom(response.Body)
					response.Body.Close()
				}
				if err == nil && response.StatusCode == 200 && body.Len() == 1024 {
					atomic.AddInt64(&own.requests, 1)
				} else {
					atomic.AddInt64(&own.failures, 1)
				}
			}
		}(&all[index])
	}
	sum := func() (requests, failures int64) {
		for index := range all {
			requests += atomic.LoadInt64(&all[index].requests)
			failures += atomic.LoadInt64(&all[index].failures)
		}
		return
	}

	time.Sleep(warmUp)
	firstRequests, firstFailures := sum()
	start, startCPU := time.Now(), cpu()
	time.Sleep(time.Duration(seconds * float64(time.Second)))
	requests, failures := sum()
	elapsed, used := time.Since(start).Seconds(), cpu()-startCPU
	fmt.Printf("{\"client\":\"go\",\"concurrency\":%d,\"requests\":%d,\"failures\":%d,\"seconds\":%.6f,\"cpu\":%.6f}\n",
		concurrency, requests-firstRequests, failures-firstFailures, elapsed, used)
	stop.Store(true)
	group.Wait()
}
