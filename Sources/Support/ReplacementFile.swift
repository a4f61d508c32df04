// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A temporary file with durable space, which then replaces another file.
///
/// Only this user can read the file. It is locked during the life of this object, so no two processes use the same one.
/// The file of a killed process is used again. All calls block.
package final class ReplacementFile: Sendable {
  private let path: String
  private let temporary: String
  private let file: FileDescriptor
  private let isRenamed = Atomic(false)

  /// Creates the temporary file.
  ///
  /// - Parameters:
  ///   - path: The file to replace, in an existing folder.
  ///   - size: The space to reserve, in bytes.
  /// - Throws: ``FileAccessError``.
  package init(for path: String, reserving size: Int) throws(FileAccessError) {
    self.path = path
    var number = 0
    while true {
      let temporary = "\(path).\(number).tmp"
      number += 1
      // O_NONBLOCK: a pipe of this name must not block the thread. Safe: open(2) keeps no pointer to the path.
      let descriptor = retrying {
        unsafe Int(open(temporary, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600))
      }
      guard descriptor >= 0 else {
        let failure = FileAccessError(path)
        // A link, a folder or a pipe.
        if [ELOOP, EISDIR, ENXIO].contains(failure.number), number < 100 { continue }
        throw failure
      }
      let file = FileDescriptor(owning: Int32(descriptor))
      guard Self.lock(file, at: temporary) else {
        guard number < 100 else { throw FileAccessError(path, EBUSY) }
        continue
      }
      guard size == 0 || file.reserve(size) else {
        let failure = FileAccessError(path)
        unsafe unlink(temporary)
        throw failure
      }
      self.temporary = temporary
      self.file = file
      return
    }
  }

  deinit { if !isRenamed.load(ordering: .relaxed) { unsafe unlink(temporary) } }

  /// Locks a file, and returns whether only this user can access it and no other process uses it.
  private static func lock(_ file: borrowing FileDescriptor, at path: String) -> Bool {
    guard retrying({ Int(flock(file.number, LOCK_EX | LOCK_NB)) }) == 0 else { return false }
    var named = stat()
    // Safe: the call writes one `stat`, a local. The former holder of the lock may have renamed the file.
    guard let own = file.status(), unsafe lstat(path, &named) == 0 else { return false }
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev && own.st_mode & S_IFMT == S_IFREG
      && own.st_nlink == 1 && own.st_uid == geteuid() && own.st_mode & 0o077 == 0
  }

  /// Replaces the file, durably and atomically.
  ///
  /// - Throws: ``FileAccessError``.
  package func replace(with content: [UInt8]) throws(FileAccessError) {
    guard file.replaceContent(with: content), unsafe rename(temporary, path) == 0 else { throw FileAccessError(path) }
    isRenamed.store(true, ordering: .relaxed)
    FilePermissions.synchronizeFolder(of: path)
  }
}
