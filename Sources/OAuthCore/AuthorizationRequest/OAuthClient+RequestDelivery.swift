// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

extension OAuthClient {
  /// Returns what the user's browser takes to the authorization endpoint, in place of the parameters of a request: themselves, a
  /// signed object, or the reference to a request that was pushed.
  ///
  /// - Throws: ``OAuthError``; `TransportError`; `CancellationError`.
  func delivered(_ parameters: FormFields, provenBy key: ProofKey?) async throws -> FormFields {
    var parameters = parameters
    if let signing = registration.requestSigning {
      parameters = try signed(parameters, by: signing)
    } else if server.requireSignedRequestObject == true {
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) requires signed authorization requests. Set the registration's requestSigning.")
    }
    guard registration.pushesAuthorizationRequests || server.requirePushedAuthorizationRequests == true else {
      return parameters
    }
    return try await pushed(parameters, provenBy: key)
  }
}
