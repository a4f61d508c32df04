import Timekeeping

/// The questions that the person has not answered yet.
struct ConsentStore {
  private struct Pending {
    let request: AuthorizationRequest
    let expires: Timestamp
  }

  private var pending: [SecretDigest: Pending] = [:]

  mutating func add(_ request: AuthorizationRequest, id: String, now: Timestamp, expires: Timestamp) {
    pending = pending.filter { $0.value.expires > now }
    pending[SecretDigest(of: id)] = Pending(request: request, expires: expires)
  }

  /// Returns the request that the person is asked about, once and in time only.
  mutating func take(_ id: String, now: Timestamp) -> AuthorizationRequest? {
    guard let found = pending.removeValue(forKey: SecretDigest(of: id)), found.expires > now else { return nil }
    return found.request
  }
}
