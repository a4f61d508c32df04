// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file with secrets, such as keys, accessible to its owner only.
package enum PrivateFile {
  /// Reads a file, and checks that it is a regular file of this user without access for other users.
  ///
  /// Blocks. The file's parent directories are not checked.
  ///
  /// - Parameters:
  ///   - path: The file. A symbolic link is refused.
  ///   - limit: The maximum size, in bytes. For a larger file, the result has more bytes than this, and can be incomplete.
  ///   - advice: The remedy for a file that is not safe to use. Defaults to another file.
  /// - Returns: The content, or `nil` if there is no file.
  /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/insecure``, or with code
  ///   ``TokenStorageError/Code/unavailable`` if the file cannot be read.
  package static func read(_ path: String, limit: Int, advice: String? = nil) throws -> [UInt8]? {
    guard !path.utf8.contains(0) else {
      throw TokenStorageError(.unavailable, "The file's path contains a NUL byte. Correct the path.")
    }
    // The path is a C string that lives for the call. O_NONBLOCK: a pipe in place of the file must not block the thread.
    let descriptor = retrying { unsafe Int(open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)) }
    guard descriptor >= 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR { return nil }
      guard number == ELOOP else { throw TokenStorageError.system(number, "open", path) }
      throw TokenStorageError.insecure(path, "it is a symbolic link", advice ?? "Name the file it points to.")
    }
    let file = FileDescriptor(owning: Int32(descriptor))
    let advice = advice ?? "Use a file of your own."
    try TokenDirectory.checkFile(file, path, advice: advice, ownership: advice)
    guard let bytes = file.read(limit: limit) else { throw TokenStorageError.system(errno, "read", path) }
    return bytes
  }
}
