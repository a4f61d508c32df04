// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import PlatformFoundation

extension Provider {
  /// Reads the metadata of a Keycloak realm
  /// ([OIDC layers](https://www.keycloak.org/securing-apps/oidc-layers)).
  ///
  /// - Parameters:
  ///   - url: The base URL of Keycloak, such as `https://login.example.com`. Up to version 16, it ends with `/auth`.
  ///   - realm: The realm's name.
  ///   - transport: The transport for the request.
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  public static func keycloak(at url: URL, realm: String, transport: some Transport) async throws -> Provider {
    guard !realm.isEmpty, !realm.contains("/") else {
      throw OAuthError(.invalidConfiguration, "The realm must be a name without slashes, such as master.")
    }
    var base = url.absoluteString
    if base.hasSuffix("/") { base.removeLast() }
    return Provider(
      name: "Keycloak",
      server: try await .discover(
        issuer: "\(base)/realms/\(FormEncoding.query.encode(realm))", transport: transport))
  }
}
