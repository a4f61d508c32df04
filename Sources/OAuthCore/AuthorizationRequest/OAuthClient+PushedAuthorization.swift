// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OAuthClient {
  /// Sends an authorization request to the server, and returns the reference to it
  /// ([RFC 9126 § 2](https://www.rfc-editor.org/rfc/rfc9126.html#section-2)).
  func pushed(_ parameters: FormFields, provenBy key: ProofKey?) async throws -> FormFields {
    guard let endpoint = server.pushedAuthorizationRequestEndpoint else {
      throw OAuthError(
        .unsupported,
        "\(server.name) has no endpoint for pushed authorization requests. Complete its metadata, or do not push them.")
    }
    let response = try await post(parameters, to: endpoint, provenBy: key)
    guard let pushed = try? JSONDecoder().decode(PushedRequest.self, from: Data(response.body)),
      !pushed.requestURI.isEmpty
    else {
      throw OAuthError(
        .invalidResponse, "The response of \(server.name) to the pushed authorization request has no request_uri.")
    }
    return ["client_id": registration.clientID, "request_uri": pushed.requestURI]
  }
}

/// The successful response to a pushed authorization request.
private struct PushedRequest: Decodable {
  let requestURI: String

  private enum CodingKeys: String, CodingKey { case requestURI = "request_uri" }
}
