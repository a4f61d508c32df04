// SPDX-License-Identifier: Apache-2.0

import OAuthScope
import Timekeeping

/// The sign-ins that clients poll for while the user completes them on another device: device authorizations
/// ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628.html)) and back-channel authentication requests
/// ([CIBA Core](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html)).
struct DeviceStore {
  /// A sign-in.
  struct Request: Sendable {
    let client: Sandbox.Client
    let scopes: [Scope]
    /// The user code, which identifies the sign-in for the user.
    let userCode: String
    /// The e-mail address of the user who is asked or has decided, or `nil` for the first user.
    fileprivate(set) var user: String?
    /// The message shown on both devices.
    let bindingMessage: String?
    let expires: Timestamp
    fileprivate(set) var interval: Duration
    fileprivate var lastPoll: Duration?
    /// The scopes granted by the user, empty if the user denied access, or `nil` before the decision.
    fileprivate(set) var granted: [Scope]?

    init(
      _ client: Sandbox.Client, scopes: [Scope], userCode: String, user: String? = nil, bindingMessage: String? = nil,
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

  /// The outcome of a token request.
  enum Outcome {
    case granted([Scope], user: String?)
    case pending, slowDown, denied, expired, unknown
  }

  private var requests = ExpiringTable<Request>()
  private var codes: [String: SecretDigest] = [:]

  var count: Int { requests.count }

  /// The retention of expired codes.
  ///
  /// During this time, the device receives `expired_token`.
  private static let memory = Duration.seconds(600)

  mutating func add(_ request: Request, as deviceCode: String, now: Timestamp) {
    removeForgotten(now)
    let digest = SecretDigest(of: deviceCode)
    requests.insert(request, for: digest, until: request.expires + Self.memory)
    codes[request.userCode] = digest
  }

  /// The sign-ins that await the user's decision.
  func open(now: Timestamp) -> [Request] { codes.keys.sorted().compactMap { request(userCode: $0, now: now) } }

  /// Returns the user code of a device code.
  func userCode(ofDeviceCode code: String) -> String? { requests[SecretDigest(of: code)]?.userCode }

  /// Returns the open sign-in with a user code, or `nil`.
  func request(userCode: String, now: Timestamp) -> Request? {
    guard let digest = codes[userCode], let found = requests[digest], found.expires > now,
      found.granted == nil
    else { return nil }
    return found
  }

  /// Records the user's decision, and returns whether the sign-in was still pending.
  mutating func decide(userCode: String, granting scopes: [Scope], as user: String?, now: Timestamp) -> Bool {
    guard request(userCode: userCode, now: now) != nil, let digest = codes[userCode] else { return false }
    requests[digest]?.granted = scopes
    if let user { requests[digest]?.user = user }
    return true
  }

  /// Returns the outcome of a token request ([RFC 8628 § 3.5](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.5)).
  mutating func poll(_ deviceCode: String, clientID: String, now: Timestamp, uptime: Duration) -> Outcome {
    let digest = SecretDigest(of: deviceCode)
    guard var found = requests[digest], found.client.id == clientID else { return .unknown }
    guard found.expires > now else { return .expired }
    // RFC 8628 § 3.5: the interval applies between two requests. The first may follow immediately.
    if let last = found.lastPoll, uptime < last + found.interval {
      found.interval += .seconds(5)
      found.lastPoll = uptime
      requests[digest] = found
      return .slowDown
    }
    found.lastPoll = uptime
    requests[digest] = found
    guard let granted = found.granted else { return .pending }
    // A device code can be used once.
    requests[digest] = nil
    codes[found.userCode] = nil
    return granted.isEmpty ? .denied : .granted(granted, user: found.user)
  }

  private mutating func removeForgotten(_ now: Timestamp) {
    while let (_, request) = requests.removeExpired(now) { codes[request.userCode] = nil }
  }

  /// Returns a user code in its canonical form, from the text typed by the user (RFC 8628 § 6.1).
  static func normalized(_ typed: String) -> String {
    let letters = typed.uppercased().filter { $0.isASCII && $0.isLetter }
    return "\(letters.prefix(4))-\(letters.dropFirst(4))"
  }

  /// Generates a user code of distinct letters without vowels, which spells no words (RFC 8628 § 6.1).
  static func makeUserCode() -> String {
    let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" }
    return "\(String(letters[..<4]))-\(String(letters[4...]))"
  }
}
