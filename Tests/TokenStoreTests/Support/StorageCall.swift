// SPDX-License-Identifier: Apache-2.0

import Testing
import TokenStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The calls of a storage.
enum StorageCall: String, CaseIterable, Sendable {
  case read, list, check, write, remove

  /// The calls that use the file of the lock.
  static let locking: [StorageCall] = [.check, .write, .remove]
  /// The calls that use the record.
  static let ofRecord: [StorageCall] = [.read] + locking

  func make(_ storage: some TokenStorage, _ account: String = "account") async throws {
    switch self {
    case .read: _ = try await storage.token(for: account)
    case .list: _ = try await storage.accounts()
    case .check: try await storage.checkWritable(account)
    case .write: try await storage.write(token("new"), for: account)
    case .remove: try await storage.write(nil, for: account)
    }
  }

  /// Makes the call, which must fail with a message that contains a text.
  func expectFailure(
    _ code: TokenStorageError.Code, _ text: String, of storage: some TokenStorage, _ account: String = "account",
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let error = try await #require(throws: TokenStorageError.self, "\(self)", sourceLocation: location) {
      try await make(storage, account)
    }
    #expect(error.code == code, "\(self)", sourceLocation: location)
    #expect(error.message.contains(text), "\(self): \(error.message)", sourceLocation: location)
    #expect(error.description == error.message && error.errorDescription == error.message, sourceLocation: location)
  }
}

/// The text of an error number, as messages show it.
func text(ofError number: Int32) -> String {
  // The numbers that system calls set have constant texts.
  unsafe "\(String(cString: strerror(number))) (errno \(number))"
}
