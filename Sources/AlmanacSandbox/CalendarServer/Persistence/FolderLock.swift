// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The exclusive use of a folder by one sandbox.
///
/// The lock ends with this value, or with the process. The lock's file names the process that holds the lock, and is
/// never removed. Otherwise, two sandboxes could lock two files of the same name, and would both use the folder.
struct FolderLock: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// Locks a folder.
  ///
  /// - Throws: ``SandboxError`` that names the holder if another sandbox uses the folder.
  init(_ folder: String) throws(SandboxError) {
    let path = "\(folder)/calendar.lock"
    // O_NONBLOCK: a pipe in place of the file must not block the thread. Safe: open(2) keeps no pointer to the path.
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = FileDescriptor(owning: unsafe open(path, flags, 0o600))
    guard file.number >= 0, file.isRegularFile else {
      throw SandboxError("The file \(path) cannot be opened. Check its permissions, and that it is a regular file.")
    }
    guard retrying({ Int(flock(file.number, LOCK_EX | LOCK_NB)) }) == 0 else {
      guard errno == EWOULDBLOCK else {
        throw SandboxError("The file \(path) cannot be locked. Use a folder on a file system with locks.")
      }
      throw Self.inUse(folder, by: file.firstLine.flatMap { Int32($0) })
    }
    // Only messages use the number, so the lock is valid without it.
    if ftruncate(file.number, 0) == 0 { _ = file.write(Array("\(getpid())\n".utf8)) }
    self.file = file
  }

  // Another thread may be starting a process, which has a copy of the descriptor until it executes its program.
  deinit { _ = flock(file.number, LOCK_UN) }

  private static func inUse(_ folder: String, by holder: Int32?) -> SandboxError {
    if holder == getpid() {
      return SandboxError(
        "Another sandbox of this process uses the folder \(folder). Release that sandbox first, or use another folder.")
    }
    return SandboxError(
      "\(holder.map { "The process \($0)" } ?? "Another process") uses the folder \(folder). End it, or use another folder."
    )
  }
}

extension FileDescriptor {
  /// Whether the descriptor is one of a regular file.
  fileprivate var isRegularFile: Bool {
    var status = stat()
    // Safe: fstat(2) writes one `stat` during the call.
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The first line of a short file, or `nil` if it cannot be read.
  fileprivate var firstLine: String? {
    var bytes = [UInt8](repeating: 0, count: 32)
    // Safe: pread(2) writes at most as many bytes as the array has.
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      retrying { unsafe pread(number, buffer.baseAddress, buffer.count, 0) }
    }
    guard count > 0 else { return nil }
    return bytes[..<count].split(separator: 0x0A).first.map { String(decoding: $0, as: UTF8.self) }
  }
}
