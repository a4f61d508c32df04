// SPDX-License-Identifier: Apache-2.0

import Timekeeping
import TokenStore

extension TokenStorageConformance {
  static let recordChecks = [
    Check("records.fields", "A record is read with every field as it was written.") { subject in
      for (name, token) in samples {
        let read = try await subject.storage.withExclusiveAccess(to: "account") { slot in
          try await slot.write(token)
          return try await slot.read()
        }
        try require(read == token, "The slot read another record than it had written: \(name).")
        try require(
          try await subject.storage.token(for: "account") == token, "A plain read found another record: \(name).")
        try require(
          try await subject.other.token(for: "account") == token, "A second storage found another record: \(name).")
      }
    },

    Check("records.none-at-first", "There is no record before the first write.") { subject in
      try require(try await subject.storage.token(for: "account") == nil, "A plain read found a record.")
      let read = try await subject.storage.withExclusiveAccess(to: "account") { try await $0.read() }
      try require(read == nil, "The slot found a record.")
      try require(try await subject.storage.accounts().isEmpty, "An account is listed.")
    },

    Check("records.removal", "A removed record is gone, and removing it again is no error.") { subject in
      for _ in 1...2 {
        try await subject.storage.write(full, for: "account")
        try await subject.storage.write(nil, for: "account")
        try await subject.storage.write(nil, for: "account")
        try require(try await subject.storage.token(for: "account") == nil, "A plain read still finds it.")
        try require(try await subject.other.token(for: "account") == nil, "A second storage still finds it.")
        let read = try await subject.other.withExclusiveAccess(to: "account") { try await $0.read() }
        try require(read == nil, "A slot still finds it.")
        try require(try await subject.other.accounts().isEmpty, "The account is still listed.")
      }
    },

    Check("records.shared", "A write of one storage is immediately visible to another storage with the same records.") {
      subject in
      for number in 1...5 {
        let token = StoredToken(accessToken: Secret("\(number)"))
        let (writer, reader) =
          number.isMultiple(of: 2) ? (subject.other, subject.storage) : (subject.storage, subject.other)
        try await writer.write(token, for: "account")
        try require(try await reader.token(for: "account") == token, "A plain read found the previous record.")
        let read = try await reader.withExclusiveAccess(to: "account") { try await $0.read() }
        try require(read == token, "The slot found the previous record.")
      }
    },

    Check("records.read-during-write", "A read during a write returns the complete old or new record.") { subject in
      try await subject.storage.write(pairs[0], for: "account")
      let writer = Task {
        for pair in pairs.dropFirst() { try await subject.storage.write(pair, for: "account") }
      }
      var last = 0
      while last < pairs.count - 1 {
        // Without this, a storage that never returns the last record would be read forever.
        try Task.checkCancellation()
        let token = try await subject.other.token(for: "account")
        guard let token, let number = Int(token.tokenType), isWhole(token, number) else {
          throw Broken(detail: "A read found a part of a record, or none.")
        }
        try require(number >= last, "A read found an older record than the read before it.")
        last = number
        await Task.yield()
      }
      try await writer.value
    },

    Check("records.check-writable", "Checking whether a record can be written changes nothing.") { subject in
      try await subject.storage.checkWritable("account")
      try require(try await subject.storage.token(for: "account") == nil, "A plain read found a record.")
      try require(try await subject.other.accounts().isEmpty, "An account is listed.")
      try await subject.storage.write(full, for: "account")
      try await subject.storage.checkWritable("account")
      try require(try await subject.other.token(for: "account") == full, "The record was changed.")
      try require(try await subject.other.accounts() == ["account"], "Another account is listed.")
    },

    Check(
      "records.sealed",
      "A sealed record is returned as it was written, as a record or in the error of a storage that does not return it."
    ) { subject in
      let sealed = "2026-11.AAECAwQFBgc"
      let read = try await subject.storage.withExclusiveAccess(to: "account") { slot in
        try await slot.write(StoredToken(sealed: sealed))
        return try await sealedForm { try await slot.read() }
      }
      try require(read == sealed, "The slot read another record than it had written.")
      let other = try await sealedForm { try await subject.other.token(for: "account") }
      try require(other == sealed, "A second storage found another record.")
    },

    Check("records.descriptions", "No description or dump shows a token.") { subject in
      let secret = "visible-secret"
      let token = StoredToken(accessToken: Secret(secret), refreshToken: Secret(secret)) {
        $0.idToken = Secret(secret)
      }
      let slot = try await subject.storage.withExclusiveAccess(to: "account") { slot in
        try await slot.write(token)
        _ = try await slot.read()
        try require(!text(slot).contains(secret), "The slot shows the token.")
        return slot
      }
      try require(!text(slot).contains(secret), "After the exclusive access, the slot shows the token.")
      try require(!text(subject.storage.base).contains(secret), "The storage shows the token.")
    },
  ]

