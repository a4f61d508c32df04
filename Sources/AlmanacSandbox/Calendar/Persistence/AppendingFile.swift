// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A file that is only appended to.
struct AppendingFile: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Opens a file that exists; a symbolic link is not followed.
  init(_ path: String) throws(SandboxError) {
    let number = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { throw SandboxError("The file \(path) cannot be opened. Check its permissions.") }
    descriptor = FileDescriptor(owning: number)
  }

  /// Appends bytes; `false` if they could not be written.
  func append(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor.number, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
