// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A transport that adds the bearer token to every request, and heals a rejected one.
///
/// To whoever sends through it, authorized HTTP is just another transport. The token goes to the named origins only, over
/// https or loopback; a request to any other origin fails before it is sent. An answer of 401 leads to one new token and one
/// more attempt, and requests that are rejected at the same time share that one new token.
public struct AuthorizedTransport: Transport {
  private let base: any Transport
  private let tokens: any TokenSource
  private let origins: Set<Origin>
  /// The allowed origins as a URL starts with them.
  private let prefixes: [String]

  /// Creates an authorized transport.
  ///
  /// - Parameters:
  ///   - base: The transport that sends.
  ///   - tokens: Where access tokens come from.
  ///   - origins: The origins that may see the token.
  public init(wrapping base: some Transport, tokens: some TokenSource, origins: Set<Origin>) {
    self.base = base
    self.tokens = tokens
    self.origins = origins.filter(\.isSecure)
    prefixes = self.origins.map(\.description)
  }

  /// Sends `request` with a bearer token ([RFC 6750 § 2.1](https://www.rfc-editor.org/rfc/rfc6750.html#section-2.1)).
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/originNotAllowed``; whatever the token source and the base
  ///   transport throw.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard mayBearToken(request.url) else {
      throw OAuthError(
        .originNotAllowed,
        "The access token may not be sent to this address. Name its origin when you make the transport; it must be https."
      )
    }
    let token = try await tokens.accessToken()
    let response = try await base.send(request.bearing(token))
    // After a redirect to another origin, which does not see the token, the response says nothing about it.
    guard response.status == 401, response.redirectedOrigin == nil else { return response }
    let replacement = try await tokens.accessToken(replacing: token)
    return try await base.send(request.bearing(replacement))
  }
}

extension AuthorizedTransport {
  /// Whether the token may be sent to `url`.
  ///
  /// Parsing a URL takes as long as all the rest, and nearly every URL starts with an allowed origin as it is written. The
  /// authority ends at the first `/`, `?` or `#` ([RFC 3986 § 3.2](https://www.rfc-editor.org/rfc/rfc3986.html#section-3.2)),
  /// so that a URL with one of them right after the origin has no user name, no longer host and no other port. All other
  /// URLs are parsed.
  private func mayBearToken(_ url: URL) -> Bool {
    let text = url.absoluteString
    for prefix in prefixes where text.hasPrefix(prefix) {
      switch text.utf8.dropFirst(prefix.utf8.count).first {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
      default: break
      }
    }
    return Origin(url).map(origins.contains) ?? false
  }
}

extension HTTPRequest {
  fileprivate func bearing(_ token: AccessToken) -> HTTPRequest {
    var request = self
    request.fields["Authorization"] = "Bearer \(token.value.reveal())"
    return request
  }
}

extension Transport {
  /// Returns a transport that adds a bearer token to every request.
  ///
  /// See ``AuthorizedTransport``.
  ///
  /// - Parameters:
  ///   - tokens: Where access tokens come from.
  ///   - origins: The origins that may see the token.
  public func authorized(by tokens: some TokenSource, for origins: Set<Origin>) -> AuthorizedTransport {
    AuthorizedTransport(wrapping: self, tokens: tokens, origins: origins)
  }
}
