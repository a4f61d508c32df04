// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Provider {
  /// Reads the metadata of a realm of Keycloak
  /// ([OIDC layers](https://www.keycloak.org/securing-apps/oidc-layers)).
  ///
  /// - Parameters:
  ///   - url: Where Keycloak is, such as `https://login.example.com`; up to version 16 with `/auth` at the end.
  ///   - realm: The realm.
  ///   - transport: The transport that the request goes through.
  /// - Throws: ``OAuthError``; `TransportError`; `CancellationError`.
  public static func keycloak(at url: URL, realm: String, transport: some Transport) async throws -> Provider {
    guard !realm.isEmpty, !realm.contains("/") else {
      throw OAuthError(.invalidConfiguration, "A realm is named by its name alone, such as master.")
    }
    var base = url.absoluteString
    if base.hasSuffix("/") { base.removeLast() }
    return Provider(
      name: "Keycloak",
      server: try await .discover(
        issuer: "\(base)/realms/\(FormEncoding.query.encode(realm))", transport: transport))
  }
}
