// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
public import OAuthScope
public import PlatformFoundation

/// The metadata of a protected resource ([RFC 9728 § 2](https://www.rfc-editor.org/rfc/rfc9728.html#section-2)).
public struct ProtectedResourceMetadata: Sendable, Hashable {
  /// The resource's identifier, an https URL, or http to loopback, without a fragment.
  public let resource: URL
  /// The issuers of the authorization servers whose tokens the resource accepts.
  public let authorizationServers: [String]
  /// The scopes listed by the resource.
  public let scopesSupported: [Scope]
  /// The resource's name, for display.
  public let name: String?
  /// Whether the resource accepts only key-bound tokens ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  public let requiresDPoP: Bool
}

extension ProtectedResourceMetadata {
  /// Reads the metadata of a resource.
  ///
  /// If the resource's challenge contains a metadata URL, this URL is read first, then the well-known URLs: with the
  /// resource's path, then without it ([RFC 9728 § 3.1](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.1)). A
  /// challenge cannot name a URL on this machine or in a private network unless the resource is there, too.
  ///
  /// The search continues after any response other than the document, such as status 401 or a web page. It ends with an error at a
  /// document of another resource, and at a server that is temporarily unavailable: the next URL could name another authorization
  /// server.
  ///
  /// - Parameters:
  ///   - url: The URL of the resource.
  ///   - challenge: The challenge of the resource, if there is one.
  ///   - transport: The transport for all requests.
  /// - Throws: `TransportError`, `CancellationError`, or `OAuthError` with one of these codes:
  ///   - `invalidConfiguration`: The URL is neither https nor at loopback, or has a fragment.
  ///   - `resourceMismatch`: The metadata belongs to another resource.
  ///   - `invalidResponse`: There is no valid metadata. The message contains each URL and its response.
  ///   - `serverUnavailable`: The server is temporarily unavailable.
  public static func discover(
    for url: URL, challenge: TokenChallenge? = nil, transport: some Transport
  ) async throws -> ProtectedResourceMetadata {
    guard let origin = Origin(url), origin.isSecure, url.fragment() == nil else {
      throw OAuthError(
        .invalidConfiguration,
        "The resource \(shown(url)) is not an https URL without a fragment. Plain http is allowed for loopback only."
      )
    }
    var search = MetadataSearch()
    let named = challenge?.resourceMetadata
    if let named {
      try ServerURL.resourceMetadata.check(named, namedBy: origin)
      if let found = try await read(named, &search, transport) {
        // § 3.3: metadata from a challenge must belong to the requested URL, or to one above it.
        guard url.isAtOrBelow(found.resource) else { throw mismatch(found, url) }
        return found
      }
      guard !search.isInterrupted else { throw failure(of: search, url) }
    }
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    let suffix = (path == "/" ? "" : path) + query
    for suffix in suffix.isEmpty ? [""] : [suffix, ""] {
      guard let wellKnown = URL(string: "\(origin)/.well-known/oauth-protected-resource\(suffix)"), wellKnown != named,
        let identifier = URL(string: "\(origin)\(suffix)")
      else { continue }
      if let found = try await read(wellKnown, &search, transport) {
        guard found.resource.isSameResource(as: identifier) else {
          throw found.resource == url ? misplaced(wellKnown, url, at: origin) : mismatch(found, url)
        }
        return found
      }
      // The origin's document can name another server than the path's document. An outage must not decide between them.
      guard !search.isInterrupted else { break }
    }
    throw failure(of: search, url)
  }

  private static func failure(of search: MetadataSearch, _ url: URL) -> OAuthError {
    search.error(searchingFor: "The resource \(shown(url))", remedy: "Specify its authorization server.")
  }

  private static func mismatch(_ found: ProtectedResourceMetadata, _ url: URL) -> OAuthError {
    let difference = shown(found.resource) == shown(url) ? " Their queries, users or fragments differ." : ""
    return OAuthError(
      .resourceMismatch,
      "The metadata belongs to \(shown(found.resource)), not to the resource \(shown(url)).\(difference)")
  }

  /// Returns the error for metadata of the right resource at another resource's well-known URL
  /// ([RFC 9728 § 3.3](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.3)).
  private static func misplaced(_ wellKnown: URL, _ url: URL, at origin: Origin) -> OAuthError {
    let path = OAuthError.printable(url.path(percentEncoded: true), limit: 200)
    return OAuthError(
      .resourceMismatch,
      "The metadata of the resource \(shown(url)) is at \(shown(wellKnown)), where only that of \(origin) is accepted (RFC 9728 § 3.3). The resource must publish it at \(origin)/.well-known/oauth-protected-resource\(path), or name its URL in the challenge."
    )
  }

  /// Returns a URL for messages, without its query, whose content is unknown.
  private static func shown(_ url: URL) -> String {
    OAuthError.printable((Origin(url)?.description ?? "") + url.path(percentEncoded: true), limit: 200)
  }

  /// Reads a metadata document, or returns `nil` if there is none at the URL.
  private static func read(
    _ url: URL, _ search: inout MetadataSearch, _ transport: some Transport
  ) async throws -> ProtectedResourceMetadata? {
    guard let document = try await search.read(url, as: Document.self, through: transport) else { return nil }
    return ProtectedResourceMetadata(
      resource: document.resource, authorizationServers: document.authorizationServers ?? [],
      scopesSupported: document.scopesSupported ?? [], name: document.name, requiresDPoP: document.requiresDPoP ?? false
    )
  }

  private struct Document: MetadataDocument {
    static let identifier = CodingKeys.resource.rawValue
    let resource: URL
    let authorizationServers: [String]?
    let scopesSupported: [Scope]?
    let name: String?
    let requiresDPoP: Bool?

    private enum CodingKeys: String, CodingKey {
      case resource
      case authorizationServers = "authorization_servers"
      case scopesSupported = "scopes_supported"
      case name = "resource_name"
      case requiresDPoP = "dpop_bound_access_tokens_required"
    }

    /// Decodes a document.
    ///
    /// Only the resource is required. Malformed optional members are ignored.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      resource = try container.decode(URL.self, forKey: .resource)
      authorizationServers = try? container.decodeIfPresent([String].self, forKey: .authorizationServers)
      scopesSupported = try? container.decodeIfPresent([Scope].self, forKey: .scopesSupported)
      name = try? container.decodeIfPresent(String.self, forKey: .name)
      requiresDPoP = try? container.decodeIfPresent(Bool.self, forKey: .requiresDPoP)
    }
  }
}
