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
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One account's record, while this process has the lock.
final class LockedTokenSlot: TokenSlot {
  private let records: any TokenRecords
  private let name: AccountFileName
  private let lock: FileDescriptor
  private let lease = SlotLease()
  /// The bytes of the record that was read and decoded, or written, last; they hold secrets, and go when access ends.
  private let known = Mutex<Data?>(nil)

  private init(records: any TokenRecords, name: AccountFileName, lock: consuming FileDescriptor) {
    self.records = records
    self.name = name
    self.lock = lock
  }

  /// Takes the lock, or returns `nil` if another holder has it.
  ///
  /// Blocks.
  ///
  /// - Parameters:
  ///   - name: The account.
  ///   - path: Where the lock files are.
  ///   - records: Where the records are; `nil` if beside their locks.
  static func acquire(
    _ name: AccountFileName, in path: String, records: (any TokenRecords)?
  ) throws -> LockedTokenSlot? {
    let directory = try TokenDirectory.create(path)
    guard let lock = try directory.lock(name) else { return nil }
    return LockedTokenSlot(records: records ?? directory, name: name, lock: lock)
  }

  /// Releases the lock, after the operations that are still running.
  func release() async {
    await BlockingWork.run {
      // Closing would do unless a forked child had a copy.
      self.lease.end { _ = flock(self.lock.number, LOCK_UN) }
      self.known.withLock { $0 = nil }
    }
  }

  func read() async throws -> StoredToken? {
    try await BlockingWork.run {
      try self.lease.use {
        let bytes = try self.records.read(self.name)
        switch try TokenRecord.decode(bytes, at: self.records.location(of: self.name)) {
        case .nothing: return nil
        case .token(let token):
          self.known.withLock { $0 = bytes }
          return token
        case .damaged:
          let aside = try self.records.setAside(self.name)
          throw TokenStorageError(
            .corrupted, "\(self.records.location(of: self.name)) was damaged and is now \(aside). Sign in again.")
        }
      }
    }
  }

  func write(_ token: StoredToken?) async throws {
    try await BlockingWork.run {
      try self.lease.use {
        // Also refuses to replace what is unsafe, or newer than this release.
        let bytes = try self.records.read(self.name)
        if bytes != self.known.withLock(\.self),
          case .damaged = try TokenRecord.decode(bytes, at: self.records.location(of: self.name))
        {
          _ = try self.records.setAside(self.name)
        }
        if let token {
          let record = try TokenRecord.encode(token)
          try self.records.replace(self.name, with: record)
          self.known.withLock { $0 = record }
        } else {
          try self.records.remove(self.name)
        }
      }
    }
  }
}
