// SPDX-License-Identifier: Apache-2.0

/// Authenticates a client to its authorization server
/// ([RFC 6749 § 2.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3)).
///
/// Use ``clientSecret(_:)`` for a client with a secret and ``none`` for a public client. The other ready methods are
/// ``clientSecretPost(_:)``, ``clientSecretBasic(_:)``, ``clientSecretBasicUnencoded(_:)``, ``clientSecretJWT(_:)``,
/// ``privateKeyJWT(_:)`` and ``tlsClientCertificate``. A method of your own adds to the request what the server expects:
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
  /// It is called once for every request, and once before a user is sent to the server, so that a client that cannot authenticate
  /// is found in time; by any number of tasks at the same time. Add every value that must not be shown to
  /// ``TokenRequest/secrets``.
  ///
  /// - Parameter request: The request, complete except for the client's identifier and credentials.
  /// - Throws: Any error; the request is then not sent.
  func authenticate(_ request: inout TokenRequest) async throws
}
