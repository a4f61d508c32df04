// SPDX-License-Identifier: Apache-2.0

/// A source of sealing keys.
///
/// Use ``SealingKeyRing`` for keys in a file or an environment variable. Conform to this protocol if a service holds the keys or
/// unwraps them: a key service in the cloud, or a hardware security module.
///
/// ``SealedTokenStorage`` calls ``keyRing()`` once in each call that opens or seals records, before it waits for
/// exclusive access. Cache the result, so a refresh does not depend on the service.
///
/// ```swift
/// actor ServiceKeys: SealingKeys {
///   private var ring: SealingKeyRing?
///
///   func keyRing() async throws -> SealingKeyRing {
///     if let ring { return ring }
///     let key = try SealingKey(identifier: "2026-11", bytes: try await keyService.unwrap(wrappedKey))
///     let ring = try SealingKeyRing([key])
///     self.ring = ring
///     return ring
///   }
/// }
/// ```
public protocol SealingKeys: Sendable {
  /// Returns the current keys.
  ///
  /// - Throws: `TokenStorageError` with code `invalidKeys` or `unavailable`, or `CancellationError`. Nothing is then
  ///   read or written.
  func keyRing() async throws -> SealingKeyRing
}
