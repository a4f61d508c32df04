// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
public import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A sign-in that the user completes on another device, in one value: what to show, and what to ask the server with
/// ([RFC 8628 § 3.2](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.2)).
///
/// It is made by ``OAuthClient/beginDeviceAuthorization(scopes:parameters:)``, and handed back to
/// ``OAuthClient/completeDeviceAuthorization(_:)``. Show ``verificationURI`` and ``userCode``; where there is
/// ``verificationURIComplete``, show it too, as a link or a QR code. It holds a secret: keep it in memory, or where only its user
/// can reach it.
public struct DeviceAuthorization: Sendable, Hashable {
  /// The code that the user enters.
  public let userCode: String
  /// Where the user enters it.
  public let verificationURI: URL
  /// The same with the code in it, such as for a QR code; `nil` if the server has none.
  ///
  /// Show the code beside it, so that the user can compare the two
  /// ([RFC 8628 § 3.3.1](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.3.1)).
  public let verificationURIComplete: URL?
  /// How long to wait before each request for the tokens.
  public let interval: Duration
  /// How long the user may take, from the moment the authorization was begun.
  public let lifetime: Duration
  /// When the authorization ends unanswered, by the clock of the client that began it.
  public let deadline: Timestamp
  /// What the device identifies the sign-in by.
  public let deviceCode: Secret
  /// The issuer that was asked.
  public let issuer: String
  /// The scopes that were requested.
  public let scopes: [String]
  /// The services that the access token is for.
  public let resources: [URL]
  /// The key that the tokens will be bound to; `nil` if they will not.
  public let proofKey: ProofKey?
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
  /// The issuer, and nothing that is secret.
  public var description: String { "device authorization pending at \(issuer)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "scopes": scopes]) }
}

extension DeviceAuthorization: Codable {
  private enum CodingKeys: CodingKey {
    case userCode, verificationURI, verificationURIComplete, interval, lifetime, deadline, deviceCode, issuer, scopes
    case resources, proofKey
  }

  /// Writes the value, its secret included, for a sign-in that outlives the process.
  ///
  /// Keep it where only its user can reach it.
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

  /// Reads what ``encode(to:)`` has written.
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
      scopes: try container.decode([String].self, forKey: .scopes),
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

    init?(_ response: EndpointResponse) {
      func url(_ names: String...) -> URL? {
        names.lazy.compactMap { response[$0]?.string.flatMap { URL(string: $0) } }
          // It is opened or shown as a code: no other scheme may come from a server.
          .first { Origin($0)?.isSecure == true }
      }
      guard let deviceCode = response["device_code"]?.string, let userCode = response["user_code"]?.string,
        // `verification_url` is Google's name, from drafts of the specification.
        let verificationURI = url("verification_uri", "verification_url"), !deviceCode.isEmpty, !userCode.isEmpty,
        // It is shown on a terminal.
        userCode.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
      else { return nil }
      self.deviceCode = deviceCode
      self.userCode = userCode
      self.verificationURI = verificationURI
      verificationURIComplete = url("verification_uri_complete", "verification_url_complete")
      lifetime = response["expires_in"].flatMap { ReportedDuration($0).duration }
      interval = response["interval"].flatMap { ReportedDuration($0).duration }
    }
  }

  /// Reads a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(
    _ response: EndpointResponse, scopes: [String], resources: [URL], proofKey: ProofKey?, issuer: String,
    now: Timestamp
  ) throws {
    guard let content = Response(response) else {
      throw OAuthError(
        .invalidResponse,
        "The response of the device authorization endpoint of \(OAuthError.printable(issuer, limit: 200)) lacks a code or an https verification URL. Check the endpoint's URL."
      )
    }
    // It is required. A server that leaves it out is not asked for ever.
    let lifetime = content.lifetime ?? .seconds(600)
    self.init(
      userCode: content.userCode, verificationURI: content.verificationURI,
      verificationURIComplete: content.verificationURIComplete,
      // RFC 8628 § 3.2: five seconds if the server does not say; never without a pause.
      interval: max(content.interval ?? .seconds(5), .seconds(1)), lifetime: lifetime, deadline: now + lifetime,
      deviceCode: Secret(content.deviceCode), issuer: issuer, scopes: scopes,
      resources: resources, proofKey: proofKey)
  }
}
