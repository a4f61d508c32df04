// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The consent pages whose form the user has not sent yet.
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

  /// Returns the request that the user is asked about, once and in time only.
  mutating func take(_ id: String, now: Timestamp) -> AuthorizationRequest? {
    let digest = SecretDigest(of: id)
    defer { pending[digest] = nil }
    guard let found = pending[digest], found.expires > now else { return nil }
    return found.request
  }
}
