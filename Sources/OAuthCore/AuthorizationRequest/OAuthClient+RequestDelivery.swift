// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import PlatformFoundation
import TokenStore

extension OAuthClient {
  /// Returns the parameters of the authorization URL: those of the request, a signed request object, or the reference to a pushed
  /// request.
  ///
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  @concurrent func delivered(_ parameters: FormFields, provenBy key: ProofKey?) async throws -> FormFields {
    var delivered = parameters
    if let signing = registration.requestSigning {
      delivered = try signed(parameters, by: signing)
    } else if server.requireSignedRequestObject == true {
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) requires signed authorization requests. Set the registration's requestSigning.")
    }
    guard registration.pushesAuthorizationRequests || server.requirePushedAuthorizationRequests == true else {
      // OpenID Connect Core § 6.1: an OpenID request repeats these parameters outside the signed object. Servers that follow
      // RFC 9101 ignore them there.
      if delivered["request"] != nil, parameters["nonce"] != nil {
        for name in ["response_type", "scope"] { delivered[name] = parameters[name] }
      }
      return delivered
    }
    return try await pushed(delivered, provenBy: key)
  }
}

extension OAuthClient {
  /// Sends an authorization request to the server and returns the reference to it
  /// ([RFC 9126 § 2](https://www.rfc-editor.org/rfc/rfc9126.html#section-2)).
  func pushed(_ parameters: FormFields, provenBy key: ProofKey?) async throws -> FormFields {
    guard let endpoint = server.pushedAuthorizationRequestEndpoint else {
      throw OAuthError(
        .unsupported,
        "\(server.name) has no endpoint for pushed authorization requests. Complete its metadata, or turn off pushed requests."
      )
    }
    let response = try await post(parameters, to: endpoint, provenBy: key)
    guard let requestURI = response["request_uri"]?.string, !requestURI.isEmpty else {
      throw OAuthError(
        .invalidResponse, "The response of \(server.name) to the pushed authorization request has no request_uri.")
    }
    return ["client_id": registration.clientID, "request_uri": requestURI]
  }
}
