// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `run-without-descriptors`: closes 0, 1 and 2, runs a program and exits with 0 if it has read what the program printed, and if
/// what needs a descriptor fails once there are none left.
@Sendable func runWithoutDescriptors(_ arguments: [String]) async throws {
  #if os(macOS) || os(Linux)
    for descriptor: Int32 in 0...2 { _ = close(descriptor) }
    let result = try ProgramRun.run(
      "/bin/sh", ["-c", "printf done"], environment: [:], upTo: 100, isCancelled: { false })
    guard case .ended(status: 0, output: Array("done".utf8)) = result else { exit(2) }
    // From 0 on; the program's own are 0 to 2, and that of the folder that it lists.
    for _ in 0..<6 { _ = unsafe open("/dev/null", O_RDONLY) }
    let list = try ProgramRun.run("/bin/ls", ["/dev/fd/"], environment: [:], upTo: 100, isCancelled: { false })
    guard case .ended(status: 0, output: Array("0\n1\n2\n3\n".utf8)) = list else { exit(8) }
    for descriptor: Int32 in 0..<6 { _ = close(descriptor) }
    #if !canImport(Darwin)
      // The number 0 is free, and as good as any.
      guard EpollSet() != nil else { exit(3) }
    #endif
    #if canImport(Glibc)
      let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let descriptors = RLIMIT_NOFILE
    #endif
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    // Safe: the limit is a local.
    guard unsafe setrlimit(descriptors, &limit) == 0 else { exit(4) }
    guard PrivateSocket.pair() == nil, Pipe() == nil, OpenDescriptors.all.isEmpty else { exit(5) }
    #if !canImport(Darwin)
      guard EpollSet() == nil else { exit(6) }
    #endif
    let failed = try ProgramRun.run("/bin/sh", [], environment: [:], upTo: 1, isCancelled: { false })
    guard case .notStarted = failed else { exit(7) }
    exit(0)
  #endif
}
