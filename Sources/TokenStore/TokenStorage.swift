// SPDX-License-Identifier: Apache-2.0

/// A storage of tokens, with one record per account.
///
/// Every module of the package stores tokens through this protocol. Use `KeychainTokenStorage` in an app on Apple platforms,
/// `FileTokenStorage` in a command-line program or on a server, and `InMemoryTokenStorage` in a test. A custom storage must
/// pass `TokenStorageConformance` (module AlmanacTesting) and guarantee:
///
/// - **Exclusive access covers everyone who shares the records.** If two processes or machines see the same records, only one
///   of them may be inside ``withExclusiveAccess(to:_:)`` at a time. The refresh token in a record can be used only once.
/// - **A write is atomic**, and durable when ``TokenSlot/write(_:)`` returns.
/// - **Unreadable content is an error.** It is set aside, and never silently replaced.
/// - **Accounts differ if their UTF-8 bytes differ**: `"a"` and `"A"`, and the two spellings of `"é"`, are different accounts.
///   The empty string is not an account.
///
/// The conformance kit checks the externally visible behaviour. A storage's own tests must check that a write survives
/// a power cut.
public protocol TokenStorage: Sendable {
  /// Returns the record of `account`, without waiting for a caller with exclusive access.
  ///
  /// - Returns: The record last written, or `nil` if there is none.
  /// - Throws: ``TokenStorageError``.
  func token(for account: String) async throws -> StoredToken?

  /// Runs `body` while no other caller, in any task, process or machine that shares the records, has exclusive access
  /// to `account`.
  ///
  /// Access ends when `body` returns or throws, or when its process dies. It is not reentrant: a request for the same account
  /// inside `body` waits for ever. Other accounts are not affected.
  ///
  /// - Parameters:
  ///   - account: The account, any non-empty string.
  ///   - body: The closure to run, outside of the caller's actor. Its slot is valid until it returns. An implementation names its
  ///     type `@concurrent`, which a module with the upcoming feature `NonisolatedNonsendingByDefault` requires.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled while it waits. Also
  ///   ``TokenStorageError`` and any error of `body`.
  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result

  /// Checks whether a record of `account` could be written now.
  ///
  /// Use it before a sign-in whose tokens could not be stored otherwise. The call leaves nothing behind: no record or account
  /// is added, changed or removed. A later write can still fail.
  ///
  /// The default implementation obtains exclusive access and reads the record. Implement this method in a storage that
  /// can check more. In a storage that wraps another one, forward the call.
  ///
  /// - Parameter account: The account.
  /// - Throws: ``TokenStorageError``, as a write would, or `CancellationError`. A damaged record is no error: a write
  ///   replaces it.
  func checkWritable(_ account: String) async throws

  /// Returns the accounts with a record, in no particular order.
  ///
  /// - Throws: ``TokenStorageError``.
  func accounts() async throws -> [String]
}

extension TokenStorage {
  /// Obtains exclusive access to `account` and reads its record.
  ///
  /// - Throws: ``TokenStorageError``, except for a damaged record, or `CancellationError`.
  public func checkWritable(_ account: String) async throws {
    do {
      try await withExclusiveAccess(to: account) { _ = try await $0.read() }
    } catch let error as TokenStorageError where error.code == .corrupted {
      // The record is set aside, so the next write finds nothing in its place.
    }
  }
}