  /// Tokens with matching parts, large enough to require more than one write.
  private static let pairs = (0...50).map { number in
    let text = String(repeating: "\(number);", count: 2_000)
    return StoredToken(accessToken: Secret(text), refreshToken: Secret(text)) { $0.tokenType = "\(number)" }
  }

  /// Whether a token is the pair with a number.
  ///
  /// Compares the revealed texts. A constant-time comparison of secrets would take most of the check's time.
  private static func isWhole(_ token: StoredToken, _ number: Int) -> Bool {
    guard pairs.indices.contains(number) else { return false }
    func parts(_ token: StoredToken) -> (String, String?, StoredToken) {
      var rest = token
      rest.accessToken = Secret("")
      rest.refreshToken = nil
      return (token.accessToken.reveal(), token.refreshToken?.reveal(), rest)
    }
    return parts(token) == parts(pairs[number])
  }

  private static func sealedForm(_ read: () async throws -> StoredToken?) async throws -> String? {
    do {
      return try await read()?.sealed
    } catch let error as TokenStorageError where error.sealed != nil {
      return error.sealed
    }
  }

  private static func text(_ value: Any) -> String {
    var text = "\(value) \(String(reflecting: value)) "
    dump(value, to: &text)
    return text
  }

  private static let full = StoredToken(
    accessToken: Secret("access"), expiresAt: Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: 1),
    refreshToken: Secret("refresh"), scopes: ["b", "a", "b"], issuer: "https://issuer.example/a?b=c", clientID: "client"
  ) {
    $0.idToken = Secret("identity")
    $0.tokenType = "bearer"
    $0.issuedAt = Timestamp(secondsSince1970: 1_767_222_000, nanoseconds: 999_999_999)
    $0.serverClockOffset = .seconds(-3)
  }

  private static func full(_ change: (inout StoredToken) -> Void) -> StoredToken {
    var token = full
    change(&token)
    return token
  }

  /// Each sample must completely replace the previous one.
  private static let samples: [(String, StoredToken)] = [
    ("all fields", full),
    (
      "a key that the tokens are bound to",
      full {
        $0.proofKey = ProofKey(algorithm: "ES256", privateKey: Secret("-----BEGIN PRIVATE KEY-----\nAA==\n"))
      }
    ),
    ("the scopes that were requested", full { $0.requestedScopes = ["a", "c"] }),
    ("no optional field", StoredToken(accessToken: Secret("access"))),
    (
      "empty strings, which are not absent ones",
      StoredToken(accessToken: Secret(""), refreshToken: Secret(""), scopes: [""], issuer: "") {
        $0.idToken = Secret("")
        $0.tokenType = ""
      }
    ),
    (
      "Unicode, quotes and control characters",
      StoredToken(
        accessToken: Secret("é e\u{301} 日本語 👩‍👩‍👧‍👦 \u{10FFFF}"),
        refreshToken: Secret("\u{0}\u{1}\n\r\t\u{7F}\u{2028}"), scopes: ["日本", " ", "\u{FEFF}"]
      ) { $0.tokenType = "\"\\/'`$;--" }
    ),
    ("64 KiB", StoredToken(accessToken: Secret(String(repeating: "0123456789abcdef", count: 4_096)))),
    ("300 scopes", StoredToken(accessToken: Secret("access"), scopes: (0..<300).map { "https://scope.example/\($0)" })),
    ("the last nanosecond before 1970", expiring(Timestamp(secondsSince1970: -1, nanoseconds: 999_999_999))),
    ("the last nanosecond of 9999", expiring(Timestamp(secondsSince1970: 253_402_300_799, nanoseconds: 999_999_999))),
    ("the last instant there is", expiring(Timestamp(secondsSince1970: .max, nanoseconds: 999_999_999))),
    ("the first instant there is", expiring(Timestamp(secondsSince1970: .min))),
    (
      "an offset of an attosecond",
      full { $0.serverClockOffset = Duration(secondsComponent: 0, attosecondsComponent: 1) }
    ),
    ("an offset of days and a nanosecond", full { $0.serverClockOffset = .seconds(-200_000) - .nanoseconds(1) }),
  ]

  private static func expiring(_ expiry: Timestamp) -> StoredToken {
    StoredToken(accessToken: Secret("access"), expiresAt: expiry)
  }
}
