#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One account's files, while this process has the lock.
final class FileTokenSlot: TokenSlot {
  private let directory: TokenDirectory
  private let name: AccountFileName
  private let lock: OpenFile
  private let lease = SlotLease()

  private init(directory: TokenDirectory, name: AccountFileName, lock: consuming OpenFile) {
    self.directory = directory
    self.name = name
    self.lock = lock
  }

  /// Takes the lock, or returns `nil` if somebody else has it. Blocks.
  static func acquire(_ name: AccountFileName, in path: String) throws -> FileTokenSlot? {
    let directory = try TokenDirectory.create(path)
    guard let lock = try directory.lock(name) else { return nil }
    return FileTokenSlot(directory: directory, name: name, lock: lock)
  }

  /// Gives the lock back, after whatever is still running.
  func release() async {
    await FileWork.run {
      // Closing would do unless a forked child had a copy.
      self.lease.end { _ = flock(self.lock.descriptor, LOCK_UN) }
    }
  }

  func read() async throws -> StoredToken? {
    try await FileWork.run {
      try self.lease.use {
        switch try self.directory.find(self.name) {
        case .nothing: return nil
        case .token(let token): return token
        case .damaged:
          let aside = try self.directory.setAside(self.name)
          throw TokenStorageError(
            .corrupted,
            "\(self.directory.path)/\(self.name.record) was damaged and is now \(aside). Sign in again.")
        }
      }
    }
  }

  func write(_ token: StoredToken?) async throws {
    try await FileWork.run {
      try self.lease.use {
        // Also refuses to replace what is unsafe, or newer than this release.
        if case .damaged = try self.directory.find(self.name) { _ = try self.directory.setAside(self.name) }
        if let token {
          try self.directory.replace(self.name, with: token)
        } else {
          try self.directory.remove(self.name)
        }
      }
    }
  }
}
