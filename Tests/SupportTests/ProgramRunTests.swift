// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Support
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  @Suite(.takesTurns) struct ProgramRunTests {
    /// Whatever other code of the process has opened, and however.
    @Test func programsGetNoDescriptorsButTheirOwn() throws {
      let inheritable = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY))
      #expect(fcntl(inheritable.number, F_GETFD) & FD_CLOEXEC == 0)
      let result = try ProgramRun.run(
        "/bin/ls", ["/proc/self/fd"], environment: [:], upTo: 1000, isCancelled: { false })
      guard case .ended(status: 0, let output) = result else {
        Issue.record("\(result)")
        return
      }
      // The last one is the folder that it lists.
      #expect(String(decoding: output, as: UTF8.self) == "0\n1\n2\n3\n")
    }
  }
#endif
