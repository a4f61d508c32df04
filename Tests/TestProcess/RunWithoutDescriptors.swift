// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `run-without-descriptors`: closes 0, 1 and 2, runs a program and exits with 0 if it has read what the program printed.
@Sendable func runWithoutDescriptors(_ arguments: [String]) async throws {
  #if os(macOS) || os(Linux)
    for descriptor: Int32 in 0...2 { _ = close(descriptor) }
    let result = try ProgramRun.run(
      "/bin/sh", ["-c", "printf done"], environment: [:], upTo: 100, isCancelled: { false })
    guard case .ended(status: 0, output: Array("done".utf8)) = result else { exit(2) }
    exit(0)
  #endif
}
