// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file of the time zone database.
enum ZoneFile {
  /// More than any zone needs: the largest of 2026 has some 4 KiB.
  static let limit = 256 * 1024

  /// The content; `nil` if there is no regular file of this name.
  static func bytes(_ path: String) throws(ZoneError.Reason) -> [UInt8]? {
    // O_NONBLOCK: a pipe of that name must not wait for a writer. Safe: open(2) keeps no pointer to the path.
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw .unreadable(errno)
    }
    defer { _ = close(descriptor) }
    var status = stat()
    // Safe: fstat(2) writes one `stat`, and read(2) no more than the chunk's own count.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while content.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return content }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unreadable(errno) }
      content += chunk[..<count]
    }
    throw .malformed
  }
}
