// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DeviceAuthorization {
  /// The successful response of a device authorization endpoint.
  private struct Response: Decodable {
    let deviceCode: String
    let userCode: String
    let verificationURI: URL
    let verificationURIComplete: URL?
    let lifetime: Duration?
    let interval: Duration?

    private enum CodingKeys: String, CodingKey {
      case deviceCode = "device_code"
      case userCode = "user_code"
      case verificationURI = "verification_uri"
      case verificationURIComplete = "verification_uri_complete"
      // Google's names, from drafts of the specification.
      case verificationURL = "verification_url"
      case verificationURLComplete = "verification_url_complete"
      case expiresIn = "expires_in"
      case interval
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func url(_ keys: CodingKeys...) -> URL? {
        keys.lazy.compactMap { try? container.decodeIfPresent(URL.self, forKey: $0) }
          // It is opened or shown as a code: no other scheme may come from a server.
          .first { Origin($0)?.isSecure == true }
      }
      func duration(_ key: CodingKeys) -> Duration? {
        (try? container.decodeIfPresent(ReportedDuration.self, forKey: key))?.duration
      }
      deviceCode = try container.decode(String.self, forKey: .deviceCode)
      userCode = try container.decode(String.self, forKey: .userCode)
      guard let verificationURI = url(.verificationURI, .verificationURL), !deviceCode.isEmpty, !userCode.isEmpty,
        // It is shown on a terminal.
        userCode.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
      else { throw Unusable() }
      self.verificationURI = verificationURI
      verificationURIComplete = url(.verificationURIComplete, .verificationURLComplete)
      lifetime = duration(.expiresIn)
      interval = duration(.interval)
    }
  }

  /// The reason why a response counts as missing.
  private struct Unusable: Error {}

  /// Reads a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(
    _ response: HTTPResponse, scopes: [String], resources: [URL], proofKey: ProofKey?, issuer: String, now: Timestamp
  ) throws {
    guard let content = try? JSONDecoder().decode(Response.self, from: Data(response.body)) else {
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
