// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import Timekeeping
import TokenStore

@Suite struct FileTokenStorageDamageTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage
  private let record: String

  init() async throws {
    home = try TemporaryDirectory()
    storage = FileTokenStorage(path: home.path("tokens"))
    record = home.path("tokens/account.json")
    try await storage.write(token("old"), for: "account")
  }

  /// `StoredTokenCodableTests` has members that are missing or out of range.
  private static let damages: [(String, Data)] = [
    ("empty", Data()),
    ("zeros, as a power cut can leave them", Data(count: 4_096)),
    ("not JSON", Data("secret-content".utf8)),
    ("not UTF-8", Data(valid.utf8).replacing(Data("secret-content".utf8), with: Data([0xFF, 0xFE, 0xC0]))),
    ("UTF-16", Data("\u{FEFF}{".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })),
    ("no member", Data("{}".utf8)),
    ("something follows", Data((valid + "{").utf8)),
    ("nested too deep", Data(String(repeating: "[", count: 100_000).utf8)),
    ("too large", Data((valid + String(repeating: " ", count: 1 << 20)).utf8)),
  ]

  private static let valid = #"""
    {"accessToken":"secret-content","version":1,"tokenType":"Bearer","scopes":[],"serverClockOffset":{"attoseconds":0,"seconds":0}}
    """#

  @Test(arguments: [Int64.min, -1, 0, 1, .max], [-999_999_999_999_999_999, 0, 999_999_999_999_999_999] as [Int64])
  func extremeNumbersThatAreValidAreReadAndComputedWith(_ seconds: Int64, _ attoseconds: Int64) async throws {
    let json = #"""
      {"accessToken":"a","version":1,"tokenType":"Bearer","scopes":[],"expiresAt":{"seconds":\#(seconds),\#
      "nanoseconds":999999999},"serverClockOffset":{"seconds":\#(seconds),"attoseconds":\#(attoseconds)}}
      """#
    try put(Data(json.utf8), at: record)
    let token = try #require(try await storage.token(for: "account"))
    let expiresAt = try #require(token.expiresAt)
    #expect(expiresAt == Timestamp(secondsSince1970: seconds, nanoseconds: 999_999_999))
    _ = Timestamp.unixEpoch + token.serverClockOffset < expiresAt - .seconds(60)
    _ = expiresAt - token.serverClockOffset
    try await storage.write(token, for: "account")
    #expect(try await storage.token(for: "account") == token)
  }

  @Test(arguments: damages)
  func aDamagedRecordIsReportedOnceAndSetAside(_ damage: String, _ data: Data) async throws {
    try put(data, at: record)
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
    try check(error, data)
    #expect(try await storage.token(for: "account") == nil)
    #expect(try await storage.accounts().isEmpty)
    try await storage.write(token("new"), for: "account")
    #expect(try await storage.token(for: "account") == token("new"))
  }

  @Test func theValidRecordOfTheTableIsReadable() async throws {
    try put(Data(Self.valid.utf8), at: record)
    #expect(try await storage.token(for: "account") == token("secret-content"))
  }

  @Test func aRecordCutAnywhereIsDamaged() async throws {
    let whole = try contents(record)
    for length in 0..<whole.count {
      try put(whole.prefix(length), at: record)
      let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
      #expect(error.code == .corrupted)
    }
    #expect(try asides().count == whole.count, "each under a name of its own")
  }

  @Test(arguments: [nil, token("new")])
  func aWriteSetsADamagedRecordAsideFirst(_ token: StoredToken?) async throws {
    try put(Data("damaged".utf8), at: record)
    try await storage.write(token, for: "account")
    #expect(try await storage.token(for: "account") == token)
    #expect(try asides().map { try contents($0) } == [Data("damaged".utf8)])
  }

  @Test func aWriteExaminesARecordThatHasChangedSinceItWasRead() async throws {
    try await storage.withExclusiveAccess(to: "account") { slot in
      #expect(try await slot.read() == token("old"))
      try put(Data("damaged".utf8), at: record)
      try await slot.write(token("new"))
      #expect(try asides().map { try contents($0) } == [Data("damaged".utf8)])
      let newer = Data(#"{"version": 4}"#.utf8)
      try put(newer, at: record)
      let error = try await #require(throws: TokenStorageError.self) { try await slot.write(token("newest")) }
      #expect(error.code == .newerFormat)
      #expect(try contents(record) == newer)
    }
  }

  @Test func aPlainReadDoesNotWaitToSetAside() async throws {
    try await storage.withExclusiveAccess(to: "account") { slot in
      try put(Data("damaged".utf8), at: record)
      let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
      #expect(error.code == .corrupted)
      #expect(try asides().isEmpty, "only the holder of the lock may move it")
      try await slot.write(token("new"))
    }
    #expect(try await storage.token(for: "account") == token("new"))
    #expect(try asides().count == 1)
  }

  @Test func manyReadersOfADamagedRecordSetItAsideOnce() async throws {
    try put(Data("damaged".utf8), at: record)
    let errors = try await withThrowingTaskGroup(of: TokenStorageError.Code?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do {
            let token = try await storage.token(for: "account")
            #expect(token == nil)
            return nil
          } catch let error as TokenStorageError {
            return error.code
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.contains(.corrupted))
    #expect(errors.allSatisfy { $0 == nil || $0 == .corrupted })
    #expect(try asides().count == 1)
  }

  @Test func whatANewerReleaseWroteIsLeftAlone() async throws {
    let data = Data(#"{"version":4,"tokens":{"access":"secret-content"}}"#.utf8)
    try put(data, at: record)
    @Sendable func check(_ call: @Sendable () async throws -> Void) async throws {
      let error = try await #require(throws: TokenStorageError.self) { try await call() }
      #expect(error.code == .newerFormat)
      #expect(!error.message.contains("secret-content"))
      #expect(try contents(record) == data)
    }
    try await check { _ = try await storage.token(for: "account") }
    try await check { try await storage.write(token("new"), for: "account") }
    try await check { try await storage.write(nil, for: "account") }
    try await storage.withExclusiveAccess(to: "account") { slot in try await check { _ = try await slot.read() } }
    #expect(try asides().isEmpty)
  }

  private func check(_ error: TokenStorageError, _ data: Data) throws {
    #expect(error.code == .corrupted)
    #expect(!"\(error)".contains("secret-content"))
    let aside = try #require(try asides().first)
    #expect(error.message.contains(record))
    #expect(error.message.contains(aside))
    #expect(try contents(aside) == data)
    #expect(try permissions(aside) == 0o600)
  }

  private func asides() throws -> [String] {
    try names(in: storage.path).filter { $0.hasSuffix(".corrupted") }.map { "\(storage.path)/\($0)" }
  }
}
