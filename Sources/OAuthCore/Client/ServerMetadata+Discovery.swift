public import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServerMetadata {
  /// Reads a server's metadata from its well-known address.
  ///
  /// The OpenID Connect address, which is appended to the issuer, is asked first, then that of RFC 8414, which is inserted
  /// before the issuer's path. Endpoints may lie on other origins than the issuer, as Google's do.
  ///
  /// - Parameters:
  ///   - issuer: The issuer's identifier, such as `https://accounts.google.com`.
  ///   - transport: The transport to ask through.
  /// - Returns: The metadata, its `issuer` being the one asked for.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` for an issuer that is not an https address
  ///   (or loopback), ``OAuthError/Code/issuerMismatch`` if the server calls itself something else,
  ///   ``OAuthError/Code/invalidResponse`` if neither address holds metadata; `TransportError`; `CancellationError`.
  public static func discover(issuer: String, transport: some Transport) async throws -> ServerMetadata {
    var last: OAuthError?
    for address in try wellKnownAddresses(of: issuer) {
      let response = try await transport.send(HTTPRequest(.get, address, fields: ["Accept": "application/json"]))
      guard response.status == 200 else {
        // That an address failed for the moment says more than that the other one does not exist.
        if last?.code != .serverUnavailable {
          last = OAuthError(
            response.isPassingFault ? .serverUnavailable : .invalidResponse,
            "The issuer's metadata address answered with status \(response.status).")
        }
        continue
      }
      guard let metadata = try? JSONDecoder().decode(ServerMetadata.self, from: Data(response.body)) else {
        last = OAuthError(.invalidResponse, "The issuer's metadata is not the JSON that RFC 8414 § 2 describes.")
        continue
      }
      // RFC 8414 § 3.3: the issuer must be identical, or the document is somebody else's.
      guard metadata.issuer == issuer else {
        throw OAuthError(.issuerMismatch, "The metadata names another issuer than the one asked for.")
      }
      try metadata.validate()
      return metadata
    }
    throw last ?? OAuthError(.invalidResponse, "The issuer publishes no metadata.")
  }

  private static func wellKnownAddresses(of issuer: String) throws -> [URL] {
    guard let url = URL(string: issuer), let origin = Origin(url), origin.isSecure, url.query() == nil,
      url.fragment() == nil
    else {
      throw OAuthError(
        .invalidConfiguration,
        "An issuer is an https address without query and fragment; plain http is for loopback only.")
    }
    var path = url.path(percentEncoded: true)
    if path.hasSuffix("/") { path.removeLast() }
    return ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"]
      .compactMap { URL(string: origin.description + $0) }
  }
}
