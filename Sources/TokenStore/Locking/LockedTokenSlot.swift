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

/// One account's record, while this process holds the lock.
final class LockedTokenSlot: TokenSlot {
  private let records: any TokenRecords
  private let name: AccountFileName
  private let lock: FileDescriptor
  private let lease = SlotLease()
  /// The bytes of the record last read and decoded, or written.
  ///
  /// They contain secrets, and are released when access ends.
  private let known = Mutex<[UInt8]?>(nil)
  /// Whether a write was prepared.
  ///
  /// The record can then be replaced without opening or reading anything before.
  private let isPrepared = Mutex(false)

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
  ///   - path: The directory of the lock files.
  ///   - records: The records, or `nil` if they are beside their locks.
  static func acquire(
    _ name: AccountFileName, in path: String, records: (any TokenRecords)?
  ) throws -> LockedTokenSlot? {
    let directory = try TokenDirectory.create(path)
    guard let lock = try directory.lock(name) else { return nil }
    return LockedTokenSlot(records: records ?? directory, name: name, lock: lock)
  }

  /// Releases the lock after running operations have finished.
  func release() async {
    await BlockingWork.run {
      // Closing the file would suffice, unless a forked child had a copy.
      self.lease.end {
        self.records.release(self.name)
        _ = flock(self.lock.number, LOCK_UN)
      }
      self.known.withLock { $0 = nil }
    }
  }

  func read() async throws -> StoredToken? {
    try await BlockingWork.run {
      try self.lease.use {
        let bytes = try self.records.read(self.name)
        switch try self.records.decode(bytes, self.name) {
        case .nothing: return nil
        case .token(let token):
          self.known.withLock { $0 = bytes }
          return token
        case .sealed(let error): throw error
        case .damaged:
          let aside = try self.records.setAside(self.name)
          throw TokenStorageError(
            .corrupted, "\(self.records.location(of: self.name)) was damaged and is now \(aside). Sign in again.")
        }
      }
    }
  }

  func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? {
    try await BlockingWork.run {
      try self.lease.use {
        try self.checkReplaceable(bySealed: intent.writesSealed)
        try self.records.reserve(self.name)
        self.isPrepared.withLock { $0 = true }
        return nil
      }
    }
  }

  /// Checks the record before a write: an unsafe one, or one of a newer release, is not replaced.
  private func checkReplaceable(bySealed isSealed: Bool) throws {
    let bytes = try records.read(name)
    guard bytes != known.withLock(\.self) else { return }
    switch try records.decode(bytes, name) {
    case .damaged: _ = try records.setAside(name)
    // Only its key's holder replaces a sealed record.
    case .sealed(let error): if !isSealed { throw error }
    case .nothing, .token: break
    }
  }

  func write(_ token: StoredToken?) async throws {
    try await BlockingWork.run {
      try self.lease.use {
        if !self.isPrepared.withLock(\.self) {
          // A removal is deliberate.
          try self.checkReplaceable(bySealed: token.map { $0.sealed != nil } ?? true)
        }
        if let token {
          let record = TokenRecord.encode(token, of: self.name.longAccount)
          try self.records.replace(self.name, with: record)
          self.known.withLock { $0 = record }
          self.isPrepared.withLock { $0 = false }
        } else {
          try self.records.remove(self.name)
        }
      }
    }
  }
}
