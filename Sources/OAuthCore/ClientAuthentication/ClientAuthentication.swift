// SPDX-License-Identifier: Apache-2.0

/// A method by which a client authenticates to its authorization server
/// ([RFC 6749 § 2.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3)).
///
/// Use ``clientSecret(_:)`` for a client with a secret and ``none`` for a public client. The other built-in methods are
/// ``clientSecretPost(_:)``, ``clientSecretBasic(_:)``, ``clientSecretBasicUnencoded(_:)``, ``clientSecretJWT(_:)``,
/// ``privateKeyJWT(_:)``, ``tlsClientCertificate`` and ``appleClientSecret(teamID:keyID:key:)``. A custom method adds
/// the parameters and fields required by the server:
///
/// ```swift
/// struct AttestedClient: ClientAuthentication {
///   let attestation: Secret
///   func authenticate(_ request: inout TokenRequest) async throws {
///     request.parameters["client_id"] = request.clientID
///     request.fields["OAuth-Client-Attestation"] = attestation.reveal()
///     request.secrets.append(attestation)
///   }
/// }
/// ```
public protocol ClientAuthentication: Sendable {
  /// Adds the client's identifier and credentials to a request.
  ///
  /// The client calls this method once for every request, and once before it shows a page to the user. A client that
  /// cannot authenticate then fails early. Any number of tasks can call the method concurrently. Add every secret value
  /// to ``TokenRequest/secrets``.
  ///
  /// - Parameter request: The request, complete except for the client's identifier and credentials.
  /// - Throws: Any error. The request is then not sent.
  func authenticate(_ request: inout TokenRequest) async throws
}
