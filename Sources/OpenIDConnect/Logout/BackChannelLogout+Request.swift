// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
import OAuthCore
import TokenStore

extension BackChannelLogout {
  /// Verifies the request of a server
  /// ([§ 2.5](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest)).
  ///
  /// - Throws: `OAuthError` with code `invalidCallback` if it is no form with one logout token; what ``verify(_:)`` throws.
  public func verify(_ request: HTTPRequest) async throws -> LogoutToken {
    let type = request.fields["Content-Type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    guard request.method == .post, type == "application/x-www-form-urlencoded",
      let text = String(validating: request.body ?? [], as: UTF8.self)
    else {
      throw OAuthError(.invalidCallback, "A request to sign out must be a form that is posted.")
    }
    let tokens = FormEncoding.form.decode(text).values(for: "logout_token")
    guard let token = tokens.first, tokens.count == 1 else {
      throw OAuthError(.invalidCallback, "A request to sign out must have one logout_token.")
    }
    return try await verify(Secret(token))
  }

  /// Verifies the request of a server, ends the sessions, and returns the response
  /// ([§ 2.8](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCResponse)).
  ///
  /// Runs on the caller's actor, as the closure does.
  ///
  /// - Parameters:
  ///   - request: The request, as it has arrived.
  ///   - endSessions: Ends every session that the token names, and deletes its tokens. An error tells the server that it failed, and the server may then send
  ///     the token again.
  nonisolated(nonsending) public func response(
    to request: HTTPRequest, endingSessions endSessions: (LogoutToken) async throws -> Void
  ) async -> HTTPResponse {
    var response: HTTPResponse
    do {
      let token = try await verify(request)
      do { try await endSessions(token) } catch {
        release(token)
        throw SessionsNotEnded()
      }
      response = HTTPResponse(status: 200)
    } catch let error as OAuthError where error.code != .serverUnavailable {
      // The messages about a token say nothing that its sender does not know.
      response = Self.refusal("invalid_request", error.message)
    } catch {
      response = Self.refusal("server_error", "The sessions could not be ended. Try again later.")
    }
    response.fields["Cache-Control"] = "no-store"
    return response
  }

  /// The sessions could not be ended, whatever the error was: none of its text goes to the server.
  private struct SessionsNotEnded: Error {}

  private static func refusal(_ code: String, _ description: String) -> HTTPResponse {
    let body = JSONValue.object(["error": .string(code), "error_description": .string(description)]).json()
    return HTTPResponse(status: 400, fields: ["Content-Type": "application/json"], body: body)
  }
}
