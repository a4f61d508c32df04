// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
public import OAuthScope
public import PlatformFoundation
public import Timekeeping
public import TokenStore

/// A sign-in that the user completes on another device
/// ([RFC 8628 § 3.2](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.2)).
///
/// ``OAuthClient/beginDeviceAuthorization(scopes:parameters:)`` returns it. Show ``verificationURI`` and ``userCode`` to the user, and
/// ``verificationURIComplete``, if there is one, as a link or a QR code. Then pass the value to
/// ``OAuthClient/completeDeviceAuthorization(_:)``. It contains a secret: keep it in memory, or where only its user can access it.
public struct DeviceAuthorization: Sendable, Hashable {
  /// The code for the user to enter.
  public let userCode: String
  /// The URL of the page where the user enters the code.
  public let verificationURI: URL
  /// The verification URL with the user code, such as for a QR code, or `nil` if the server sent none.
  ///
  /// Show ``userCode`` beside it for comparison
  /// ([RFC 8628 § 3.3.1](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.3.1)).
  public let verificationURIComplete: URL?
  /// The interval between token requests.
  public let interval: Duration
  /// The time for the user to complete the sign-in, from its beginning.
  public let lifetime: Duration
  /// The time when the authorization expires, by the clock of the client that began it.
  public let deadline: Timestamp
  /// The device code, which identifies the sign-in in token requests.
  public let deviceCode: Secret
  /// The issuer the request is for.
  public let issuer: String
  /// The requested scopes.
  public let scopes: [Scope]
  /// The resources the access token is for.
  public let resources: [URL]
  /// The key for binding the tokens, or `nil` for unbound tokens.
  public let proofKey: ProofKey?
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
  /// The issuer, without any secret.
  public var description: String { "device authorization pending at \(issuer)" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "scopes": scopes]) }
}

extension DeviceAuthorization: Codable {
  private enum CodingKeys: CodingKey {
    case userCode, verificationURI, verificationURIComplete, interval, lifetime, deadline, deviceCode, issuer, scopes
    case resources, proofKey
  }

  /// Encodes the value, including its secret, for a sign-in that outlives the process.
  ///
  /// Store it where only its user can access it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(userCode, forKey: .userCode)
    try container.encode(verificationURI, forKey: .verificationURI)
    try container.encodeIfPresent(verificationURIComplete, forKey: .verificationURIComplete)
    try container.encode(interval, forKey: .interval)
    try container.encode(lifetime, forKey: .lifetime)
    try container.encode(deadline, forKey: .deadline)
    try container.encode(deviceCode.reveal(), forKey: .deviceCode)
    try container.encode(issuer, forKey: .issuer)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(resources, forKey: .resources)
    try container.encodeIfPresent(proofKey, forKey: .proofKey)
  }

  /// Decodes a value written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      userCode: try container.decode(String.self, forKey: .userCode),
      verificationURI: try container.decode(URL.self, forKey: .verificationURI),
      verificationURIComplete: try container.decodeIfPresent(URL.self, forKey: .verificationURIComplete),
      interval: try container.decode(Duration.self, forKey: .interval),
      lifetime: try container.decode(Duration.self, forKey: .lifetime),
      deadline: try container.decode(Timestamp.self, forKey: .deadline),
      deviceCode: Secret(try container.decode(String.self, forKey: .deviceCode)),
      issuer: try container.decode(String.self, forKey: .issuer),
      scopes: try container.decode([Scope].self, forKey: .scopes),
      resources: try container.decode([URL].self, forKey: .resources),
      proofKey: try container.decodeIfPresent(ProofKey.self, forKey: .proofKey))
  }
}

extension DeviceAuthorization {
  /// The successful response of a device authorization endpoint.
  private struct Response {
    let deviceCode: String
    let userCode: String
    let verificationURI: URL
    let verificationURIComplete: URL?
    let lifetime: Duration?
    let interval: Duration?

    init?(_ response: EndpointResponse, from server: Origin) {
      func url(_ kind: ServerURL, _ names: String...) -> URL? {
        names.lazy.compactMap { response[$0]?.string.flatMap { URL(string: $0) } }
          // The URL is opened or shown as a QR code.
          .first { kind.allows($0, namedBy: server) }
      }
      guard let deviceCode = response["device_code"]?.string, let userCode = response["user_code"]?.string,
        // `verification_url` is Google's name, from drafts of the specification.
        let verificationURI = url(.verificationURI, "verification_uri", "verification_url"), !deviceCode.isEmpty,
        !userCode.isEmpty,
        userCode.utf8.count <= ServerLimits.userCodeSize,
        // The code is shown on a terminal.
        userCode.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
      else { return nil }
      self.deviceCode = deviceCode
      self.userCode = userCode
      self.verificationURI = verificationURI
      verificationURIComplete = url(
        .verificationURIComplete, "verification_uri_complete", "verification_url_complete")
      lifetime = response["expires_in"].flatMap { ReportedDuration($0).duration }
      interval = response["interval"].flatMap { ReportedDuration($0).duration }
    }
  }

  /// Creates a value from a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(
    _ response: EndpointResponse, from endpoint: URL, scopes: [Scope], resources: [URL], proofKey: ProofKey?,
    issuer: String, now: Timestamp
  ) throws {
    guard let content = Origin(endpoint).flatMap({ Response(response, from: $0) }) else {
      throw OAuthError(
        .invalidResponse,
        "The response of the device authorization endpoint of \(OAuthError.printable(issuer, limit: 200)) lacks a code or an https verification URL. Check the endpoint's URL."
      )
    }
    // The lifetime is required. The default limits polling at servers that omit it.
    let lifetime = content.lifetime ?? .seconds(600)
    self.init(
      userCode: content.userCode, verificationURI: content.verificationURI,
      verificationURIComplete: content.verificationURIComplete,
      // RFC 8628 § 3.2: defaults to five seconds. The minimum prevents polling without a pause.
      interval: max(content.interval ?? .seconds(5), .seconds(1)), lifetime: lifetime, deadline: now + lifetime,
      deviceCode: Secret(content.deviceCode), issuer: issuer, scopes: scopes,
      resources: resources, proofKey: proofKey)
  }
}
