// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import TestSupport
import Testing
import TokenStore

struct RecordNameTests {
  @Test(
    arguments: [
      ("default", "1234.apps.googleusercontent.com", "default 1234.apps.googleusercontent.com"),
      ("two words", "a", "two words a"), ("a ", "b", "a  b"), (" ", "b", "  b"), ("a", "b c", "a b%20c"),
      ("a b", "c", "a b c"), ("a", "b%20c", "a b%2520c"), ("a", "%", "a %25"), ("a%20b", "c", "a%20b c"),
      ("é", "https://client.example/ü?a=%C3", "é https://client.example/ü?a=%25C3"),
    ])
  func nameIsTheAccountThenTheClient(_ account: String, _ clientID: String, _ name: String) {
    let record = RecordName(account: account, clientID: clientID)
    #expect(record.description == name)
    #expect(RecordName(name) == record)
  }

  @Test(arguments: ["", "default", "default ", " client"]) func otherNamesAreNone(_ text: String) {
    #expect(RecordName(text) == nil)
  }

  @Test(arguments: [("a b%2", "b%2"), ("a b%", "b%"), ("a %41", "%41")])
  func escapesOfOthersAreLeft(_ text: String, _ clientID: String) {
    #expect(RecordName(text)?.clientID == clientID)
  }

  /// Names of random texts are read as what they were made of, so that no two records have one name.
  @Test func everyNameHasOneReading() {
    var random = SeededNumbers(seed: 20_261_124)
    let pieces = ["a", " ", "%", "%20", "%25", "2", "0", "é"]
    func text(using random: inout SeededNumbers) -> String {
      (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<2000 {
      let record = RecordName(account: text(using: &random), clientID: text(using: &random))
      #expect(RecordName(record.description) == record, "\(record)")
    }
  }
}

/// ``TokenStorage/move(_:to:)`` of a storage in memory and one in files.
struct RecordMoveTests {
  private static let token = StoredToken(accessToken: Secret("a"), refreshToken: Secret("r"))

  private let home: TemporaryDirectory
  private let storages: [any TokenStorage]

  init() throws {
    home = try TemporaryDirectory()
    storages = [InMemoryTokenStorage(), FileTokenStorage(path: home.path("tokens"))]
  }

  private func write(_ token: StoredToken, as name: String, in storage: some TokenStorage) async throws {
    try await storage.withExclusiveAccess(to: name) { try await $0.write(token) }
  }

  @Test func recordGetsAnotherName() async throws {
    for storage in storages {
      for (old, new) in [("b", "c"), ("c", "a")] {
        if old == "b" { try await write(Self.token, as: old, in: storage) }
        #expect(try await storage.move(old, to: new))
        #expect(try await storage.accounts() == [new])
        #expect(try await storage.token(for: new) == Self.token)
        #expect(try await !storage.move(old, to: new), "there is none any more")
      }
      #expect(try await !storage.move("a", to: "a"))
      #expect(try await storage.token(for: "a") == Self.token)
    }
  }

  @Test func otherRecordIsNotReplaced() async throws {
    for storage in storages {
      let other = StoredToken(accessToken: Secret("other"))
      try await write(Self.token, as: "a", in: storage)
      try await write(other, as: "b", in: storage)
      #expect(try await !storage.move("a", to: "b"))
      #expect(try await storage.token(for: "a") == Self.token)
      #expect(try await storage.token(for: "b") == other)
    }
  }

  @Test func moveThatWasCutOffIsFinished() async throws {
    for storage in storages {
      try await write(Self.token, as: "a", in: storage)
      try await write(Self.token, as: "b", in: storage)
      #expect(try await storage.move("a", to: "b"))
      #expect(try await storage.accounts() == ["b"])
    }
  }

  @Test func movesInBothDirectionsDoNotWaitForEachOther() async throws {
    for storage in storages {
      try await write(Self.token, as: "a", in: storage)
      try await withThrowingTaskGroup { group in
        for index in 0..<50 {
          group.addTask { _ = try await index % 2 == 0 ? storage.move("a", to: "b") : storage.move("b", to: "a") }
        }
        try await group.waitForAll()
      }
      #expect(try await storage.accounts().count == 1)
    }
  }
}
