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
  /// verified by the account's ``IDTokenVerifier``, or by one with default values.
  ///
  /// - Throws: What ``UserProfile/read(from:transport:subject:verifier:)`` throws; `TokenStorageError`.
  public func profile() async throws -> UserProfile {
    let subject = try await storedToken?.idToken.flatMap { IDTokenClaims.subject(ofVerified: $0) }
    let origins = Set([client.server.userinfoEndpoint.flatMap { Origin($0) }].compactMap(\.self))
    return try await UserProfile.read(
      from: client.server, transport: transport(for: origins), subject: subject, verifier: idTokenVerifier)
  }

  private var idTokenVerifier: IDTokenVerifier {
    verifier as? IDTokenVerifier
      ?? IDTokenVerifier(client: client, transport: client.transport, clock: client.clock)
  }
}
