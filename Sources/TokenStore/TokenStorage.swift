// SPDX-License-Identifier: Apache-2.0

/// Keeps tokens, one record an account: the seam through which every module of the package stores them.
///
/// Take `FileTokenStorage` in a program and `InMemoryTokenStorage` in a test or a server that signs in at every start. A
/// storage of your own must pass `TokenStorageConformance` (module AlmanacTesting); what it has to promise is:
///
/// - **Exclusive access reaches as far as the records do.** If two processes or machines see the same records, then
///   ``withExclusiveAccess(to:_:)`` keeps them apart, because the refresh token inside can be spent only once.
/// - **A write is all or nothing**, and is durable when ``TokenSlot/write(_:)`` returns.
/// - **Content that cannot be read is an error**, set aside and never silently replaced.
/// - **Accounts differ when their UTF-8 bytes differ**: `"a"` and `"A"`, and the two spellings of `"é"`, are accounts of
///   their own. The empty string is none.
///
/// The kit checks what can be seen from outside; that a write survives a power cut is for the storage's own tests.
public protocol TokenStorage: Sendable {
  /// Returns the record of `account`, without waiting for the caller that has exclusive access.
  ///
  /// - Returns: The record last written, or `nil` if there is none.
  /// - Throws: ``TokenStorageError``.
  func token(for account: String) async throws -> StoredToken?

  /// Runs `body` while no other caller, in any task, process or machine that shares the records, has exclusive access to
  /// `account`.
  ///
  /// Access ends when `body` returns or throws, and when its process dies. It is not reentrant: asking for the same
  /// account inside `body` waits for ever. Other accounts are not affected.
  ///
  /// - Parameters:
  ///   - account: The account, any non-empty string.
  ///   - body: What to do. The slot is valid until it returns.
  /// - Returns: What `body` returns.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled while it waits; ``TokenStorageError``;
  ///   any error that `body` throws.
  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result

  /// Checks whether a record of `account` could be written now, so that a user is not asked to sign in for tokens that cannot
  /// be stored.
  ///
  /// The call leaves nothing behind: no record or account is added, changed or removed. A later write may fail all the same.
  /// The default implementation obtains exclusive access and reads the record. Implement it in a storage that can find out
  /// more, and in one that wraps another, which is then asked.
  ///
  /// - Parameter account: The account.
  /// - Throws: ``TokenStorageError``, as a write would; `CancellationError`. A damaged record is no error: a write replaces it.
  func checkWritable(_ account: String) async throws

  /// Returns the accounts that have a record, in no particular order.
  ///
  /// - Throws: ``TokenStorageError``.
  func accounts() async throws -> [String]
}

extension TokenStorage {
  /// Obtains exclusive access to `account` and reads its record.
  ///
  /// - Throws: ``TokenStorageError``, except for a damaged record; `CancellationError`.
  public func checkWritable(_ account: String) async throws {
    do {
      try await withExclusiveAccess(to: account) { _ = try await $0.read() }
    } catch let error as TokenStorageError where error.code == .corrupted {
      // It is set aside, and the next write finds nothing in its place.
    }
  }
}
