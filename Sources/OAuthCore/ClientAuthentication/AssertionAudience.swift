// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What names the authorization server in the `aud` of a client's signed assertion
/// ([RFC 7523 § 3](https://www.rfc-editor.org/rfc/rfc7523.html#section-3)).
public enum AssertionAudience: Sendable, Hashable {
  /// The issuer identifier.
  ///
  /// An assertion for it cannot be used at another server.
  case issuer
  /// The URL of the token endpoint, whatever endpoint the request is for.
  case tokenEndpoint
  /// A name of the server's own.
  case custom(String)

  /// Returns the audience as it is written for a server.
  func name(of server: ServerMetadata) -> String {
    switch self {
    case .issuer: server.issuer
    case .tokenEndpoint: server.tokenEndpoint.absoluteString
    case .custom(let name): name
    }
  }
}
