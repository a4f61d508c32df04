// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a protected resource says of itself ([RFC 9728 § 2](https://www.rfc-editor.org/rfc/rfc9728.html#section-2)).
public struct ProtectedResourceMetadata: Sendable, Hashable {
  /// The resource's identifier, an https URL without a fragment.
  public let resource: URL
  /// The issuers of the authorization servers whose tokens it accepts.
  public let authorizationServers: [String]
  /// The scopes that it names.
  public let scopesSupported: [String]
  /// The resource's name, for display.
  public let name: String?
  /// Whether its tokens must be bound to a key ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  public let requiresDPoP: Bool
}

extension ProtectedResourceMetadata {
  /// Reads the metadata of a resource.
  ///
  /// The URL that the resource's challenge names is read, and if there is none, the well-known URLs: with the resource's path, then
  /// without it ([RFC 9728 § 3.1](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.1)). A challenge cannot name a URL on this
  /// machine or in a private network unless the resource is there itself.
  ///
  /// - Parameters:
  ///   - url: The URL of the resource.
  ///   - demand: What the resource responded with, if it was asked before.
  ///   - transport: The transport that requests go through.
  /// - Throws: `OAuthError` with code `invalidConfiguration` for a URL that is not https (or loopback),
  ///   `resourceMismatch` if the metadata are those of another resource, `invalidResponse` if
  ///   there are none; `TransportError`; `CancellationError`.
  public static func discover(
    for url: URL, demand: TokenChallenge? = nil, transport: some Transport
  ) async throws -> ProtectedResourceMetadata {
    guard let origin = Origin(url), origin.isSecure, url.fragment() == nil else {
      throw OAuthError(
        .invalidConfiguration,
        "The resource \(shown(url)) is not an https URL without a fragment; plain http is for loopback only."
      )
    }
    if let named = demand?.resourceMetadata {
      try origin.checkMayName(named)
      guard let found = try await read(named, transport) else { throw missing(url) }
      // § 3.3: what was named in a response is of the URL that was asked, or of one above it.
      guard url.isAtOrBelow(found.resource) else { throw mismatch(found, url) }
      return found
    }
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    let suffix = (path == "/" ? "" : path) + query
    for suffix in suffix.isEmpty ? [""] : [suffix, ""] {
      guard let wellKnown = URL(string: "\(origin)/.well-known/oauth-protected-resource\(suffix)") else { continue }
      guard let found = try await read(wellKnown, transport) else { continue }
      let expected = suffix.isEmpty ? [origin.description, "\(origin)/"] : [origin.description + suffix]
      guard expected.contains(found.resource.absoluteString) else {
        throw found.resource == url ? misplaced(wellKnown, url, at: origin) : mismatch(found, url)
      }
      return found
    }
    throw missing(url)
  }

  private static func missing(_ url: URL) -> OAuthError {
    OAuthError(
      .invalidResponse, "The resource \(shown(url)) publishes no metadata. Name its authorization server yourself.")
  }

  private static func mismatch(_ found: ProtectedResourceMetadata, _ url: URL) -> OAuthError {
    OAuthError(
      .resourceMismatch, "The metadata are those of \(shown(found.resource)), which is not the resource \(shown(url)).")
  }

  /// The error for metadata of the right resource at a URL that is another resource's
  /// ([RFC 9728 § 3.3](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.3)).
  private static func misplaced(_ wellKnown: URL, _ url: URL, at origin: Origin) -> OAuthError {
    let path = OAuthError.printable(url.path(percentEncoded: true), limit: 200)
    return OAuthError(
      .resourceMismatch,
      "The metadata of the resource \(shown(url)) are at \(shown(wellKnown)), where only those of \(origin) are accepted (RFC 9728 § 3.3). The resource must publish them at \(origin)/.well-known/oauth-protected-resource\(path), or name their URL in its challenge."
    )
  }

  /// The URL in a message, without its query, which may hold anything.
  private static func shown(_ url: URL) -> String {
    OAuthError.printable((Origin(url)?.description ?? "") + url.path(percentEncoded: true), limit: 200)
  }

  /// Reads a document; `nil` if there is none at the URL.
  private static func read(_ url: URL, _ transport: some Transport) async throws -> ProtectedResourceMetadata? {
    let response = try await transport.send(
      HTTPRequest(.get, url, fields: ["Accept": "application/json"], redirectScope: .sameOrigin))
    // Another origin may not speak for the resource.
    if response.status == 404 || response.redirectedOrigin != nil { return nil }
    guard response.status == 200 else {
      throw OAuthError(
        response.isTransientFailure ? .serverUnavailable : .invalidResponse,
        "The metadata URL \(shown(url)) responded with status \(response.status).")
    }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(response.body)) else {
      throw OAuthError(
        .invalidResponse, "The content of \(shown(url)) is not the JSON that RFC 9728 § 2 describes.")
    }
    return ProtectedResourceMetadata(
      resource: document.resource, authorizationServers: document.authorizationServers ?? [],
      scopesSupported: document.scopesSupported ?? [], name: document.name, requiresDPoP: document.requiresDPoP ?? false
    )
  }

  private struct Document: Decodable {
    let resource: URL
    let authorizationServers: [String]?
    let scopesSupported: [String]?
    let name: String?
    let requiresDPoP: Bool?

    private enum CodingKeys: String, CodingKey {
      case resource
      case authorizationServers = "authorization_servers"
      case scopesSupported = "scopes_supported"
      case name = "resource_name"
      case requiresDPoP = "dpop_bound_access_tokens_required"
    }

    /// Only the resource has to be right: an odd optional member must not cost the others.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      resource = try container.decode(URL.self, forKey: .resource)
      authorizationServers = try? container.decodeIfPresent([String].self, forKey: .authorizationServers)
      scopesSupported = try? container.decodeIfPresent([String].self, forKey: .scopesSupported)
      name = try? container.decodeIfPresent(String.self, forKey: .name)
      requiresDPoP = try? container.decodeIfPresent(Bool.self, forKey: .requiresDPoP)
    }
  }
}
