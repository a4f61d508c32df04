// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import PlatformFoundation

extension ServerMetadata {
  /// Reads a server's metadata from its well-known URLs.
  ///
  /// The client reads up to three URLs in this order:
  /// 1. The URL of OpenID Connect, which is appended to the issuer.
  /// 2. The URL of RFC 8414, which is inserted before the issuer's path. It is read if the first document is missing, or if it omits the
  ///    authorization, token or revocation endpoint, the client authentication methods, or the support for `iss`. Its members are added
  ///    to those of the first document.
  /// 3. The URL of OpenID Connect, inserted before the issuer's path. It is read if both documents are missing and the issuer has a path.
  ///
  /// Any response other than a document lets the search continue. Redirects to another origin are not followed.
  /// Endpoints can be at other origins than the issuer, as Google's are. A server on the internet cannot name an
  /// endpoint on this machine or in a private network. A server in such a network can name other endpoints there.
  /// Malformed and empty optional members, and insecure optional endpoints, are ignored.
  ///
  /// - Parameters:
  ///   - issuer: The issuer's identifier, such as `https://accounts.google.com`.
  ///   - transport: The transport for all requests.
  /// - Returns: The metadata. Their `issuer` equals the requested one, except for a slash after an issuer without a path. The
  ///   slash follows the server's own spelling ([RFC 3986 § 6.2.3](https://www.rfc-editor.org/rfc/rfc3986.html#section-6.2.3)).
  /// - Throws: `TransportError`, `CancellationError`, or ``OAuthError`` with one of these codes:
  ///   - ``OAuthError/Code/invalidConfiguration``: The issuer, the authorization endpoint or the token endpoint is neither an
  ///     https URL nor at loopback.
  ///   - ``OAuthError/Code/issuerMismatch``: The server names another issuer.
  ///   - ``OAuthError/Code/serverUnavailable``: No URL has valid metadata, and a server is temporarily unavailable.
  ///   - ``OAuthError/Code/invalidResponse``: No URL has valid metadata, and the message contains each URL and its response. Or the
  ///     metadata name no token endpoint, or an endpoint in a more private network than the server.
  public static func discover(issuer: String, transport: some Transport) async throws -> ServerMetadata {
    var documents: [Document] = []
    var search = MetadataSearch()
    for (index, url) in try wellKnownURLs(of: issuer).enumerated() where index < 2 || documents.isEmpty {
      do {
        // The short timeout keeps a second URL without a response from delaying the result of the first one.
        guard
          let document = try await search.read(
            url, as: Document.self, timeout: documents.isEmpty ? nil : .seconds(10), through: transport)
        else { continue }
        // RFC 8414 § 3.3: the issuer must be identical. Otherwise, the document belongs to another server.
        guard isSameIssuer(document.issuer, issuer) else { throw mismatch(document.issuer, asked: issuer) }
        documents.append(document)
        if document.isComplete { break }
      } catch  where !documents.isEmpty && !(error is CancellationError) {
        // The first document is sufficient without the second one.
      }
    }
    guard let first = documents.first else {
      throw search.error(searchingFor: shown(issuer), remedy: "Check the issuer, or specify the server's endpoints.")
    }
    guard let metadata = documents.dropFirst().reduce(first, { $0.filled(from: $1) }).metadata else {
      throw OAuthError(
        .invalidResponse,
        "The metadata of \(shown(issuer)) has no valid token_endpoint. Specify the server's endpoints.")
    }
    try metadata.validate()
    try metadata.checkNamedURLs()
    return metadata
  }

  private static func shown(_ issuer: String) -> String { OAuthError.printable(issuer, limit: 200) }

  private static func mismatch(_ issuer: String, asked: String) -> OAuthError {
    guard issuer == asked + "/" || issuer + "/" == asked else {
      return OAuthError(
        .issuerMismatch,
        "The metadata of \(shown(asked)) names another issuer, \(shown(issuer)). Use the issuer that the server names, if you trust it."
      )
    }
    return OAuthError(
      .issuerMismatch,
      "The server's issuer is \(shown(issuer)), which differs from \(shown(asked)) by a trailing slash. Use the server's form."
    )
  }

  private static func wellKnownURLs(of issuer: String) throws -> [URL] {
    guard let url = URL(string: issuer), let origin = Origin(url) else {
      throw OAuthError(
        .invalidConfiguration,
        "The issuer \(shown(issuer)) is not a URL. Write it with its scheme, such as https://login.example.")
    }
    guard origin.isSecure else {
      throw OAuthError(
        .invalidConfiguration,
        "The issuer \(shown(issuer)) is not an https URL. Plain http is allowed for loopback only.")
    }
    guard url.query() == nil, url.fragment() == nil else {
      throw OAuthError(
        .invalidConfiguration, "The issuer \(shown(issuer)) has a query or a fragment. Remove it.")
    }
    var path = url.path(percentEncoded: true)
    guard !path.hasSuffix("/.well-known/openid-configuration") else {
      throw OAuthError(
        .invalidConfiguration,
        "\(shown(issuer)) is the URL of an issuer's metadata. Remove /.well-known/openid-configuration from the issuer."
      )
    }
    if path.hasSuffix("/") { path.removeLast() }
    var paths = ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"]
    if !path.isEmpty { paths.append("/.well-known/openid-configuration\(path)") }
    return paths.compactMap { URL(string: origin.description + $0) }
  }
}

extension ServerMetadata {
  /// A metadata document as published, in which only the issuer is required.
  struct Document: MetadataDocument {
    static let identifier = CodingKeys.issuer.rawValue
    let issuer: String
    private var tokenEndpoint: URL?
    /// The other members, with a placeholder for the token endpoint.
    private var optional: ServerMetadata

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      issuer = try container.decode(String.self, forKey: .issuer)
      // `validate()` checks later that the token endpoint is secure.
      tokenEndpoint = try? container.decodeIfPresent(URL.self, forKey: .tokenEndpoint)
      optional = ServerMetadata(issuer: issuer, tokenEndpoint: tokenEndpoint ?? URL(filePath: "/"))
      optional.read(container)
    }

    /// Whether this document contains all members for which the second URL is read.
    var isComplete: Bool {
      tokenEndpoint != nil && optional.authorizationEndpoint != nil && optional.revocationEndpoint != nil
        && optional.tokenEndpointAuthMethodsSupported != nil
        && optional.authorizationResponseIssParameterSupported != nil
    }

    /// Returns this document with its missing members taken from `other`.
    func filled(from other: Document) -> Document {
      var filled = self
      filled.tokenEndpoint = tokenEndpoint ?? other.tokenEndpoint
      filled.optional.fill(from: other.optional)
      return filled
    }

    /// The metadata, or `nil` if the token endpoint is missing.
    var metadata: ServerMetadata? {
      guard let tokenEndpoint else { return nil }
      var metadata = optional
      metadata.tokenEndpoint = tokenEndpoint
      return metadata
    }
  }
}
