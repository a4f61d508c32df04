// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthFixtures
import TestSupport
import Testing
import TokenStore

/// Histories of calls, the same in every run, on a storage and on a dictionary: they agree after every call.
@Suite struct StorageHistoryTests {
  /// Names that a file system, a keychain or a comparison of strings could take for each other.
  private static let accounts = [
    "a", "A", "a.json", "a.tmp", "a.lock", ".", "..", "a/b", "a%2fb", "%", " ", "\u{E9}", "e\u{301}", "\0", "\u{1F600}",
    String(repeating: "n", count: 228), String(repeating: "n", count: 300), String(repeating: "N", count: 300),
    String(repeating: "\u{E9}", count: 300), String(repeating: "e\u{301}", count: 300),
  ]

  private enum Failure: Error { case ofBody }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func recordsInMemoryAgree(_ seed: UInt64) async throws {
    let storage = InMemoryTokenStorage()
    try await run(seed, steps: 400, on: { storage })
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>) func recordsInFilesAgree(_ seed: UInt64) async throws {
    let home = try TemporaryDirectory()
    let directory = home.path("tokens")
    // Whatever else lies in the folder is nobody's record.
    try await FileTokenStorage(path: directory).write(nil, for: "a")
    for name in ["%61.json", "b.JSON", "%C3%A9.json", "%2.json", "json", "a.json.json.corrupted", "c.lock", "%00.tmp"] {
      try put(Data("{}".utf8), at: "\(directory)/\(name)")
    }
    // Each call by a storage of its own, as after a new start.
    try await run(seed, steps: 60, on: { FileTokenStorage(path: directory) }) { account in
      // A writer was killed in the middle of it.
      guard account.utf8.count < 229 else { return }
      try put(Data("{".utf8), at: "\(directory)/\(plainName(account)).tmp")
    }
    let names = try names(in: directory)
    #expect(!names.contains { $0.hasSuffix(".trial") })
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>) func itemsOfAKeychainAgree(_ seed: UInt64) async throws {
    let home = try TemporaryDirectory()
    let keychain = StubKeychain()
    try await run(seed, steps: 60, on: { LockedTokenStorage(items: keychain, locksIn: home.path("locks")) })
  }

  private func run<Storage: TokenStorage>(
    _ seed: UInt64, steps: Int, on open: @escaping @Sendable () -> Storage,
    _ disturb: (String) throws -> Void = { _ in }
  ) async throws {
    var numbers = SeededNumbers(seed: seed)
    var model: [[UInt8]: StoredToken] = [:]
    for step in 0..<steps {
      let storage = open()
      let account = Self.accounts[Int.random(in: 0..<Self.accounts.count, using: &numbers)]
      let key = Array(account.utf8)
      let written: StoredToken? = Bool.random(using: &numbers) ? token("\(step)") : nil
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0, 1:
        try await storage.write(written, for: account)
        model[key] = written
      case 2:
        try await storage.checkWritable(account)
      case 3:
        // Several changes under one lock; each is seen at once, by the slot and outside of it.
        for token in [token("first"), nil, written] { model[key] = token }
        try await storage.withExclusiveAccess(to: account) { [before = try await storage.token(for: account)] slot in
          #expect(try await slot.read() == before)
          for token in [token("first"), nil, written] {
            try await slot.write(token)
            #expect(try await slot.read() == token)
            #expect(try await open().token(for: account) == token)
          }
        }
      case 4:
        // A record written before the body fails stays.
        await #expect(throws: Failure.self) {
          try await storage.withExclusiveAccess(to: account) { slot in
            try await slot.write(written)
            throw Failure.ofBody
          }
        }
        model[key] = written
      case 5:
        // A cancelled task completes the write that it has begun.
        let task = Task {
          try await storage.withExclusiveAccess(to: account) { slot in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await slot.write(written)
          }
        }
        try await task.value
        model[key] = written
      case 6:
        try disturb(account)
      default:
        #expect(try await storage.withExclusiveAccess(to: account) { try await $0.read() } == model[key])
      }
      #expect(try await storage.token(for: account) == model[key], "step \(step)")
      let accounts = try await storage.accounts()
      #expect(Set(accounts.map { Array($0.utf8) }) == Set(model.keys) && accounts.count == model.count, "step \(step)")
    }
    let storage = open()
    for account in Self.accounts {
      #expect(try await storage.token(for: account) == model[Array(account.utf8)])
    }
  }
}

/// The documented name of an account's file, written in another way.
func plainName(_ account: String) -> String {
  account.utf8.map { byte in
    let character = Character(Unicode.Scalar(byte))
    return byte < 0x80 && "abcdefghijklmnopqrstuvwxyz0123456789-_@+".contains(character)
      ? String(character) : "%" + String(format: "%02x", byte)
  }.joined()
}

/// The names of files and the accounts that they stand for.
@Suite struct AccountFileNameTests {
  /// A name that is no account's is read as none, and one that is, is its account's.
  @Test func namesAreReadAsTheyAreWritten() async throws {
    let home = try TemporaryDirectory()
    let storage = FileTokenStorage(path: home.path)
    try setPermissions(0o700, home.path)
    var numbers = SeededNumbers(seed: 4)
    let names = Set(
      (0..<600).map { _ in
        String(decoding: numbers.bytes(upTo: 7, of: "%%%%0123467acefAF+-. zg"), as: UTF8.self)
          .replacing("/", with: "").replacing("\0", with: "")
      }.map { Array($0.utf8) })
    for name in names { try put(Data(), at: home.path(String(decoding: name, as: UTF8.self) + ".json")) }
    let listed = try await storage.accounts().map { Array(plainName($0).utf8) }
    let canonical = names.filter { isCanonical(String(decoding: $0, as: UTF8.self)) }
    #expect(Set(listed) == canonical && listed.count == canonical.count)
    #expect(canonical.count > 30 && names.count - canonical.count > 100)
  }

  /// Whether a name is the one that its account has.
  private func isCanonical(_ name: String) -> Bool {
    guard let decoded = name.removingPercentEncoding, !decoded.isEmpty else { return false }
    return plainName(decoded) == name
  }
}
