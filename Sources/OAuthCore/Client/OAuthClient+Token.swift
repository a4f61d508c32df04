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
    guard token.issuer == nil || token.issuer == server.issuer else {
      throw OAuthError(.issuerMismatch, "The stored token was given by another server than this client's.")
    }
    do {
      let answer = try await requestToken([
        "grant_type": "refresh_token", "refresh_token": refreshToken.reveal(),
      ])
      var renewed = answer.stored(requestedScopes: token.scopes, issuer: server.issuer)
      renewed.refreshToken = renewed.refreshToken ?? token.refreshToken
      renewed.idToken = renewed.idToken ?? token.idToken
      return renewed
    } catch let error as OAuthError where error.code == .requestRejected && error.serverCode == "invalid_grant" {
      throw OAuthError(
        .signInRequired, "The server no longer accepts the refresh token. Sign in again.",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    }
  }

  /// Sends one request to the token endpoint.
  func requestToken(_ parameters: FormFields) async throws -> TokenResponse {
    let response = try await send(parameters, to: server.tokenEndpoint)
    guard response.isSuccess else { throw OAuthError(tokenEndpointAnswer: response) }
    return try TokenResponse(response, receivedAt: clock.now)
  }

  /// Posts a form with the client's authentication.
  func send(_ parameters: FormFields, to endpoint: URL) async throws -> HTTPResponse {
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
    return try await transport.send(
      HTTPRequest(.post, endpoint, fields: fields, body: FormEncoding.form.encode(parameters)))
  }

  private static func basic(_ credentials: String) -> String {
    "Basic " + Data(credentials.utf8).base64EncodedString()
  }
}

extension OAuthError {
  /// The error of a token or revocation endpoint
  /// ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)), whatever its status and content.
  init(tokenEndpointAnswer response: HTTPResponse) {
    struct Answer: Decodable {
      let error: String
      let description: String?
      enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
      }
    }
    let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
    let status = response.status
    switch answer?.error {
    case "temporarily_unavailable", "server_error", "slow_down":
      self.init(
        .serverUnavailable, "The authorization server failed for the moment (status \(status)). Try again later.",
        serverCode: answer?.error, serverDescription: answer?.description)
    case _ where status >= 500 || status == 429 || status == 408:
      self.init(
        .serverUnavailable, "The authorization server failed for the moment (status \(status)). Try again later.",
        serverCode: answer?.error, serverDescription: answer?.description)
    case "invalid_client", "unauthorized_client":
      self.init(
        .requestRejected, "The server does not accept this client. Check its identifier, secret and authentication.",
        serverCode: answer?.error, serverDescription: answer?.description)
    case let code?:
      self.init(
        .requestRejected, "The server refused the request.", serverCode: code, serverDescription: answer?.description)
    case nil:
      self.init(.invalidResponse, "The server answered with status \(status) and without an OAuth error.")
    }
  }
}
