// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OAuthResources

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Almanac does with an authorization server, by the metadata of the server and of the resource.
struct ServerUse: Encodable {
  /// How a client without a secret authenticates, and one with a secret.
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
      case false?: "S256, which the server does not list: it may refuse"
      case nil: "S256; the server does not say what it supports"
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
      ? "the iss of every response is required" : "iss is compared if it is there"
    dynamicRegistration = server.offers(\.registrationEndpoint)
    revocation = server.offers(\.revocationEndpoint, use: "revoke")
    idToken =
      server.jwksURI == nil ? "none: the server publishes no keys" : "verified with the keys that the server publishes"
    let proofs = server.dpopSigningAlgValuesSupported.map { "supported by the server: \($0.joined(separator: " "))" }
    let offer = proofs ?? "the server does not say that it supports it"
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

  /// The metadata, one member a row.
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

extension [String] {
  /// The elements, separated by spaces; `nil` if there are none.
  var listed: String? { isEmpty ? nil : joined(separator: " ") }
}
