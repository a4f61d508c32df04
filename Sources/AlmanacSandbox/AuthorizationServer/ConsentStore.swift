// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The authorization requests that await a user's decision on their consent page.
struct ConsentStore {
  private struct Pending {
    let request: AuthorizationRequest
    let expires: Timestamp
  }

  private var pending = ExpiringTable<Pending>()

  var count: Int { pending.count }

  mutating func add(_ request: AuthorizationRequest, id: String, now: Timestamp, expires: Timestamp) {
    while pending.removeExpired(now) != nil {}
    pending.insert(Pending(request: request, expires: expires), for: SecretDigest(of: id), until: expires)
  }

  /// Removes a request and returns it, or `nil` if it is unknown or has expired.
  mutating func take(_ id: String, now: Timestamp) -> AuthorizationRequest? {
    let digest = SecretDigest(of: id)
    defer { pending[digest] = nil }
    guard let found = pending[digest], found.expires > now else { return nil }
    return found.request
  }
}
