// SPDX-License-Identifier: Apache-2.0

import Support

/// A token storage with one lock file per account, which the storages in files and in the keychain share.
package struct LockedTokenStorage: TokenStorage {
  private struct Place: Hashable {
    let directory: String
    let name: AccountFileName
  }

  // One queue for the process: only the first waiter for an account requests the system's lock.
  private static let locks = KeyedLock<Place>()

  /// The directory of the lock files, as an absolute path.
  let directory: String
  /// The records, or `nil` if they are beside their locks.
  private let records: (any TokenRecords)?
  /// The maximum wait for exclusive access.
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
    case .sealed(let error): throw error
    case .damaged: return try await reportDamage(name)
    }
  }

  @concurrent package func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let name = try AccountFileName(account)
    let place = Place(directory: directory, name: name)
    // The limit includes the time in the queue. Otherwise, each waiter would wait for a stopped process in turn.
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
      // A write would refuse to replace a record that is unsafe, or newer than this release.
      let found = try open()?.find(name)
      try TokenDirectory.checkLockable(name, in: directory)
      try records?.checkWritable(name)
      // Last: the holder of the key can replace the record if nothing else prevents it.
      if case .sealed(let error) = found { throw error }
    }
  }

  package func accounts() async throws -> [String] {
    try await BlockingWork.run { [self] in try open()?.accounts() ?? [] }
  }
}

extension LockedTokenStorage {
  /// Returns the records to read from, or `nil` if they do not exist yet.
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

  /// Waits for other processes by polling: a blocking wait would occupy a thread and could not be ended.
  private func waitForSlot(
    _ name: AccountFileName, until deadline: ContinuousClock.Instant
  ) async throws -> LockedTokenSlot {
    var pause = Duration.milliseconds(2)
    while true {
      if let slot = try await acquire(name) { return slot }
      guard ContinuousClock.now < deadline else {
        // The attempt is not interrupted, so the caller may have been cancelled meanwhile.
        try Task.checkCancellation()
        throw TokenStorageError(
          .busy,
          """
          Another process has had exclusive access to the account in \(directory) for longer than \(waitLimit). If it \
          is stopped, resume or end it. Then try again.
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

  /// Sets a damaged record aside, unless another caller has exclusive access: a plain read must not wait.
  ///
  /// Without the lock, the record may have been replaced by a new one.
  private func reportDamage(_ name: AccountFileName) async throws -> StoredToken? {
    if let slot = try await acquire(name) { return try await withSlot(slot) { try await $0.read() } }
    switch try await find(name) {
    case .nothing: return nil
    case .token(let token): return token
    case .sealed(let error): throw error
    case .damaged:
      let location = try await BlockingWork.run { [self] in try open()?.location(of: name) ?? directory }
      throw TokenStorageError(
        .corrupted, "\(location) is damaged, and in use. It will be set aside. Sign in again.")
    }
  }
}
