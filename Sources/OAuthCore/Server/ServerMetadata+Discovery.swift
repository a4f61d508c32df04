// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServerMetadata {
  /// Reads a server's metadata from its well-known URLs.
  ///
  /// The URL of OpenID Connect, which is appended to the issuer, is read first. The URL of RFC 8414, which is inserted before the
  /// issuer's path, is read if the first has no metadata or leaves out an endpoint or a property that this package uses, and
  /// then adds what is missing. For an issuer with a path, the URL of OpenID Connect with the path at the end is read if neither has
  /// metadata. No redirect to another origin is followed. Endpoints may be at other origins than the issuer, as Google's are. An optional member of the
  /// wrong form, or an optional endpoint that is not secure, counts as missing.
  ///
  /// - Parameters:
  ///   - issuer: The issuer's identifier, such as `https://accounts.google.com`.
  ///   - transport: The transport that requests go through.
  /// - Returns: The metadata, its `issuer` being the one requested.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` for an issuer that is not an https URL
  ///   (or loopback), ``OAuthError/Code/issuerMismatch`` if the server names another issuer,
  ///   ``OAuthError/Code/invalidResponse`` if neither URL has metadata; `TransportError`; `CancellationError`.
  public static func discover(issuer: String, transport: some Transport) async throws -> ServerMetadata {
    var documents: [Document] = []
    var failures: [Failure] = []
    for (index, url) in try wellKnownURLs(of: issuer).enumerated() where index < 2 || documents.isEmpty {
      do {
        let document = try await read(url, issuer: issuer, transport: transport, isFirst: documents.isEmpty)
        documents.append(document)
        if document.isComplete { break }
      } catch let failure as Failure {
        failures.append(failure)
      } catch  where !documents.isEmpty && !(error is CancellationError) {
        // The first document does without the second one.
      }
    }
    guard let first = documents.first else { throw Failure.toReport(failures, of: issuer) }
    guard let metadata = documents.dropFirst().reduce(first, { $0.filled(from: $1) }).metadata else {
      throw malformed(issuer)
    }
    try metadata.validate()
    return metadata
  }

  /// A URL that has no metadata.
  private struct Failure: Error {
    let error: OAuthError
    /// Whether the URL exists at all.
    let isFound: Bool

    /// The first failure; but one that may pass, or a document that cannot be used, explains more than a URL that does not
    /// exist.
    static func toReport(_ failures: [Failure], of issuer: String) -> OAuthError {
      (failures.first(where: \.isFound) ?? failures.first)?.error ?? malformed(issuer)
    }
  }

  private static func malformed(_ issuer: String) -> OAuthError {
    OAuthError(
      .invalidResponse,
      "The metadata of \(OAuthError.printable(issuer, limit: 200)) is not the JSON that RFC 8414 § 2 describes.")
  }

  private static func read(
    _ url: URL, issuer: String, transport: some Transport, isFirst: Bool
  ) async throws -> Document {
    // A server that does not respond at the second URL must not hold up what the first one has said.
    let response = try await transport.send(
      HTTPRequest(
        .get, url, fields: ["Accept": "application/json"], timeout: isFirst ? nil : .seconds(10),
        redirectScope: .sameOrigin))
    guard response.redirectedOrigin == nil else {
      throw Failure(
        error: OAuthError(
          .invalidResponse, "The metadata URL \(url.absoluteString) redirects to another origin, which is not believed."
        ),
        isFound: true)
    }
    guard response.status == 200 else {
      throw Failure(
        error: OAuthError(
          response.isTransientFailure ? .serverUnavailable : .invalidResponse,
          "The metadata URL \(url.absoluteString) responded with status \(response.status)."),
        isFound: response.status != 404)
    }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(response.body)) else {
      throw Failure(error: malformed(issuer), isFound: true)
    }
    // RFC 8414 § 3.3: the issuer must be identical, or the document is that of another server.
    guard document.issuer == issuer else { throw mismatch(document.issuer, asked: issuer) }
    return document
  }

  private static func mismatch(_ issuer: String, asked: String) -> OAuthError {
    guard issuer == asked + "/" || issuer + "/" == asked else {
      return OAuthError(
        .issuerMismatch,
        "The metadata of \(OAuthError.printable(asked, limit: 200)) names another issuer, \(OAuthError.printable(issuer, limit: 200)). Use the issuer that the server names, if you trust it."
      )
    }
    return OAuthError(
      .issuerMismatch,
      "The server calls itself \(OAuthError.printable(issuer, limit: 200)), which differs from \(OAuthError.printable(asked, limit: 200)) by the slash at the end. Use the server's spelling."
    )
  }

  private static func wellKnownURLs(of issuer: String) throws -> [URL] {
    guard let url = URL(string: issuer), let origin = Origin(url), origin.isSecure, url.query() == nil,
      url.fragment() == nil
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The issuer \(OAuthError.printable(issuer, limit: 200)) is not an https URL without query and fragment; plain http is for loopback only."
      )
    }
    var path = url.path(percentEncoded: true)
    if path.hasSuffix("/") { path.removeLast() }
    var paths = ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"]
    if !path.isEmpty { paths.append("/.well-known/openid-configuration\(path)") }
    return paths.compactMap { URL(string: origin.description + $0) }
  }
}

extension ServerMetadata {
  /// A metadata document as published: only the issuer has to be there.
  struct Document: Decodable {
    let issuer: String
    private var tokenEndpoint: URL?
    /// Everything else, its token endpoint being a stand-in.
    private var optional: ServerMetadata

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      issuer = try container.decode(String.self, forKey: .issuer)
      // It is required; that it is secure is checked with the rest, and reported.
      tokenEndpoint = try? container.decodeIfPresent(URL.self, forKey: .tokenEndpoint)
      optional = ServerMetadata(issuer: issuer, tokenEndpoint: tokenEndpoint ?? URL(filePath: "/"))
      optional.read(container)
    }

    /// Whether another document could add nothing that is used.
    var isComplete: Bool {
      tokenEndpoint != nil && optional.authorizationEndpoint != nil && optional.revocationEndpoint != nil
        && optional.tokenEndpointAuthMethodsSupported != nil
        && optional.authorizationResponseIssParameterSupported != nil
    }

    /// Returns this document with what it lacks taken from `other`.
    func filled(from other: Document) -> Document {
      var filled = self
      filled.tokenEndpoint = tokenEndpoint ?? other.tokenEndpoint
      filled.optional.fill(from: other.optional)
      return filled
    }

    /// The metadata; `nil` if the token endpoint is missing.
    var metadata: ServerMetadata? {
      guard let tokenEndpoint else { return nil }
      var metadata = optional
      metadata.tokenEndpoint = tokenEndpoint
      return metadata
    }
  }
}
