// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support
import Synchronization
import Timekeeping

/// The claims of a signed assertion ([RFC 7523 § 3](https://www.rfc-editor.org/rfc/rfc7523.html#section-3)).
struct Assertion: Decodable {
  let issuer: String
  let subject: String
  private let audience: Audience
  private let expiresAt: Int64
  private let issuedAt: Int64?
  private let notBefore: Int64?
  let identifier: String
  let scope: String?

  private enum CodingKeys: String, CodingKey {
    case issuer = "iss"
    case subject = "sub"
    case audience = "aud"
    case expiresAt = "exp"
    case issuedAt = "iat"
    case notBefore = "nbf"
    case identifier = "jti"
    case scope
  }

  private struct Audience: Decodable {
    let names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
    }
  }

  /// The maximum time from now until an assertion expires.
  static let longestLifetime = Duration.seconds(3600)

  /// Decodes the claims of an assertion whose signature was verified.
  ///
  /// Returns `nil` if a required claim is missing.
  init?(_ claims: [UInt8]) {
    guard JSONValue.members(of: claims) != nil, let read = try? JSONDecoder().decode(Self.self, from: Data(claims))
    else {
      return nil
    }
    self = read
  }

  /// The time after which the assertion has expired and the record of its use is removed.
  var deadline: Timestamp { Timestamp(secondsSince1970: expiresAt) }

  /// Whether the assertion is valid at a time, for a server with these names.
  func isValid(at now: Timestamp, for names: [String]) -> Bool {
    let instant = { (seconds: Int64?) in seconds.map { Timestamp(secondsSince1970: $0) } ?? now }
    return audience.names.contains(where: names.contains) && now < deadline
      && deadline <= now + Self.longestLifetime && instant(issuedAt) <= now && instant(notBefore) <= now
      && !identifier.isEmpty
  }
}

extension AuthorizationServer {
  /// Records the use of an assertion, and returns whether it is the first use.
  func isFirstUse(of assertion: Assertion, at server: ServerProfile) -> Bool {
    let now = clock.now
    return state.withLock {
      $0.issued[server.realm, default: .init()].assertions.addFirst(
        true, for: "\(assertion.issuer) \(assertion.identifier)", until: assertion.deadline, now: now)
    }
  }
}
