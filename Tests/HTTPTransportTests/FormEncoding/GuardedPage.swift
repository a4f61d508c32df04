#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A page of memory behind which nothing may be read: whoever does is stopped by the processor.
@safe final class GuardedPage {
  struct Unavailable: Error {}

  private let base: UnsafeMutableRawPointer
  private let size = Int(sysconf(Int32(_SC_PAGESIZE)))

  init() throws {
    // Two pages of zeros, of which the second loses all its rights.
    let memory = unsafe mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw Unavailable() }
    unsafe base = memory
    guard unsafe mprotect(base + size, size, PROT_NONE) == 0 else { throw Unavailable() }
  }

  deinit { unsafe munmap(base, 2 * size) }

  /// Calls `body` with a copy of `bytes` whose last is the last of the page. There may be at most a page of them.
  func withBytesAtTheEnd<Result>(_ bytes: [UInt8], _ body: (Span<UInt8>) -> Result) -> Result {
    let start = unsafe base + (size - bytes.count)
    unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: bytes.count)
    return unsafe buffer.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
  }
}
