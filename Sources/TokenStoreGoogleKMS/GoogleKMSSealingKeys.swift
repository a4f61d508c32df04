// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import Support
import Synchronization
public import TokenStore
public import TokenStoreSealed

/// Sealing keys wrapped by a key of Google Cloud KMS.
///
/// The configuration has the wrapped keys, which are not secret. The first use unwraps them, with one request for each, and keeps
/// them in memory. Later uses send nothing, so a refresh does not depend on Google Cloud. If one of the keys cannot be unwrapped,
/// none is available: remove keys whose versions are destroyed.
///
/// ```swift
/// let keys = try GoogleKMSSealingKeys("2026-11:CiQA…", unwrappedBy: key)
/// let storage = SealedTokenStorage(wrapping: FileTokenStorage(), keys: keys, store: "tokens.example.com")
/// ```
///
/// To replace a key, put a new one in front, as with a `SealingKeyRing`. To replace the key of Google Cloud KMS, let it rotate: its
/// earlier versions unwrap as long as they are enabled.
public final class GoogleKMSSealingKeys: SealingKeys {
  private struct Wrapped {
    let identifier: String
    let ciphertext: [UInt8]
  }

  private struct State {
    var ring: SealingKeyRing?
    var unwrapping: SharedTask<SealingKeyRing>?
  }

  private enum Use {
    case known(SealingKeyRing)
    case waiting(SharedTask<SealingKeyRing>.Waiter)
  }

  private let keys: [Wrapped]
  private let key: GoogleKMSKey
  private let state = Mutex(State())

  /// The keys' identifiers, the one that seals first.
  public var identifiers: [String] { keys.map(\.identifier) }

  /// Reads wrapped keys.
  ///
  /// - Parameters:
  ///   - text: The texts of ``GoogleKMSKey/wrap(_:)``, separated by white space or commas. The first key seals, and all keys open.
  ///   - key: The key that unwraps them.
  /// - Throws: `TokenStorageError` with code `invalidKeys`, which names the position of the faulty key.
  public init(_ text: String, unwrappedBy key: GoogleKMSKey) throws(TokenStorageError) {
    var keys: [Wrapped] = []
    for entry in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, SealingKey.isValid(parts[0]), let ciphertext = Data(base64Encoded: String(parts[1])),
        !ciphertext.isEmpty, !keys.contains(where: { $0.identifier == parts[0] })
      else {
        throw TokenStorageError(
          .invalidKeys,
          """
          Wrapped sealing key \(keys.count + 1) is not valid. Use the text that wrap(_:) returned, and one key for each identifier.
          """)
      }
      keys.append(Wrapped(identifier: String(parts[0]), ciphertext: Array(ciphertext)))
    }
    guard !keys.isEmpty else {
      throw TokenStorageError(.invalidKeys, "There is no wrapped sealing key. Make one with GoogleKMSKey.wrap(_:).")
    }
    self.keys = keys
    self.key = key
  }

  /// Returns the unwrapped keys.
  ///
  /// Concurrent first uses share one request for each key. After a failure, the next use tries again.
  ///
  /// - Throws: `TokenStorageError` with code `unavailable`, or with code `invalidKeys` if the text does not belong to the key of
  ///   Google Cloud KMS; `CancellationError`, promptly.
  public func keyRing() async throws -> SealingKeyRing {
    let use: Use = state.withLock { state in
      if let ring = state.ring { return .known(ring) }
      return .waiting(SharedTask.join(&state.unwrapping) { [self] in try await unwrapped() })
    }
    switch use {
    case .known(let ring): return ring
    case .waiting(let waiter): return try await waiter.value()
    }
  }

  private func unwrapped() async throws -> SealingKeyRing {
    var texts: [String] = []
    for wrapped in keys { texts.append(try await key.unwrap(wrapped.ciphertext, of: wrapped.identifier).reveal()) }
    let ring = try SealingKeyRing(text: Secret(texts.joined(separator: "\n")))
    guard ring.identifiers == identifiers else {
      throw TokenStorageError(
        .invalidKeys, "The identifiers of the wrapped sealing keys were changed. Use the texts that wrap(_:) returned.")
    }
    state.withLock {
      $0.ring = ring
      $0.unwrapping = nil
    }
    return ring
  }
}

extension GoogleKMSSealingKeys: CustomStringConvertible {
  /// The keys' identifiers.
  public var description: String { "GoogleKMSSealingKeys(\(identifiers.joined(separator: ", ")))" }
}
