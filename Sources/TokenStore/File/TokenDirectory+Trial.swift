// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Checks that records could be written, without leaving a file.
extension TokenDirectory {
  /// Checks that files can be created for an account in the directory at `path`, or that the directory itself can be created.
  static func checkLockable(_ name: AccountFileName, in path: String) throws {
    guard let directory = try open(path) else { return try checkCreatable(path) }
    _ = try directory.open(name.lock, O_RDWR)
    try directory.checkWritable(name)
  }

  func checkWritable(_ name: AccountFileName) throws {
    let trial = name.trial()
    let file = try make(trial, O_WRONLY | O_EXCL)
    // From here on, the file has no name, so not even a killed process leaves it behind.
    try remove(trial)
    // The space that is reserved before a credential is sent.
    guard file.reserve(TokenRecord.maximumSize) else {
      throw TokenStorageError.system(errno, "write to a file in", path)
    }
  }

  /// Checks that the directory can be created, in its nearest existing parent.
  private static func checkCreatable(_ path: String) throws {
    var parent = path
    repeat {
      parent = "/" + parent.split(separator: "/").dropLast().joined(separator: "/")
      // Safe: access(2) reads the path during the call.
      if unsafe access(parent, W_OK | X_OK) == 0 { return try checkSpace(parent, for: path) }
    } while errno == ENOENT && parent != "/"
    throw TokenStorageError.system(errno, "create the directory", path)
  }

  private static func checkSpace(_ parent: String, for path: String) throws {
    var status = statvfs()
    // Safe: statvfs(3) reads the path and writes one `statvfs` during the call.
    guard unsafe statvfs(parent, &status) == 0 else { return }
    // A file system without a limit reports a total of zero blocks.
    if status.f_blocks > 0, status.f_bavail == 0 {
      throw TokenStorageError.system(ENOSPC, "create the directory", path)
    }
  }
}
