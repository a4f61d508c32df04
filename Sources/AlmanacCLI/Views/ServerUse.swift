// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OAuthResources
import PlatformFoundation

/// The features of an authorization server used by Almanac, by the metadata of the server and the resource.
struct ServerUse: Encodable {
  /// The authentication methods for a client with a secret and for a public client.
  let clientAuthentication: String
  let pkce: String
  let pushedAuthorizationRequests: String
  let signedRequests: String
  let deviceAuthorization: String
  let issuerIdentification: String
  let dynamicRegistration: String
  let revocation: String
  let idToken: String
  let dpop: String

  init(_ server: ServerMetadata, resource: ProtectedResourceMetadata?) {
    let methods = server.tokenEndpointAuthMethodsSupported ?? ["client_secret_basic"]
    let secret = ["client_secret_basic", "client_secret_post", "client_secret_jwt"].first(where: methods.contains)
    let isPublic = server.tokenEndpointAuthMethodsSupported.map { $0.contains("none") }
    clientAuthentication =
      (secret.map { "\($0) for a client with a secret" } ?? "no secret: the server lists no method that uses one")
      + (isPublic == true ? "; none for a public client" : isPublic == false ? "; public clients are not listed" : "")
    let challenges = server.codeChallengeMethodsSupported
    pkce =
      switch challenges?.contains("S256") {
      case true?: "S256"
      case false?: "S256, which the server does not list and may refuse"
      case nil: "S256; the server lists no methods"
      }
    pushedAuthorizationRequests =
      server.requirePushedAuthorizationRequests == true
      ? "always: the server requires them" : server.offers(\.pushedAuthorizationRequestEndpoint)
    signedRequests =
      server.requireSignedRequestObject == true
      ? "required: the client needs a key" : "not required"
    deviceAuthorization = server.offers(\.deviceAuthorizationEndpoint, use: "sign-in --device")
    issuerIdentification =
      server.authorizationResponseIssParameterSupported == true
      ? "iss is required in every response" : "iss is checked if present"
    dynamicRegistration = server.offers(\.registrationEndpoint)
    revocation = server.offers(\.revocationEndpoint, use: "revoke")
    idToken =
      server.jwksURI == nil ? "none: the server publishes no keys" : "verified with the server's published keys"
    let proofs = server.dpopSigningAlgValuesSupported.map { "supported by the server: \($0.joined(separator: " "))" }
    let offer = proofs ?? "not listed by the server"
    dpop = resource?.requiresDPoP == true ? "required by the resource; \(offer)" : offer
  }

  var rows: [(label: String, value: String?)] {
    [
      ("Client authentication", clientAuthentication), ("PKCE", pkce),
      ("Pushed requests (PAR)", pushedAuthorizationRequests), ("Signed requests (JAR)", signedRequests),
      ("Device grant", deviceAuthorization), ("Issuer check", issuerIdentification),
      ("Registration", dynamicRegistration), ("Revocation", revocation), ("ID token", idToken), ("DPoP", dpop),
    ]
  }
}

extension ServerMetadata {
  fileprivate func offers<Endpoint>(_ endpoint: KeyPath<ServerMetadata, Endpoint?>, use: String? = nil) -> String {
    self[keyPath: endpoint] == nil ? "not offered" : "offered" + (use.map { ": \($0)" } ?? "")
  }

  /// The metadata, one member per row.
  var rows: [(label: String, value: String?)] {
    [
      ("Issuer", issuer), ("Authorization endpoint", authorizationEndpoint?.absoluteString),
      ("Token endpoint", tokenEndpoint.absoluteString), ("Revocation endpoint", revocationEndpoint?.absoluteString),
      ("Userinfo endpoint", userinfoEndpoint?.absoluteString), ("Keys", jwksURI?.absoluteString),
      ("Device endpoint", deviceAuthorizationEndpoint?.absoluteString),
      ("Pushed request endpoint", pushedAuthorizationRequestEndpoint?.absoluteString),
      ("Introspection endpoint", introspectionEndpoint?.absoluteString),
      ("Registration endpoint", registrationEndpoint?.absoluteString),
      ("Scopes", scopesSupported?.listed),
      ("Grants", grantTypesSupported?.listed),
      ("Client authentications", tokenEndpointAuthMethodsSupported?.listed),
      ("… for revocation", revocationEndpointAuthMethodsSupported?.listed),
      ("… for introspection", introspectionEndpointAuthMethodsSupported?.listed),
      ("PKCE methods", codeChallengeMethodsSupported?.listed),
    ]
  }
}

extension Array where Element: CustomStringConvertible {
  /// The elements as ``shown(separator:)`` returns them, or `nil` if there are none.
  var listed: String? { isEmpty ? nil : shown() }

  /// Returns the first 40 elements, each cut to 200 characters, and the number of the others.
  ///
  /// The limits prevent a server, which chooses the elements, from moving other lines off the screen.
  func shown(separator: String = " ") -> String {
    let limit = 40
    let shown = prefix(limit).map(\.description).map { $0.unicodeScalars.count <= 200 ? $0 : $0.prefix(200) + "…" }
    return shown.joined(separator: separator) + (count > limit ? " and \(count - limit) more" : "")
  }
}
