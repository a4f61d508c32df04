// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// The keys of a store: the first one seals, and all of them open.
///
/// To replace a key, on machines that share a store:
///
/// 1. Generate a key with ``SealingKey/generate(_:)``, and append it to the key ring of every machine.
/// 2. When all of them have it, move it to the front everywhere.
/// 3. Run ``SealedTokenStorage/reseal()`` once.
/// 4. Remove the old key when no failure is reported. Keep it with backups that need it.
public struct SealingKeyRing: SealingKeys {
  private let keys: [SealingKey]
  /// The key for sealing records.
  let sealingKey: SealingKey

  /// The keys' identifiers, the one that seals first.
  public var identifiers: [String] { keys.map(\.identifier) }

  /// Creates a key ring.
  ///
  /// - Parameter keys: The keys. The first one seals.
  /// - Throws: `TokenStorageError` with code `invalidKeys` if there is no key, or if two keys have one identifier.
  public init(_ keys: [SealingKey]) throws(TokenStorageError) {
    guard let first = keys.first else {
      throw TokenStorageError(
        .invalidKeys, "There is no sealing key. Generate one with SealingKey.generate(_:), and store its text.")
    }
    let identifiers = keys.map(\.identifier)
    if let repeated = identifiers.first(where: { name in identifiers.count { $0 == name } > 1 }) {
      throw TokenStorageError(
        .invalidKeys, "Two sealing keys have the identifier \(repeated). Give each key its own identifier.")
    }
    self.keys = keys
    sealingKey = first
  }

  /// Returns the key ring itself.
  public func keyRing() async throws -> SealingKeyRing { self }

  /// Returns the key with an identifier, or `nil` if there is none.
  func key(_ identifier: Substring) -> SealingKey? { keys.first { $0.identifier == identifier } }
}

extension SealingKeyRing: CustomStringConvertible {
  /// The keys' identifiers.
  public var description: String { "SealingKeyRing(\(identifiers.joined(separator: ", ")))" }
}
