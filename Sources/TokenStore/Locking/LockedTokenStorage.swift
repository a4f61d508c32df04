// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A storage whose exclusive access is a lock file an account: what the storages in files and in the keychain share.
package struct LockedTokenStorage: TokenStorage {
  private struct Place: Hashable {
    let directory: String
    let name: AccountFileName
  }

  // One queue for the process: only the first in line for an account asks the system for its lock.
  private static let locks = KeyedLock<Place>()

  /// Where the lock files are, as an absolute path.
  let directory: String
  /// Where the records are; `nil` if beside their locks.
  private let records: (any TokenRecords)?
  /// How long to wait for exclusive access.
  private let waitLimit: Duration

  init(directory: String, records: (any TokenRecords)? = nil, waitLimit: Duration = .seconds(60)) {
    self.directory = directory
    self.records = records
    self.waitLimit = waitLimit
  }

  package func token(for account: String) async throws -> StoredToken? {
    let name = try AccountFileName(account)
    switch try await find(name) {
    case .nothing: return nil
    case .token(let token): return token
    case .damaged: return try await reportDamage(name)
    }
  }

  package func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let name = try AccountFileName(account)
    let place = Place(directory: directory, name: name)
    // From here on, so that a whole queue does not wait for a stopped process one after the other.
    let deadline = ContinuousClock.now + waitLimit
    return try await Self.locks.withLock(for: place) {
      #if canImport(UIKit)
        let activity = UninterruptedActivity()
        defer { activity.end() }
      #endif
      return try await withSlot(try await waitForSlot(name, until: deadline), body)
    }
  }

  package func checkWritable(_ account: String) async throws {
    let name = try AccountFileName(account)
    try await BlockingWork.run { [self] in
      // What a write would refuse to replace: what is unsafe, or newer than this release.
      _ = try open()?.find(name)
      try TokenDirectory.checkLockable(name, in: directory)
      try records?.checkWritable(name)
    }
  }

  package func accounts() async throws -> [String] {
    try await BlockingWork.run { [self] in try open()?.accounts() ?? [] }
  }
}

extension LockedTokenStorage {
  /// Returns the records to read from; `nil` if there is nothing yet.
  ///
  /// Blocks.
  private func open() throws -> (any TokenRecords)? {
    if let records { return records }
    return try TokenDirectory.open(directory)
  }

  private func find(_ name: AccountFileName) async throws -> TokenRecord.Found {
    try await BlockingWork.run { [self] in try open()?.find(name) ?? .nothing }
  }

  private func acquire(_ name: AccountFileName) async throws -> LockedTokenSlot? {
    try await BlockingWork.run { [self] in try LockedTokenSlot.acquire(name, in: directory, records: records) }
  }

  /// Waits for other processes, by asking again and again: a blocking wait would hold a thread and could not be ended.
  private func waitForSlot(
    _ name: AccountFileName, until deadline: ContinuousClock.Instant
  ) async throws -> LockedTokenSlot {
    var pause = Duration.milliseconds(2)
    while true {
      if let slot = try await acquire(name) { return slot }
      guard ContinuousClock.now < deadline else {
        throw TokenStorageError(
          .busy,
          """
          Another process has had exclusive access to the account in \(directory) for longer than \(waitLimit). It may be \
          stopped: resume or end it, then try again.
          """)
      }
      try await Task.sleep(for: pause * Double.random(in: 0.5...1))
      pause = min(pause * 1.5, .milliseconds(50))
    }
  }

  private func withSlot<Output: Sendable>(
    _ slot: LockedTokenSlot, _ body: (any TokenSlot) async throws -> Output
  ) async throws -> Output {
    do {
      let output = try await body(slot)
      await slot.release()
      return output
    } catch {
      await slot.release()
      throw error
    }
  }

  /// Sets a damaged record aside unless another caller has exclusive access, since a plain read must not wait.
  ///
  /// Without the lock the record might be a new one by now.
  private func reportDamage(_ name: AccountFileName) async throws -> StoredToken? {
    if let slot = try await acquire(name) { return try await withSlot(slot) { try await $0.read() } }
    switch try await find(name) {
    case .nothing: return nil
    case .token(let token): return token
    case .damaged:
      let location = try await BlockingWork.run { [self] in try open()?.location(of: name) ?? directory }
      throw TokenStorageError(
        .corrupted, "\(location) is damaged, and in use. It will be set aside. Sign in again.")
    }
  }
}

/// Where records are, one an account.
///
/// All calls block and throw ``TokenStorageError``; what changes a record is for the holder of the account's lock only.
protocol TokenRecords: Sendable {
  /// Reads the bytes of a record; `nil` if there is none.
  ///
  /// Another process may replace it meanwhile; what is returned is then the old record or the new one.
  func read(_ name: AccountFileName) throws -> Data?

  /// Replaces the record: at every instant a power cut leaves either the old or the new one.
  func replace(_ name: AccountFileName, with record: Data) throws

  /// Removes the record, for good when the call returns.
  func remove(_ name: AccountFileName) throws

  /// Checks that a record could be written, and leaves nothing behind.
  func checkWritable(_ name: AccountFileName) throws

  /// Renames a damaged record to a name that nothing has yet.
  ///
  /// - Returns: Where it is now.
  func setAside(_ name: AccountFileName) throws -> String

  /// Says where a record is, to be shown.
  func location(of name: AccountFileName) -> String

  /// Returns the accounts that have a record.
  func accounts() throws -> [String]
}

extension TokenRecords {
  /// Reads a record, and decodes it.
  func find(_ name: AccountFileName) throws -> TokenRecord.Found {
    try TokenRecord.decode(read(name), at: location(of: name))
  }
}
