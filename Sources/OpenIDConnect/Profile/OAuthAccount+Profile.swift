// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
import TokenStore

extension OAuthAccount {
  /// Reads who the user is, from the server's userinfo endpoint.
  ///
  /// The scopes `openid`, `email` and `profile` say how much.
  ///
  /// The profile must be that of the user who signed in, if the sign-in brought an ID token. A profile that the server signs is
  /// verified by the account's ``IDTokenVerifier``, or by one with default values, whose keys all calls share.
  ///
  /// - Parameter requiringSignature: Whether a profile that is not signed is refused: for a client that is registered for signed
  ///   ones (`userinfo_signed_response_alg`).
  /// - Throws: What ``UserProfile/read(from:transport:subject:verifier:requiringSignature:)`` throws; `TokenStorageError`.
  public func profile(requiringSignature: Bool = false) async throws -> UserProfile {
    let subject = try await storedToken?.idToken.flatMap { IDTokenClaims.subject(ofVerified: $0) }
    let origins = Set([client.server.userinfoEndpoint.flatMap { Origin($0) }].compactMap(\.self))
    return try await UserProfile.read(
      from: client.server, transport: transport(for: origins), subject: subject, verifier: idTokenVerifier,
      requiringSignature: requiringSignature)
  }

  private var idTokenVerifier: IDTokenVerifier {
    if let verifier = verifier as? IDTokenVerifier { return verifier }
    let client = client
    return client.companions.value { IDTokenVerifier(of: client) }
  }
}

extension IDTokenVerifier {
  /// A verifier with default values.
  fileprivate init(of client: OAuthClient) {
    self.init(client: client, transport: client.transport, clock: client.clock)
  }
}
