// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// The move of records from one storage to another.
///
/// Each record is in at least one of the storages at any time, and a repeated move continues an interrupted one: an
/// identical record in the target is removed from the source.
struct Migration: Sendable {
  /// A storage with its name, which determines the order of exclusive access.
  struct Side: Sendable {
    let name: StorageName
    let storage: any TokenStorage
  }

  /// The result so far.
  struct Report: Sendable {
    /// The records moved, including those completed after an interruption.
    var moved: [RecordName] = []
    /// The records of the source that cannot be opened, and stay there.
    var failures: [(record: RecordName, error: TokenStorageError)] = []
    /// The number of records not moved because of an earlier error.
    var remaining = 0
  }

  let source: Side
  let target: Side
  private(set) var report = Report()

  init(from source: Side, to target: Side) {
    self.source = source
    self.target = target
  }

  /// Moves the records, one after the other.
  ///
  /// Before the first move, all records are compared.
  ///
  /// - Throws: ``MigrationConflict`` if accounts have different records in both storages. Nothing was moved then, unless a
  ///   record appeared during the move. `TokenStorageError` if a storage fails, and `CancellationError` between two
  ///   records.
  mutating func move(_ records: [RecordName]) async throws {
    report.remaining = records.count
    var conflicts: [MigrationConflict.Record] = []
    var movable: [RecordName] = []
    for record in records {
      try Task.checkCancellation()
      switch try await comparison(of: record) {
      case .movable: movable.append(record)
      case .missing: report.remaining -= 1
      case .conflict(let conflict): conflicts.append(conflict)
      case .unreadable(let error): fail(record, error)
      }
    }
    guard conflicts.isEmpty else {
      throw MigrationConflict(records: conflicts, source: source.name, target: target.name)
    }
    for record in movable {
      try Task.checkCancellation()
      do {
        if try await moveExclusively(record) { report.moved.append(record) }
        report.remaining -= 1
      } catch let error as TokenStorageError where error.isOfUnreadableRecord {
        fail(record, error)
      }
    }
  }

  private mutating func fail(_ record: RecordName, _ error: TokenStorageError) {
    report.failures.append((record, error))
    report.remaining -= 1
  }

  private enum Comparison {
    case movable
    /// The record is no longer in the source.
    case missing
    case conflict(MigrationConflict.Record)
    case unreadable(TokenStorageError)
  }

  private func comparison(of record: RecordName) async throws -> Comparison {
    let token: StoredToken?
    do {
      token = try await source.storage.token(for: record.description)
    } catch let error as TokenStorageError where error.isOfUnreadableRecord {
      return .unreadable(error)
    }
    guard let token else { return .missing }
    do {
      guard let other = try await target.storage.token(for: record.description), other != token else { return .movable }
      return .conflict(conflict(record, token, other))
    } catch let error as TokenStorageError where error.isOfUnreadableRecord {
      return .conflict(MigrationConflict.Record(name: record, newer: nil, problem: error))
    }
  }

  private func conflict(_ record: RecordName, _ token: StoredToken, _ other: StoredToken) -> MigrationConflict.Record {
    var newer: StorageName?
    if let issuedAt = token.issuedAt, let otherIssuedAt = other.issuedAt, issuedAt != otherIssuedAt {
      newer = issuedAt > otherIssuedAt ? source.name : target.name
    }
    return MigrationConflict.Record(name: record, newer: newer, problem: nil)
  }

  /// Moves a record under exclusive access in both storages.
  ///
  /// The order of the storages is fixed, so two opposite moves never wait for each other.
  ///
  /// - Returns: Whether the source had the record.
  private func moveExclusively(_ record: RecordName) async throws -> Bool {
    let isSourceFirst = source.name < target.name
    let (first, second) = isSourceFirst ? (source, target) : (target, source)
    return try await first.storage.withExclusiveAccess(to: record.description) { outer in
      try await second.storage.withExclusiveAccess(to: record.description) { inner in
        let (from, to) = isSourceFirst ? (outer, inner) : (inner, outer)
        // A new task: an interruption leaves no record in both storages.
        return try await Task { try await move(record, from: from, to: to) }.value
      }
    }
  }

  private func move(_ record: RecordName, from: any TokenSlot, to: any TokenSlot) async throws -> Bool {
    guard let token = try await from.read() else { return false }
    let existing = try await to.read()
    if let existing, existing != token {
      throw MigrationConflict(
        records: [conflict(record, token, existing)], source: source.name, target: target.name,
        moved: report.moved.count)
    }
    if existing == nil {
      do {
        try await to.write(token)
        guard try await to.read() == token else {
          // After the end of the lease, another machine can have refreshed the copy. Neither record is removed.
          throw TokenStorageError(
            .superseded, "The storage \(target.name.rawValue) returned another record than was written.")
        }
      } catch let error as TokenStorageError {
        throw error.leavingCopies(of: record)
      }
    }
    do {
      try await from.write(nil)
    } catch let error as TokenStorageError {
      // Two copies of a rotated refresh token must not stay in use. Without certainty that the original is still there, no
      // copy is removed.
      if existing == nil, error.leavesRecordUnchanged, (try? await to.write(nil)) != nil { throw error }
      throw error.leavingCopies(of: record)
    }
    return true
  }
}

extension TokenStorageError {
  /// Whether the code guarantees that a failed removal left the record in place.
  ///
  /// A keyring can be locked after it has removed some of several items of a record.
  fileprivate var leavesRecordUnchanged: Bool {
    isOfKeyring && code != .keyringLocked || [.superseded, .insecure].contains(code)
  }

  /// Returns the error with a warning that both storages may have the record.
  fileprivate func leavingCopies(of record: RecordName) -> TokenStorageError {
    TokenStorageError(
      code,
      "\(message) The tokens of account \(record.account.debugDescription) may now be in both storages. Run the command again before you use the account."
    )
  }
}

/// Different records of the same accounts in two storages.
struct MigrationConflict: Error, CustomStringConvertible {
  /// A record in both storages.
  struct Record: Sendable {
    let name: RecordName
    /// The storage with the record issued later, or `nil` if unknown.
    let newer: StorageName?
    /// The reason why the target's record could not be compared, or `nil` if it was.
    let problem: TokenStorageError?
  }

  let records: [Record]
  let source: StorageName
  let target: StorageName
  /// The number of records moved before.
  var moved = 0

  var description: String {
    let outcome = moved == 0 ? "Nothing was moved" : "\(moved) of the records were moved, and no others"
    let advice = records.map(advice).joined(separator: " ")
    return "\(outcome): accounts have different tokens in both storages. \(advice) Then run the command again."
  }

  private func advice(_ record: Record) -> String {
    let account = "Account \(record.name.account.debugDescription)"
    if let problem = record.problem {
      return
        "\(account), in \(target.rawValue): \(problem.commandMessage) If you do not need this record, run \(removal(record, target))."
    }
    switch record.newer {
    case source?: return "\(account): those in \(source.rawValue) are newer. Run \(removal(record, target))."
    case target?: return "\(account): those in \(target.rawValue) are newer. Run \(removal(record, source))."
    default: return "\(account): run \(removal(record, source)) or \(removal(record, target))."
    }
  }

  /// Returns the command that removes the record from a storage without revoking the tokens.
  private func removal(_ record: Record, _ storage: StorageName) -> String {
    let name = record.name
    return
      "`almanac revoke --local --storage \(storage.rawValue) --account \(name.account.shellWord) --client-id \(name.clientID.shellWord)`"
  }
}

extension String {
  /// The text as one word of a shell's command line.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "@%_+=:,./-".utf8.contains(byte)
    }
    return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
  }
}
