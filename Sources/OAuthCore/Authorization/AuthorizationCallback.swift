// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The parameters of a callback whose URL and `state` were verified; nothing else in it is used yet.
package struct AuthorizationCallback {
  private let parameters: [String: String]
  private let secrets: [String]

  /// Reads a callback.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidCallback`` or ``OAuthError/Code/stateMismatch``.
  package init(_ url: URL, for pending: PendingAuthorization) throws {
    guard Self.address(of: url) == Self.address(of: pending.redirectURI), url.fragment() == nil else {
      throw OAuthError(
        .invalidCallback,
        "The callback is not at the redirect URI, \(OAuthError.printable(pending.redirectURI.absoluteString, limit: 200)). Hand back the URL unchanged."
      )
    }
    var parameters: [String: String] = [:]
    for field in FormEncoding.form.decode(url.query(percentEncoded: true) ?? "") {
      // RFC 6749 § 3.1: parameters must not be included more than once.
      guard parameters.updateValue(field.value, forKey: field.name) == nil else {
        throw OAuthError(
          .invalidCallback,
          "The callback repeats the parameter \"\(OAuthError.printable(field.name, limit: 32))\"; it was not made by an authorization server."
        )
      }
    }
    guard let state = parameters["state"], Secret(state) == pending.state else {
      throw OAuthError(.stateMismatch, "The callback does not belong to this sign-in. Start the sign-in again.")
    }
    self.parameters = parameters
    secrets = [state, parameters["code"], pending.nonce?.reveal(), pending.pkce.verifier.reveal()].compactMap(\.self)
  }

  /// Returns the authorization code once issuer and outcome were checked, in this order.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/issuerMismatch``, ``OAuthError/Code/accessDenied``,
  ///   ``OAuthError/Code/requestRejected`` or ``OAuthError/Code/invalidCallback``.
  func code(from server: ServerMetadata) throws -> Secret {
    // RFC 9207 § 2.4: compared before anything else is used, an error response included.
    if let issuer = parameters["iss"] {
      guard issuer == server.issuer else {
        throw OAuthError(
          .issuerMismatch,
          "The response comes from \(OAuthError.printable(issuer, limit: 200)), but \(server.name) was asked. Start the sign-in again."
        )
      }
    } else if server.authorizationResponseIssParameterSupported == true {
      // An error without its issuer may be forged or misdirected. It is named, so that it can be looked into.
      let error = parameters["error"].map { OAuthError.printable($0, limit: 64) }
      let report = error.map { " It reports the error \"\($0)\"." } ?? ""
      throw OAuthError(
        .issuerMismatch,
        "The authorization response does not name its issuer, although \(server.name) announces that it always does.\(report)",
        serverCode: error)
    }
    if let error = parameters["error"] {
      throw OAuthError(
        authorizationError: error, description: parameters["error_description"], from: server, hiding: secrets)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw OAuthError(
        .invalidCallback, "The callback from \(server.name) holds neither a code nor an error. Start the sign-in again."
      )
    }
    return Secret(code)
  }

  /// Everything that must be identical: scheme, host, port and path.
  private static func address(of url: URL) -> [String?] {
    let path = url.path(percentEncoded: true)
    return [
      url.scheme?.lowercasedASCII, url.host(percentEncoded: true)?.lowercasedASCII, url.port?.description,
      path.isEmpty ? "/" : path,
    ]
  }
}

extension OAuthError {
  /// The error of an authorization response ([RFC 6749 § 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.2.1)).
  fileprivate init(
    authorizationError code: String, description: String?, from server: ServerMetadata, hiding secrets: [String]
  ) {
    switch code {
    case "access_denied":
      self.init(
        .accessDenied, "Access was not granted. Sign in again and allow it, or go on without.", serverCode: code,
        serverDescription: description, hiding: secrets)
    case "temporarily_unavailable", "server_error":
      self.init(
        .serverUnavailable, "\(server.name) failed for the moment. Try again later.", serverCode: code,
        serverDescription: description, hiding: secrets)
    default:
      self.init(
        .requestRejected,
        "\(server.name) refused the request; check the client's registration and the scopes.",
        serverCode: code, serverDescription: description, hiding: secrets)
    }
  }
}
