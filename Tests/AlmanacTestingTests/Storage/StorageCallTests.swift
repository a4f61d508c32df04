// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import TestSupport
import Testing
import TokenStore

/// The kit, run against a storage that is correct: the calls of each check, and a digest of the accounts and tokens that it writes.
///
/// A check that writes less than it says reports fewer defects, and no defect shows that.
@Suite(.hangLimit) struct StorageCallTests {
  /// Plain reads are not counted where the check reads until another task has written.
  private static let calls = [
    "records.fields": "first locks 14, first reads 14, second reads 14, slots read 14, slots write 14, #bf7c1717",
    "records.none-at-first": "first lists 1, first locks 1, first reads 1, slots read 1",
    "records.removal": "first locks 6, first reads 2, second reads 2, slots write 6, #f7ad75db",
    "records.shared":
      "first locks 5, first reads 2, second locks 5, second reads 3, slots read 5, slots write 5, #1d1f7ada",
    "records.read-during-write": "first locks 51, slots write 51, #4121e918",
    "records.check-writable":
      "first locks 1, first reads 1, first tries 2, second lists 2, second reads 1, slots write 1, #12b75884",
    "records.sealed": "first locks 1, second reads 1, slots read 1, slots write 1, #98ac0ba9",
    "records.descriptions": "first locks 1, slots read 1, slots write 1, #70284820",
    "accounts.list": "first lists 2, first locks 5, second lists 2, slots read 1, slots write 4, #de87cdd3",
    "accounts.names": "first lists 1, first locks 123, first reads 63, slots write 123, #408d879",
    "accounts.empty-name": "first locks 1, first reads 1, first tries 1",
    "access.exclusive": "first locks 40, first reads 1, second locks 40, slots read 80, slots write 80, #71d268b3",
    "access.other-accounts": "first locks 2, first reads 1, second locks 1, slots write 2, #eeef466b",
    "access.plain-reads": "first lists 1, first locks 1, first reads 2, second reads 1, slots write 1, #2ae5e0ea",
    "access.errors": "first locks 2, second locks 1, slots read 1, slots write 1, #62d243cb",
    "access.slot-lifetime": "first locks 3, first reads 1, slots read 2, slots write 3, #698a4b5b",
    "cancellation.while-waiting": "first locks 8, second locks 6",
    "cancellation.before-access": "first locks 1",
    "cancellation.during-write": "first locks 20, first reads 20, slots write 20, #7cafefc9",
  ]

  @Test(arguments: TokenStorageConformance.checks)
  func aCorrectStorageIsNotReported(_ check: TokenStorageConformance.Check) async throws {
    let log = CallLog()
    try await TokenStorageConformance {
      CountedTokenStorage("first", log)
    } reopen: {
      $0.reopened()
    }.run(check)
    let calls = log.calls(isReading: check.id != "records.read-during-write")
    #expect(calls == Self.calls[check.id])
  }
}

/// The calls, and how often each was made.
private final class CallLog: Sendable {
  private let counts = Shared<[String: Int]>([:])
  private let records = Shared<[String]>([])

  func add(_ call: String) { counts.change { $0[call, default: 0] += 1 } }

  func add(_ token: StoredToken?, _ account: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try token.map { String(decoding: try encoder.encode($0), as: UTF8.self) } ?? "none"
    records.change { $0.append("\(account.debugDescription): \(text)") }
  }

  func calls(isReading: Bool) -> String {
    let calls = counts.value.filter { isReading || !$0.key.hasSuffix(" reads") }.sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value)"
    }
    let texts = records.value.sorted()
    let digest = ExchangeLog.digest(of: Array(texts.joined(separator: "\n").utf8))
    return (calls + (texts.isEmpty ? [] : ["#\(digest)"])).joined(separator: ", ")
  }
}

/// A storage in memory that writes down what is called.
private struct CountedTokenStorage: TokenStorage {
  private let base: InMemoryTokenStorage
  private let name: String
  private let log: CallLog

  init(_ name: String, _ log: CallLog, base: InMemoryTokenStorage = InMemoryTokenStorage()) {
    self.base = base
    self.name = name
    self.log = log
  }

  func reopened() -> Self { Self("second", log, base: base) }

  func token(for account: String) async throws -> StoredToken? {
    log.add("\(name) reads")
    return try await base.token(for: account)
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    log.add("\(name) locks")
    return try await base.withExclusiveAccess(to: account) {
      try await body(Slot(base: $0, account: account, log: log))
    }
  }

  func checkWritable(_ account: String) async throws {
    log.add("\(name) tries")
    try await base.checkWritable(account)
  }

  func accounts() async throws -> [String] {
    log.add("\(name) lists")
    return try await base.accounts()
  }

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let account: String
    let log: CallLog

    func read() async throws -> StoredToken? {
      log.add("slots read")
      return try await base.read()
    }

    func write(_ token: StoredToken?) async throws {
      log.add("slots write")
      try log.add(token, account)
      try await base.write(token)
    }
  }
}

extension CountedTokenStorage: CustomStringConvertible, CustomReflectable {
  var description: String { "CountedTokenStorage" }

  var customMirror: Mirror { Mirror(self, children: []) }
}
