// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TokenStore

/// The description of a storage's errors.
@Suite struct TokenStorageErrorTests {
  @Test(arguments: [
    (TokenStorageError.Code.corrupted, "corrupted"), (.unavailable, "unavailable"), (.busy, "busy"),
    (.insecure, "insecure"), (.invalidAccount, "invalidAccount"), (.sealed, "sealed"), (.unknownKey, "unknownKey"),
    (.wrongKey, "wrongKey"), (.tampered, "tampered"), (.damagedSeal, "damagedSeal"), (.notSealed, "notSealed"),
    (.invalidKeys, "invalidKeys"),
  ])
  func codeIsShownByItsName(_ code: TokenStorageError.Code, _ name: String) {
    #expect("\(code)" == name)
    let error = TokenStorageError(code, "A message.")
    #expect("\(error)" == "A message.")
    #expect(error.errorDescription == "A message." && error.localizedDescription == "A message.")
  }

  @Test func secretsHaveNoChildren() {
    #expect(mirroredChildren(of: Secret("visible")) == [])
    #expect(String(reflecting: Secret("visible")) == "<redacted>")
    #expect("\(InMemoryTokenStorage())" == "InMemoryTokenStorage")
  }

  @Test(
    arguments: [
      { _ = try await $0.token(for: "") }, { try await $0.checkWritable("") },
      { try await $0.withExclusiveAccess(to: "") { _ in } },
    ] as [@Sendable (any TokenStorage) async throws -> Void])
  func memoryHasNoAccountWithoutAName(_ use: @Sendable (any TokenStorage) async throws -> Void) async throws {
    let error = try await #require(throws: TokenStorageError.self) { try await use(InMemoryTokenStorage()) }
    #expect(error.code == .invalidAccount)
    #expect(error.message == "An account's name must not be empty.")
  }
}
