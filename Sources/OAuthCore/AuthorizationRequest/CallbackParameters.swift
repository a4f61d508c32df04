// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation
import TokenStore

/// The parameters of a callback whose URL and `state` were verified.
///
/// The issuer and the outcome are not verified yet.
package struct CallbackParameters {
  private let parameters: [String: String]
  private let secrets: [String]

  /// Reads a callback.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidCallback`` or ``OAuthError/Code/stateMismatch``.
  package init(_ url: URL, for pending: PendingAuthorization) throws {
    let response = try RedirectResponse(url, to: pending.redirectURI, state: pending.state, purpose: "sign-in")
    parameters = response.parameters
    secrets = [pending.state.reveal(), parameters["code"], pending.nonce?.reveal(), pending.pkce.verifier.reveal()]
      .compactMap(\.self)
  }

  /// Returns the authorization code after checking the issuer and then the outcome.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/issuerMismatch``, ``OAuthError/Code/accessDenied``,
  ///   ``OAuthError/Code/requestRejected`` or ``OAuthError/Code/invalidCallback``.
  func code(from server: ServerMetadata) throws -> Secret {
    // RFC 9207 § 2.4: compared before anything else is used, including in an error response.
    if let issuer = parameters["iss"] {
      guard issuer == server.issuer else {
        throw OAuthError(
          .issuerMismatch,
          "The response comes from \(OAuthError.printable(issuer, limit: 200)), but \(server.name) was expected. Start the sign-in again."
        )
      }
    } else if server.authorizationResponseIssParameterSupported == true {
      // An error without an issuer may be forged or misdirected. The message names its code, for diagnosis.
      let error = parameters["error"].map { OAuthError.printable($0, limit: 64) }
      let report = error.map { " It reports the error \"\($0)\"." } ?? ""
      throw OAuthError(
        .issuerMismatch,
        "The authorization response has no issuer, although \(server.name) announces one for every response.\(report) Start the sign-in again.",
        serverCode: error)
    }
    if let error = parameters["error"] {
      throw OAuthError(
        authorizationError: error, description: parameters["error_description"], from: server, hiding: secrets)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw OAuthError(
        .invalidCallback,
        "The callback from \(server.name) contains neither a code nor an error. Start the sign-in again."
      )
    }
    return Secret(code)
  }
}

extension OAuthError {
  /// The error of an authorization response ([RFC 6749 § 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.2.1)).
  fileprivate init(
    authorizationError code: String, description: String?, from server: ServerMetadata, hiding secrets: [String]
  ) {
    switch code {
    case let code where ServerErrorCode.denials.contains(code):
      self.init(
        .accessDenied, "The user denied access. To continue, sign in again and allow access.", serverCode: code,
        serverDescription: description, hiding: secrets)
    case "unmet_authentication_requirements":
      self.init(
        .insufficientAuthentication,
        "\(server.name) cannot authenticate the user as requested. Request another authentication context class.",
        serverCode: code, serverDescription: description, hiding: secrets)
    case "temporarily_unavailable", "server_error":
      self.init(
        .serverUnavailable, "\(server.name) is temporarily unavailable. Try again later.", serverCode: code,
        serverDescription: description, hiding: secrets)
    // OpenID Connect Core § 3.1.2.6: the user cannot be signed in without a page.
    case "interaction_required", "login_required", "account_selection_required", "consent_required":
      self.init(
        .signInRequired, Self.withAdvice("\(server.name) must interact with the user", for: code), serverCode: code,
        serverDescription: description, hiding: secrets)
    default:
      self.init(
        .requestRejected, Self.withAdvice("\(server.name) refused the request", for: code),
        serverCode: code, serverDescription: description, hiding: secrets)
    }
  }
}
