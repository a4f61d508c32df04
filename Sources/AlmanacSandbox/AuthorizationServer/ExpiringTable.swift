// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Support
import Timekeeping

/// A table of values by the digest of a secret, each with its own expiry.
///
/// - Complexity: O(log *n*) amortized for every change.
struct ExpiringTable<Value: Sendable>: Sendable {
  private var values: [SecretDigest: Value] = [:]
  private var deadlines = DeadlineQueue<SecretDigest, Timestamp>()

  var count: Int { values.count }

  /// The value of a secret, even if it has expired.
  ///
  /// Replacing a value keeps its expiry.
  subscript(digest: SecretDigest) -> Value? {
    get { values[digest] }
    set {
      values[digest] = newValue
      if newValue == nil { deadlines[digest] = nil }
    }
  }

  /// Adds a value expiring at `expires`, or never if `nil`.
  mutating func insert(_ value: Value, for digest: SecretDigest, until expires: Timestamp?) {
    values[digest] = value
    deadlines[digest] = expires
  }

  /// Removes the value that expires first if it has expired, and returns it with its digest.
  mutating func removeExpired(_ now: Timestamp) -> (digest: SecretDigest, value: Value)? {
    guard let digest = deadlines.removeEarliest(dueAt: now), let value = values.removeValue(forKey: digest) else {
      return nil
    }
    return (digest, value)
  }

  /// Adds a value after removing the expired ones.
  mutating func add(_ value: Value, for secret: String, until expires: Timestamp, now: Timestamp) {
    while removeExpired(now) != nil {}
    insert(value, for: SecretDigest(of: secret), until: expires)
  }

  /// Adds a value unless there is one that has not expired, and returns whether it was added.
  mutating func addFirst(_ value: Value, for secret: String, until expires: Timestamp, now: Timestamp) -> Bool {
    while removeExpired(now) != nil {}
    let digest = SecretDigest(of: secret)
    guard values[digest] == nil else { return false }
    insert(value, for: digest, until: expires)
    return true
  }

  /// Removes a value and returns it, or `nil` if it has expired, is unknown or does not meet the condition.
  mutating func take(
    _ secret: String, now: Timestamp, where isTaken: (Value) -> Bool = { _ in true }
  ) -> Value? {
    while removeExpired(now) != nil {}
    let digest = SecretDigest(of: secret)
    guard let value = values[digest], isTaken(value) else { return nil }
    self[digest] = nil
    return value
  }

  func forEach(_ body: (SecretDigest, Value) -> Void) {
    for (digest, value) in values { body(digest, value) }
  }

  mutating func removeAll() { self = ExpiringTable() }
}

/// The digest under which the sandbox stores a token, code or consent identifier.
///
/// The secret cannot be recovered from it.
struct SecretDigest: Hashable, Sendable {
  // A vector is faster than an array. Every request hashes and compares several digests of its token.
  private let words: SIMD4<UInt64>

  init(of secret: String) {
    var words = SIMD4<UInt64>()
    for (index, byte) in MessageDigest.sha256(secret).enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = words
  }
}
