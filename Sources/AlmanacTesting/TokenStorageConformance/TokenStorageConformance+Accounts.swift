// SPDX-License-Identifier: Apache-2.0

import TokenStore

extension TokenStorageConformance {
  static let accountChecks = [
    Check("accounts.list", "Accounts are listed for as long as they have a record.") { subject in
      func listed() async throws -> Set<String> {
        let accounts = try await subject.storage.accounts()
        try require(accounts.count == Set(accounts).count, "An account is listed twice.")
        try require(try await Set(subject.other.accounts()) == Set(accounts), "A second storage lists others.")
        return Set(accounts)
      }
      try await subject.storage.write(token(1), for: "one")
      try await subject.storage.write(token(2), for: "two")
      try await subject.storage.write(token(3), for: "two")
      try await subject.storage.withExclusiveAccess(to: "never written") { _ = try await $0.read() }
      try require(try await listed() == ["one", "two"], "The list does not match the accounts that were written.")
      try await subject.storage.write(nil, for: "one")
      try require(try await listed() == ["two"], "A removed account is listed, or another is not.")
    },

    Check("accounts.names", "Accounts whose names differ in any byte are separate.") { subject in
      for (number, name) in oddNames.enumerated() { try await subject.storage.write(token(number), for: name) }
      for (number, name) in oddNames.enumerated() {
        try require(
          try await subject.storage.token(for: name) == token(number), "\(name.debugDescription) has another's record.")
      }
      let listed = try await Set(subject.storage.accounts().map { Array($0.utf8) })
      try require(listed == Set(oddNames.map { Array($0.utf8) }), "The list changes the names.")
      for name in oddNames.dropFirst() { try await subject.storage.write(nil, for: name) }
      try require(try await subject.storage.token(for: oddNames[0]) == token(0), "Removing one record removed another.")
    },

    Check("accounts.empty-name", "The empty string is refused as an account.") { subject in
      func refused(_ call: () async throws -> Void) async throws -> Bool {
        do {
          try await call()
          return false
        } catch let error as TokenStorageError {
          return error.code == .invalidAccount
        }
      }
      try require(try await refused { _ = try await subject.storage.token(for: "") }, "It can be read.")
      try require(try await refused { try await subject.storage.write(token(1), for: "") }, "It can be written.")
      try require(try await refused { try await subject.storage.checkWritable("") }, "It is reported as writable.")
    },
  ]

  private static let oddNames = [
    "a", "A", "aa", "ä", "a\u{308}", "Ä", "ß", "ss", "ı", "i", "I", "İ", ".", "..", "...", "/", "//", "a/", "/a", "a/b",
    "../a", "\\", "a\\b", "%", "%61", "%2f", "%2F", "a%2fb", " ", "  ", "a ", " a", "\t", "\n", "\0", "a\0", "a\0b",
    "*",
    "?", "~", "-", "-rf", "'", "\"", "; DROP TABLE tokens", "a.json", "a.lock", "a.tmp", ".a", "nul", "con",
    "me@example.com", "Me@example.com", "me+tag@example.com", "日本語", "👩‍👩‍👧‍👦", "\u{FEFF}", "\u{10FFFF}",
    "auth0|5f7c8ec7c33c6c004bbafe82", "https://issuer.example#10769150350006150715113082367",
    String(repeating: "x", count: 128), String(repeating: "x", count: 127) + "y",
    String(repeating: "x", count: 600), String(repeating: "x", count: 599) + "y", String(repeating: "X", count: 600),
    String(repeating: "ä", count: 300), String(repeating: "a\u{308}", count: 300),
  ]

  private static func token(_ number: Int) -> StoredToken {
    StoredToken(accessToken: Secret("token \(number)"))
  }
}
