// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The sign-ins that clients poll for while the user completes them on another device: device authorizations
/// ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628.html)) and back-channel authentication requests
/// ([CIBA Core](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html)).
struct DeviceStore {
  /// One sign-in.
  struct Request: Sendable {
    let client: Sandbox.Client
    let scopes: [String]
    /// The name that the user's side has for it: the code that the user enters.
    let userCode: String
    /// The e-mail address of the user who is asked, or has decided; `nil` for the first.
    fileprivate(set) var user: String?
    /// The text that both devices show.
    let bindingMessage: String?
    let expires: Timestamp
    fileprivate(set) var interval: Duration
    fileprivate var lastPoll: Timestamp?
    /// The scopes that the user allowed; empty for none.
    fileprivate(set) var granted: [String]?

    init(
      _ client: Sandbox.Client, scopes: [String], userCode: String, user: String? = nil, bindingMessage: String? = nil,
      expires: Timestamp, interval: Duration
    ) {
      self.client = client
      self.scopes = scopes
      self.userCode = userCode
      self.user = user
      self.bindingMessage = bindingMessage
      self.expires = expires
      self.interval = interval
    }
  }

  /// The outcome of a request for the tokens.
  enum Outcome {
    case granted([String], user: String?)
    case pending, slowDown, denied, expired, unknown
  }

  private var requests = ExpiringTable<Request>()
  private var codes: [String: SecretDigest] = [:]

  var count: Int { requests.count }

  /// How long an expired code is remembered, so that the device learns why it ends.
  private static let memory = Duration.seconds(600)

  mutating func add(_ request: Request, as deviceCode: String, now: Timestamp) {
    removeForgotten(now)
    let digest = SecretDigest(of: deviceCode)
    requests.insert(request, for: digest, until: request.expires + Self.memory)
    codes[request.userCode] = digest
  }

  /// The sign-ins that wait for the user.
  func open(now: Timestamp) -> [Request] { codes.keys.sorted().compactMap { request(userCode: $0, now: now) } }

  /// The code that the user's side has for the request that a client polls for.
  func userCode(ofDeviceCode code: String) -> String? { requests[SecretDigest(of: code)]?.userCode }

  /// The sign-in that a user enters the code of.
  func request(userCode: String, now: Timestamp) -> Request? {
    guard let digest = codes[userCode], let found = requests[digest], found.expires > now,
      found.granted == nil
    else { return nil }
    return found
  }

  /// Takes the user's decision, once.
  mutating func decide(userCode: String, granting scopes: [String], as user: String?, now: Timestamp) -> Bool {
    guard request(userCode: userCode, now: now) != nil, let digest = codes[userCode] else { return false }
    requests[digest]?.granted = scopes
    if let user { requests[digest]?.user = user }
    return true
  }

  /// Decides about a request for the tokens ([RFC 8628 § 3.5](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.5)).
  mutating func poll(_ deviceCode: String, clientID: String, now: Timestamp) -> Outcome {
    let digest = SecretDigest(of: deviceCode)
    guard var found = requests[digest], found.client.id == clientID else { return .unknown }
    guard found.expires > now else { return .expired }
    // The interval is between two requests (RFC 8628 § 3.5): the first may come at once.
    if let last = found.lastPoll, now < last + found.interval {
      found.interval += .seconds(5)
      found.lastPoll = now
      requests[digest] = found
      return .slowDown
    }
    found.lastPoll = now
    requests[digest] = found
    guard let granted = found.granted else { return .pending }
    // A device code is good once.
    requests[digest] = nil
    codes[found.userCode] = nil
    return granted.isEmpty ? .denied : .granted(granted, user: found.user)
  }

  private mutating func removeForgotten(_ now: Timestamp) {
    while let (_, request) = requests.removeExpired(now) { codes[request.userCode] = nil }
  }

  /// The code as it was made, from what the user has typed (RFC 8628 § 6.1).
  static func normalized(_ typed: String) -> String {
    let letters = typed.uppercased().filter { $0.isASCII && $0.isLetter }
    return "\(letters.prefix(4))-\(letters.dropFirst(4))"
  }

  /// Makes a code of letters that cannot be taken for others, and make no words (RFC 8628 § 6.1).
  static func makeUserCode() -> String {
    let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" }
    return "\(String(letters[..<4]))-\(String(letters[4...]))"
  }
}
