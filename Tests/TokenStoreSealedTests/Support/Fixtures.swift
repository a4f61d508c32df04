// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore
import TokenStoreSealed

/// A token with every secret that a record can have.
let full = StoredToken(
  accessToken: Secret("ya29.visible-access-token"),
  expiresAt: Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: 5),
  refreshToken: Secret("1//visible-refresh-token"), scopes: ["https://scope.example/visible-scope"],
  issuer: "https://visible-issuer.example", clientID: "visible-client"
) {
  $0.tokenType = "DPoP"
  $0.idToken = Secret("visible.id.token")
  $0.authorizationDetails = "[\"visible-details\"]"
  $0.proofKey = ProofKey(algorithm: "ES256", privateKey: Secret("-----BEGIN PRIVATE KEY-----visible-key"))
}

func token(_ accessToken: String) -> StoredToken { StoredToken(accessToken: Secret(accessToken)) }

func key(_ identifier: String, _ byte: UInt8) throws -> SealingKey {
  try SealingKey(identifier: identifier, bytes: [UInt8](repeating: byte, count: 32))
}

/// The keys of the tests: the new one first, then the old one.
func ring() throws -> SealingKeyRing { try SealingKeyRing([key("new", 2), key("old", 1)]) }

func oldRing() throws -> SealingKeyRing { try SealingKeyRing([key("old", 1)]) }

func newRing() throws -> SealingKeyRing { try SealingKeyRing([key("new", 2)]) }

func sealed(
  _ base: some TokenStorage, _ keys: some SealingKeys, store: String = "store",
  plainRecords: SealedTokenStorage.PlainRecords = .refused
) -> SealedTokenStorage {
  SealedTokenStorage(wrapping: base, keys: keys, store: store, plainRecords: plainRecords)
}

extension TokenStorage {
  func write(_ token: StoredToken?, for account: String = "account") async throws {
    try await withExclusiveAccess(to: account) { try await $0.write(token) }
  }

  func read(_ account: String = "account") async throws -> StoredToken? {
    try await withExclusiveAccess(to: account) { try await $0.read() }
  }

  /// Returns the text of a sealed record, as the storage has it.
  func sealedText(_ account: String = "account") async throws -> String {
    let error = try await #require(throws: TokenStorageError.self) { try await token(for: account) }
    #expect(error.code == .sealed)
    return try #require(error.sealed)
  }
}

/// The parts of a sealed text, to be changed by a test.
struct SealedParts {
  var identifier: String
  var content: [UInt8]

  init(_ text: String) throws {
    let parts = text.split(separator: ".", maxSplits: 1)
    identifier = String(parts[0])
    content = Array(try #require(Base64URL.decode(parts[1])).dropLast(4))
  }

  /// The text with a checksum that fits.
  var text: String {
    let checksum = MessageDigest.sha256(identifier.utf8 + [UInt8(ascii: ".")] + content)[..<4]
    return "\(identifier).\(Base64URL.encode(content + checksum))"
  }
}

/// Expects that a record can neither be read, nor replaced, nor is reported as writable, and that it stays unchanged.
func expectRefusal(
  _ code: TokenStorageError.Code, of storage: some TokenStorage, over base: some TokenStorage,
  _ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation
) async throws {
  let before = await content(base)
  let calls: [@Sendable () async throws -> Void] = [
    { _ = try await storage.token(for: "account") }, { _ = try await storage.read() },
    { try await storage.write(token("replacement")) }, { try await storage.checkWritable("account") },
  ]
  for call in calls {
    let error = try await #require(throws: TokenStorageError.self, comment, sourceLocation: location) {
      try await call()
    }
    #expect(error.code == code, comment, sourceLocation: location)
    #expect(!error.message.contains("visible-"), comment, sourceLocation: location)
  }
  #expect(await content(base) == before, comment, sourceLocation: location)
}

/// Returns the record of a storage without keys: its token, or its sealed text.
private func content(_ base: some TokenStorage) async -> String {
  do {
    return try await base.token(for: "account")?.accessToken.reveal() ?? "nothing"
  } catch {
    return (error as? TokenStorageError)?.sealed ?? "\(error)"
  }
}

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String, _ text: String = "", permissions: Int = 0o600) throws -> URL {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: file.path(percentEncoded: false))
    return file
  }
}
