// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The permissions of files and folders, read and set by system calls.
///
/// The type of Foundation's attribute `posixPermissions` depends on the imported module: a cast to `Int` succeeds with Foundation, and
/// fails with FoundationEssentials alone.
package enum FilePermissions {
  /// Returns the permissions of a file or folder, such as `0o600`, without following a symbolic link.
  ///
  /// - Throws: ``FileAccessError`` if there is no such file.
  package static func ofItem(at path: String) throws(FileAccessError) -> Int {
    var status = stat()
    // Safe: lstat(2) reads the path and writes one `stat` during the call.
    guard unsafe lstat(path, &status) == 0 else { throw FileAccessError(path) }
    return Int(status.st_mode & 0o7777)
  }

  /// Sets the permissions of a file or folder, or of the target of a symbolic link.
  ///
  /// - Throws: ``FileAccessError``.
  package static func set(_ permissions: Int, ofItemAt path: String) throws(FileAccessError) {
    // Safe: chmod(2) reads the path during the call.
    guard unsafe chmod(path, mode_t(truncatingIfNeeded: permissions)) == 0 else { throw FileAccessError(path) }
  }

  /// Creates a folder for this user only, and its parents, durably.
  ///
  /// An existing folder keeps its permissions.
  ///
  /// - Throws: ``FileAccessError`` with the path of the first folder that cannot be created.
  package static func makePrivateFolder(_ path: String) throws(FileAccessError) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) }
    // Safe: mkdir(2) reads the path during the call.
    if unsafe mkdir(path, 0o700) != 0 {
      let failure = FileAccessError(path)
      if failure.number == EEXIST {
        if existsAndIsNoFolder(path) { throw FileAccessError(path, ENOTDIR) }
        return
      }
      guard failure.number == ENOENT, let parent, !parent.isEmpty else { throw failure }
      try makePrivateFolder(parent)
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileAccessError(path) }
    }
    synchronizeFolder(of: path)
  }

  /// Waits until the creation or the replacement of a file or folder is durable.
  ///
  /// If the parent cannot be opened for reading, it is not synchronized.
  static func synchronizeFolder(of path: String) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) }
    let folder = parent.map { $0.isEmpty ? "/" : $0 } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { _ = FileDescriptor(owning: descriptor).synchronize() }
  }

  private static func existsAndIsNoFolder(_ path: String) -> Bool {
    var status = stat()
    // Safe: stat(2) reads the path and writes one `stat` during the call.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }
}

/// An error of a system call on a file or folder.
package struct FileAccessError: Error, Hashable {
  /// The path of the file or folder.
  package let path: String
  /// The error number.
  package let number: Int32

  /// Creates the error of the last system call, if `number` is not given.
  package init(_ path: String, _ number: Int32 = errno) {
    self.path = path
    self.number = number
  }
}
