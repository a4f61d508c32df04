import HTTPTransport
import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OAuthClient {
  /// Exchanges a refresh token for a new access token
  /// ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
  ///
  /// This spends the refresh token: call it only with exclusive access to where the token is stored, as
  /// ``RefreshingTokenSource`` does.
  ///
  /// - Parameter token: The tokens as stored.
  /// - Returns: The new tokens. Refresh token, scopes and ID token are carried forward where the answer omits them.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the server no longer accepts the refresh token
  ///   or there is none, ``OAuthError/Code/issuerMismatch`` if another server gave it; `TransportError`;
  ///   `CancellationError`.
  public func refresh(_ token: StoredToken) async throws -> StoredToken {
    guard let refreshToken = token.refreshToken else {
      throw OAuthError(.signInRequired, "The access token expired and there is no refresh token. Sign in again.")
    }
    try checkIssuer(of: token)
    do {
      let answer = try await requestToken([
        "grant_type": "refresh_token", "refresh_token": refreshToken.reveal(),
      ])
      var renewed = answer.stored(requestedScopes: token.scopes, issuer: server.issuer)
      renewed.refreshToken = renewed.refreshToken ?? token.refreshToken
      // The one from the sign-in was verified; nobody has verified one that comes with a refresh.
      renewed.idToken = token.idToken
      return renewed
    } catch let error as OAuthError where error.isRefusedGrant {
      throw OAuthError(
        .signInRequired, "The server no longer accepts the refresh token. Sign in again.",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    }
  }

  /// Makes sure that this client's server gave `token`: no other may see it.
  func checkIssuer(of token: StoredToken) throws {
    guard token.issuer == nil || token.issuer == server.issuer else {
      throw OAuthError(.issuerMismatch, "The stored token was given by another server than this client's.")
    }
  }

  /// Sends one request to the token endpoint.
  func requestToken(_ parameters: FormFields) async throws -> TokenResponse {
    let response = try await post(parameters, to: server.tokenEndpoint)
    return try TokenResponse(response, receivedAt: clock.now)
  }

  /// Posts a form with the client's authentication.
  ///
  /// - Throws: ``OAuthError`` for an error in whatever form; whatever the transport throws.
  func post(_ parameters: FormFields, to endpoint: URL) async throws -> HTTPResponse {
    var parameters = parameters
    var fields: HTTPFields = [
      "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
    ]
    let id = registration.clientID
    switch registration.authentication {
    case .none:
      parameters["client_id"] = id
    case .secretPost(let secret):
      parameters["client_id"] = id
      parameters["client_secret"] = secret.reveal()
    case .secretBasic(let secret):
      let credentials = [id, secret.reveal()].map { FormEncoding.form.encode($0) }
      fields["Authorization"] = Self.basic(credentials.joined(separator: ":"))
    case .secretBasicUnencoded(let secret):
      fields["Authorization"] = Self.basic("\(id):\(secret.reveal())")
    }
    let response = try await transport.send(
      HTTPRequest(.post, endpoint, fields: fields, body: FormEncoding.form.encode(parameters)))
    let answer = ErrorAnswer(response)
    // Some servers, GitHub among them, send their errors with status 200.
    guard response.isSuccess, answer == nil else {
      throw OAuthError(answer, status: response.status, hiding: secrets(in: parameters, fields["Authorization"]))
    }
    return response
  }

  /// What was sent and must not be shown, even if the server says it back.
  ///
  /// - Parameter field: The `Authorization` field, if there was one.
  private func secrets(in parameters: FormFields, _ field: String?) -> [String] {
    let sent = ["code", "refresh_token", "token", "code_verifier", "client_secret"].compactMap { parameters[$0] }
    switch registration.authentication {
    case .none: return sent
    case .secretPost(let secret): return sent + [secret.reveal()]
    case .secretBasic(let secret), .secretBasicUnencoded(let secret):
      return sent + [secret.reveal(), String(field?.dropFirst("Basic ".count) ?? "")]
    }
  }

  private static func basic(_ credentials: String) -> String {
    "Basic " + Data(credentials.utf8).base64EncodedString()
  }
}

/// An error of a token or revocation endpoint ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)).
private struct ErrorAnswer: Decodable {
  let error: String
  let description: String?

  enum CodingKeys: String, CodingKey {
    case error
    case description = "error_description"
    case accessToken = "access_token"
  }

  /// `nil` if the content is no OAuth error.
  init?(_ response: HTTPResponse) {
    guard let answer = try? JSONDecoder().decode(ErrorAnswer.self, from: Data(response.body)) else { return nil }
    self = answer
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard !container.contains(.accessToken) else {
      throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath, debugDescription: "A token, no error."))
    }
    error = try container.decode(String.self, forKey: .error)
    description = try? container.decodeIfPresent(String.self, forKey: .description)
  }
}

extension OAuthError {
  /// Whether the server refused the grant itself, so that only a new sign-in helps. GitHub has a word of its own for it.
  fileprivate var isRefusedGrant: Bool {
    code == .requestRejected && ["invalid_grant", "bad_refresh_token"].contains(serverCode)
  }

  /// The error of a token or revocation endpoint, whatever its status and content.
  fileprivate init(_ answer: ErrorAnswer?, status: Int, hiding secrets: [String]) {
    let description = answer?.description
    let unavailable = "The authorization server failed for the moment (status \(status)). Try again later."
    switch answer?.error {
    case "temporarily_unavailable", "server_error", "slow_down":
      self.init(
        .serverUnavailable, unavailable, serverCode: answer?.error, serverDescription: description, hiding: secrets)
    case _ where HTTPResponse(status: status).isPassingFault:
      self.init(
        .serverUnavailable, unavailable, serverCode: answer?.error, serverDescription: description, hiding: secrets)
    case "invalid_client", "unauthorized_client":
      self.init(
        .requestRejected, "The server does not accept this client. Check its identifier, secret and authentication.",
        serverCode: answer?.error, serverDescription: description, hiding: secrets)
    case let code?:
      self.init(
        .requestRejected, "The server refused the request.", serverCode: code, serverDescription: description,
        hiding: secrets)
    case nil:
      self.init(.invalidResponse, "The server answered with status \(status) and without an OAuth error.")
    }
  }
}
