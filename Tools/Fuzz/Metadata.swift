// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthResources

/// Tests any bytes as the metadata of a server and of a protected resource.
///
/// Accepted metadata have the requested issuer, and only endpoints with https or on this machine. They match a plain parser's
/// result, and survive encoding and decoding.
func fuzz(_ bytes: [UInt8]) {
  let transport = OneResponse(HTTPResponse(status: 200, body: bytes))
  let plain = try? JSONValue(json: bytes, requiringUniqueNames: true)
  switch wait(for: { try await ServerMetadata.discover(issuer: issuer, transport: transport) }) {
  case .success(let metadata):
    precondition(metadata.issuer == issuer)
    let endpoints =
      [
        metadata.tokenEndpoint, metadata.authorizationEndpoint, metadata.revocationEndpoint, metadata.userinfoEndpoint,
        metadata.jwksURI, metadata.deviceAuthorizationEndpoint, metadata.pushedAuthorizationRequestEndpoint,
        metadata.introspectionEndpoint, metadata.registrationEndpoint, metadata.endSessionEndpoint,
      ].compactMap(\.self) + (metadata.mtlsEndpointAliases ?? [:]).values
    for url in endpoints {
      precondition(Origin(url).map { $0.scheme == "https" || $0.isLoopback } == true)
    }
    if let plain {
      precondition(plain["issuer"]?.string == issuer)
      precondition(plain["token_endpoint"]?.string.flatMap { URL(string: $0) } == metadata.tokenEndpoint)
    }
    precondition((try? JSONDecoder().decode(ServerMetadata.self, from: JSONEncoder().encode(metadata))) == metadata)
  case .failure(let error): precondition(error is OAuthError)
  }
  guard let resource = URL(string: issuer) else { return }
  switch wait(for: { try await ProtectedResourceMetadata.discover(for: resource, transport: transport) }) {
  case .success(let metadata):
    if let plain { precondition(plain["resource"]?.string != nil) }
    precondition(metadata.authorizationServers.allSatisfy { !$0.isEmpty })
  case .failure(let error): precondition(error is OAuthError)
  }
}

private let issuer = "https://login.example"
