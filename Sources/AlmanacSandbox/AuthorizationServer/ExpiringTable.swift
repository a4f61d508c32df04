// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Support
import Timekeeping

/// Values by the digest of a secret, each until an instant of its own.
///
/// - Complexity: O(log *n*) amortised for every change.
struct ExpiringTable<Value: Sendable>: Sendable {
  private var values: [SecretDigest: Value] = [:]
  private var deadlines = DeadlineQueue<SecretDigest, Timestamp>()

  var count: Int { values.count }

  /// The value of a secret, whether or not its time is over; replacing it keeps its time.
  subscript(digest: SecretDigest) -> Value? {
    get { values[digest] }
    set {
      values[digest] = newValue
      if newValue == nil { deadlines[digest] = nil }
    }
  }

  /// Adds a value until `expires`, or for good.
  mutating func insert(_ value: Value, for digest: SecretDigest, until expires: Timestamp?) {
    values[digest] = value
    deadlines[digest] = expires
  }

  /// Removes the value that expires first if its time is over, and returns it with its digest.
  mutating func removeExpired(_ now: Timestamp) -> (digest: SecretDigest, value: Value)? {
    guard let digest = deadlines.removeEarliest(dueAt: now), let value = values.removeValue(forKey: digest) else {
      return nil
    }
    return (digest, value)
  }

  func forEach(_ body: (SecretDigest, Value) -> Void) {
    for (digest, value) in values { body(digest, value) }
  }

  mutating func removeAll() { self = ExpiringTable() }
}

/// What the sandbox keeps of a token, code or consent identifier: its digest, from which it cannot be had back.
struct SecretDigest: Hashable, Sendable {
  private let bytes: [UInt8]

  init(of secret: String) { bytes = MessageDigest.sha256(secret) }
}
