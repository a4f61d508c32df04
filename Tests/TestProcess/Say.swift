// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct UsageError: Error, CustomStringConvertible {
  let description: String
}

/// Tells the test a line at once; left in a buffer, it would be lost with the process.
func say(_ line: String) {
  print(line)
  // No pointer is passed: all streams.
  _ = fflush(nil)
}
