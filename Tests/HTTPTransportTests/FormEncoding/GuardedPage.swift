// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A page of memory between two pages that cannot be read: a read before its start or past its end crashes the test.
@safe final class GuardedPage {
  struct Unavailable: Error {}

  private let base: UnsafeMutableRawPointer
  private let size = Int(sysconf(Int32(_SC_PAGESIZE)))

  init() throws {
    // Three pages of zeros, of which the first and the last lose all their rights.
    let memory = unsafe mmap(nil, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw Unavailable() }
    unsafe base = memory
    guard unsafe mprotect(base, size, PROT_NONE) == 0, unsafe mprotect(base + 2 * size, size, PROT_NONE) == 0 else {
      throw Unavailable()
    }
  }

  deinit { unsafe munmap(base, 3 * size) }

  /// Calls `body` with a copy of `bytes` at either end of the page, and returns both results.
  ///
  /// There may be at most a page of bytes.
  func atBothEnds<Result>(_ bytes: [UInt8], _ body: (Span<UInt8>) -> Result) -> [Result] {
    [size, 2 * size - bytes.count].map { offset in
      // `bytes.count` bytes from there on lie within the second page.
      let start = unsafe base + offset
      unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
      let buffer = unsafe UnsafeRawBufferPointer(start: start, count: bytes.count)
      return unsafe buffer.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }
  }
}
