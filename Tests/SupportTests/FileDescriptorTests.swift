// SPDX-License-Identifier: Apache-2.0

import Support
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct FileDescriptorTests {
  private func isClosed(_ number: Int32) -> Bool { fcntl(number, F_GETFD) == -1 && errno == EBADF }

  @Test func pipeIsNotInheritedAndCarriesBytes() throws {
    let pipe = try #require(Pipe())
    for number in [pipe.readEnd.number, pipe.writeEnd.number] {
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(number, F_GETFL) & O_NONBLOCK == 0)
    }
    pipe.readEnd.setNonBlocking()
    var byte: UInt8 = 7
    // One byte of a local.
    #expect(unsafe read(pipe.readEnd.number, &byte, 1) == -1)
    #expect(unsafe write(pipe.writeEnd.number, &byte, 1) == 1)
    byte = 0
    #expect(unsafe read(pipe.readEnd.number, &byte, 1) == 1)
    #expect(byte == 7)
  }

  /// As of a daemon that was started without them: a pipe must not take their numbers.
  @Test(.takesTurns) func programIsRunWithoutStandardDescriptors() async throws {
    #expect(try await ChildProcess("run-without-descriptors").exitStatus() == 0)
  }

  @Test func everyByteIsWrittenOrTheErrorReturned() throws {
    let pipe = try #require(Pipe())
    #expect(writeAll(Array("told".utf8), to: pipe.writeEnd.number) == nil)
    var bytes = [UInt8](repeating: 0, count: 8)
    // Safe: the array has the number of bytes that the call may write.
    #expect(unsafe read(pipe.readEnd.number, &bytes, 8) == 4)
    #expect(String(decoding: bytes[..<4], as: UTF8.self) == "told")
    #expect(writeAll([1], to: -1) == EBADF)
    #expect(writeAll([], to: -1) == nil)
  }

  @Test func releasedDescriptorStaysOpen() throws {
    let original = unsafe open("/dev/null", O_RDONLY)
    try #require(original >= 0)
    let released = FileDescriptor(owning: original).release()
    #expect(released == original)
    #expect(!isClosed(released))
    close(released)
  }
}
