// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TokenStore

/// The check of a storage that does not implement it.
@Suite struct DefaultCheckTests {
  /// A storage whose access or records fail.
  private final class FailingStorage: TokenStorage {
    private struct Slot: TokenSlot {
      let storage: FailingStorage

      func read() async throws -> StoredToken? {
        storage.calls.withLock { $0.append("read") }
        if let error = storage.readError { throw error }
        return nil
      }

      func write(_ token: StoredToken?) async throws { storage.calls.withLock { $0.append("write") } }
    }

    let calls = Mutex<[String]>([])
    let accessError: TokenStorageError?
    let readError: TokenStorageError?

    init(accessError: TokenStorageError? = nil, readError: TokenStorageError? = nil) {
      self.accessError = accessError
      self.readError = readError
    }

    func token(for account: String) async throws -> StoredToken? { nil }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      calls.withLock { $0.append("access to \(account)") }
      if let accessError { throw accessError }
      return try await body(Slot(storage: self))
    }

    func accounts() async throws -> [String] { [] }
  }

  @Test func recordIsReadUnderExclusiveAccess() async throws {
    let storage = FailingStorage()
    try await storage.checkWritable("me")
    #expect(storage.calls.withLock(\.self) == ["access to me", "read"])
  }

  @Test(arguments: [TokenStorageError.Code.unavailable, .busy, .insecure, .invalidAccount, .corrupted])
  func everyErrorButDamageIsThrown(_ code: TokenStorageError.Code) async throws {
    for storage in [
      FailingStorage(accessError: TokenStorageError(code, "A fault.")),
      FailingStorage(readError: TokenStorageError(code, "A fault.")),
    ] {
      guard code != .corrupted else {
        try await storage.checkWritable("me")
        continue
      }
      let error = try await #require(throws: TokenStorageError.self) { try await storage.checkWritable("me") }
      #expect(error.code == code)
    }
  }
}
