// SPDX-License-Identifier: Apache-2.0

import TokenStore

extension TokenStorageConformance {
  static let sharedChecks = [
    Check("shared.free-account", "Another caller gets access after it has ended, although the body continues.") {
      subject in
      try await subject.afterEndOfAccess { _ in
        try await subject.other.write(newer, for: "account")
        try require(try await subject.storage.token(for: "account") == newer, "The other caller's record is missing.")
      }
    },

    Check(
      "shared.late-write",
      "A write after the end of access succeeds if the record still contains the credential that the writer spent."
    ) { subject in
      try await subject.afterEndOfAccess { slot in
        try await slot.write(late)
        try require(try await subject.other.token(for: "account") == late, "The late record is missing.")
      }
    },

    Check("shared.newer-record", "A write after the end of access never replaces a newer record.") { subject in
      for record in [newer, nil] {
        try await subject.afterEndOfAccess { slot in
          try await subject.other.write(record, for: "account")
          try await requireSuperseded("The newer record was replaced.") { try await slot.write(late) }
          try require(try await slot.read() == record, "The slot reads another record.")
          try require(try await subject.other.token(for: "account") == record, "The newer record has changed.")
        }
      }
    },

    Check("shared.spent-credential", "A credential that another caller has replaced is not spent.") { subject in
      try await subject.afterEndOfAccess(preparing: false) { slot in
        try await subject.other.write(newer, for: "account")
        try await requireSuperseded("It can still be spent.") { _ = try await slot.prepareToSpend(intent) }
      }
    },
  ]

  private static func requireSuperseded(_ detail: String, _ call: () async throws -> Void) async throws {
    do {
      try await call()
      throw Broken(detail: detail)
    } catch let error as TokenStorageError {
      try require(error.code == .superseded, "The error's code is \(error.code), not superseded.")
    }
  }
}

private let first = StoredToken(accessToken: Secret("first"), refreshToken: Secret("first"))
private let newer = StoredToken(accessToken: Secret("newer"), refreshToken: Secret("newer"))
private let late = StoredToken(accessToken: Secret("late"), refreshToken: Secret("late"))
private let intent = SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30))

extension TokenStorageConformance.Subject {
  /// Runs `body` in an exclusive access that has ended, if the storage can lose it.
  fileprivate func afterEndOfAccess(
    preparing: Bool = true, _ body: @Sendable @escaping (any TokenSlot) async throws -> Void
  ) async throws {
    guard let endAccess else { return }
    try await storage.write(first, for: "account")
    try await storage.withExclusiveAccess(to: "account") { slot in
      _ = try await slot.read()
      if preparing { _ = try await slot.prepareToSpend(intent) }
      try await endAccess()
      try await body(slot)
    }
  }
}
