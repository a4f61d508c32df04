// SPDX-License-Identifier: Apache-2.0

/// One account's place in a ``TokenStorage``, while access to it is exclusive.
///
/// It ends with the body it was given to: a later use throws a ``TokenStorageError``, because another caller
/// else may have access by then.
public protocol TokenSlot: Sendable {
  /// Returns the record as it is now, past any cache.
  ///
  /// - Throws: ``TokenStorageError``.
  func read() async throws -> StoredToken?

  /// Replaces the record, or removes it for `nil`. The change is durable when the call returns, and it is carried
  /// through even if the current task is cancelled: a rotated refresh token must not be lost.
  ///
  /// - Throws: ``TokenStorageError``; the record is then the old one.
  func write(_ token: StoredToken?) async throws
}
