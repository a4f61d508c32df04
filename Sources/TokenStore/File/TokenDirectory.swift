// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open directory accessible to its owner only.
///
/// Every file is opened through the directory's descriptor, so no other process can replace the directory in between. All calls block.
final class TokenDirectory: Sendable {
  let path: String
  private let file: FileDescriptor
  /// The open temporary file with space for a record.
  let reservation = Mutex<FileDescriptor?>(nil)

  private init(path: String, file: consuming FileDescriptor) {
    self.path = path
    self.file = file
  }

  /// Opens the directory at `path`, absolute and without a trailing slash.
  ///
  /// - Returns: The directory, or `nil` if it does not exist.
  static func open(_ path: String) throws -> TokenDirectory? {
    guard !path.utf8.contains(0) else {
      throw TokenStorageError(.unavailable, "The directory's path contains a NUL byte. Correct the path.")
    }
    // The path is passed as a C string that lives for the call. The same applies to all calls below.
    let descriptor = retrying {
      Int(systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }
    guard descriptor >= 0 else {
      let number = errno
      if number == ENOENT { return nil }
      if isSymbolicLink(path) {
        throw TokenStorageError.insecure(path, "it is a symbolic link", "Name the directory it points to.")
      }
      throw TokenStorageError.system(number, "open the directory", path)
    }
    let directory = TokenDirectory(path: path, file: FileDescriptor(owning: Int32(descriptor)))
    guard let status = directory.file.status() else { throw TokenStorageError.system(errno, "examine", path) }
    // Another folder may be shared on purpose, or belong to the system: restricting it would harm its other users.
    let isOurs = path.hasSuffix("/almanac/tokens")
    try check(
      path, status,
      advice: isOurs
        ? Self.restriction(to: "700", path)
        : "Choose a directory that only you use. If it does not exist, it is created with the right permissions.")
    return directory
  }

  /// Opens the directory at `path`, and creates it and its parents if they do not exist.
  static func create(_ path: String) throws -> TokenDirectory {
    if let directory = try open(path) { return directory }
    try make(path)
    guard let directory = try open(path) else {
      throw TokenStorageError.system(ENOENT, "open the directory", path)
    }
    return directory
  }

  /// Opens a file, and checks that it is a regular file of this user.
  ///
  /// - Returns: The file, or `nil` if it does not exist.
  func open(_ name: String, _ flags: Int32) throws -> FileDescriptor? {
    // O_NONBLOCK: a pipe in place of the file must not block the thread.
    let descriptor = retrying {
      unsafe Int(openat(file.number, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600))
    }
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP:
        throw TokenStorageError.insecure("\(path)/\(name)", "it is a symbolic link", "Remove it and sign in again.")
      case let number: throw TokenStorageError.system(number, "open", "\(path)/\(name)")
      }
    }
    let opened = FileDescriptor(owning: Int32(descriptor))
    try Self.checkFile(opened, "\(path)/\(name)", advice: "Remove it and sign in again.")
    return opened
  }

  /// Creates a file, or opens the existing one, as ``open(_:_:)`` does.
  func make(_ name: String, _ flags: Int32) throws -> FileDescriptor {
    guard let file = try open(name, flags | O_CREAT) else {
      throw TokenStorageError.system(ENOENT, "make", "\(path)/\(name)")
    }
    return file
  }

  /// Renames a file over another, atomically.
  func rename(_ name: String, to newName: String) throws {
    guard unsafe renameat(file.number, name, file.number, newName) == 0 else {
      throw TokenStorageError.system(errno, "replace", "\(path)/\(newName)")
    }
  }

  /// Removes a file.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func remove(_ name: String) throws -> Bool {
    if unsafe unlinkat(file.number, name, 0) == 0 { return true }
    guard errno == ENOENT else { throw TokenStorageError.system(errno, "remove", "\(path)/\(name)") }
    return false
  }

  /// Returns a new directory at the path, if this one was removed or renamed, or `nil` if it is still there.
  func replacement() throws -> TokenDirectory? {
    var status = stat()
    // Safe: lstat(2) reads the path and writes one `stat` during the call.
    let isHere = unsafe lstat(path, &status) == 0
    guard let own = file.status(), !isHere || status.st_ino != own.st_ino || status.st_dev != own.st_dev else {
      return nil
    }
    return try Self.create(path)
  }

  /// Waits until the directory's entries are durable.
  func synchronize() throws {
    // EINVAL: the file system does not support this for a directory.
    guard file.synchronize() || errno == EINVAL else {
      throw TokenStorageError.system(errno, "make the completed change durable in", path)
    }
  }

  /// Returns the names of all files.
  func fileNames() throws -> [String] {
    let descriptor = unsafe openat(file.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw TokenStorageError.system(errno, "list", path) }
    // The stream owns the descriptor from here on and is closed exactly once.
    guard let stream = unsafe fdopendir(descriptor) else {
      let number = errno
      _ = close(descriptor)
      throw TokenStorageError.system(number, "list", path)
    }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      // The name is NUL-terminated within the entry, which stays valid until the next call.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
      errno = 0
    }
    guard errno == 0 else { throw TokenStorageError.system(errno, "list", path) }
    return names
  }
}

extension TokenDirectory {
  static let ownDirectory = "Use a directory of your own."

  /// Checks that a file is a regular file of this user, without a second name or access for other users.
  ///
  /// - Parameters:
  ///   - advice: The remedy for another type of file, and for a second name.
  ///   - ownership: The remedy for a file of another user.
  static func checkFile(
    _ file: borrowing FileDescriptor, _ path: String, advice: String, ownership: String = ownDirectory
  ) throws {
    guard let status = file.status() else { throw TokenStorageError.system(errno, "examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TokenStorageError.insecure(path, "it is not a plain file", advice)
    }
    // A file that was replaced after it was opened has no name.
    guard status.st_nlink <= 1 else {
      throw TokenStorageError.insecure(path, "it has a second name (hard link)", advice)
    }
    try check(path, status, advice: restriction(to: "600", path), ownership: ownership)
  }

  /// The command for restricting a file or directory of the package to its user, quoted for a shell.
  private static func restriction(to permissions: String, _ path: String) -> String {
    let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return "If no other user can have changed it, run: chmod \(permissions) '\(quoted)'"
  }

  /// Checks that a file or directory belongs to this user and that no other user has access to it.
  private static func check(
    _ path: String, _ status: stat, advice: String, ownership: String = ownDirectory
  ) throws {
    guard status.st_uid == geteuid() else {
      throw TokenStorageError.insecure(path, "it belongs to another user (\(status.st_uid))", ownership)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw TokenStorageError.insecure(path, "other users have access to it", advice)
    }
  }

  private static func isSymbolicLink(_ path: String) -> Bool {
    var status = stat()
    // Safe: lstat(2) reads the path and writes one `stat` during the call.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func make(_ path: String) throws {
    do {
      try FilePermissions.makePrivateFolder(path)
    } catch {
      throw TokenStorageError.system(error.number, "create the directory", error.path)
    }
  }
}

// The methods above would hide the function's own name.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  unsafe open(path, flags)
}
