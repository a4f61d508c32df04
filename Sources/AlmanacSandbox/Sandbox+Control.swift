// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import PlatformFoundation
import Synchronization
import Timekeeping

extension Sandbox {
  /// Responds to a request of a program that controls the sandbox.
  ///
  /// Web pages of other origins cannot send such requests: the body must be JSON, and a browser's `Sec-Fetch-Site` field reveals
  /// them.
  ///
  /// - Parameter path: The path below `/sandbox/`.
  func controlResponse(to request: HTTPRequest, path: Substring) -> HTTPResponse {
    requests.count(.control)
    if let site = request.fields["Sec-Fetch-Site"], site != "same-origin", site != "none" {
      return refusal("A page cannot control the sandbox.", status: 403)
    }
    if path == "log", request.method == .get { return .json(["log": .array(log.map { .string($0.description) })]) }
    guard request.method == .post else { return .methodNotAllowed(path == "log" ? [.get] : [.post], as: .oauth) }
    guard request.fields["Content-Type"]?.split(separator: ";").first?.lowercasedASCII == "application/json",
      let body = (try? JSONValue(json: request.body?.isEmpty == false ? request.body ?? [] : Array("{}".utf8)))?.object
    else { return refusal("The body is not a JSON object.") }
    switch path {
    case "token": return issueToken(body)
    case "approve": return decide(body, from: request)
    case "backchannel-requests": return .json(["requests": .array(backchannelRequests.map(\.json))])
    case "fault": return requestFault(body)
    case "clear-faults": stopFailing()
    case "expire-sync-tokens": expireSyncTokens()
    case "invalidate-access-tokens": invalidateAccessTokens()
    case "revoke-grants": revokeGrants()
    default: return refusal("The control is unknown.", status: 404)
    }
    return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
  }

  private func refusal(_ message: String, status: Int = 400) -> HTTPResponse {
    .json(["error": "invalid_request", "error_description": .string(message)], status: status)
  }

  /// Issues an access token without a sign-in, for tests of programs that receive their tokens from elsewhere.
  private func issueToken(_ body: [String: JSONValue]) -> HTTPResponse {
    let email = body["user"]?.string ?? configuration.user.email
    guard configuration.users.contains(where: { $0.email == email }) else { return refusal("The user is unknown.") }
    let id = body["client_id"]?.string ?? configuration.clients.first?.id
    guard let client = configuration.clients.first(where: { $0.id == id }) else {
      return refusal("The client is unknown.")
    }
    let asked = body["scope"]?.string.map { $0.split(separator: " ").map(String.init) } ?? [Scope.google + "calendar"]
    guard asked.allSatisfy(Set(configuration.scopes.map(\.name)).contains) else {
      return refusal("A scope is unknown.")
    }
    let now = clock.now
    let issued = authorization.state.withLock {
      $0.issued[.google, default: .init()].grants.issue(
        clientID: client.id, user: email, scopes: asked, withRefreshToken: false, keyThumbprint: nil, now: now,
        configuration: configuration)
    }
    requests.record(.tokenIssued, client: client.id, asked.joined(separator: " "))
    return .json([
      "access_token": .string(issued.accessToken), "token_type": "Bearer",
      "expires_in": .integer(configuration.accessTokenLifetime.components.seconds),
      "scope": .string(asked.joined(separator: " ")),
    ])
  }

  /// Applies a user's decision on the request that the body identifies.
  private func decide(_ body: [String: JSONValue], from request: HTTPRequest) -> HTTPResponse {
    let named = ["url", "user_code", "auth_req_id"].filter { body[$0]?.string != nil }
    guard named.count == 1, let name = named.first, let value = body[name]?.string else {
      return refusal("Exactly one of url, user_code and auth_req_id is required, as a string.")
    }
    let user = body["user"]?.string
    guard user.map({ email in configuration.users.contains { $0.email == email } }) ?? true else {
      return refusal("The user is unknown.")
    }
    let scopes = body["scope"]?.string.map { Set($0.split(separator: " ").map(String.init)) }
    let denies = body["deny"] == true
    do {
      switch name {
      case "url":
        guard let url = URL(string: value), Origin(url) == Origin(request.url) else {
          return refusal("The URL does not belong to this sandbox.")
        }
        let callback = try approve(url, deny: denies, granting: scopes, as: user)
        return .json(["callback": .string(callback.absoluteString)])
      case "user_code": try approve(userCode: value, deny: denies, granting: scopes, as: user)
      default:
        let id = authorization.state.withLock { $0.issued[.google]?.backchannel.userCode(ofDeviceCode: value) }
        guard let waiting = backchannelRequests.first(where: { $0.id == id }) else {
          return refusal("The back-channel request is unknown, was decided, or has expired.")
        }
        guard user == nil || user == waiting.user else { return refusal("The request is for another user.") }
        try approve(waiting, deny: denies, granting: scopes)
      }
    } catch {
      return refusal((error as? SandboxError)?.message ?? "The request failed.")
    }
    return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
  }

  private func requestFault(_ body: [String: JSONValue]) -> HTTPResponse {
    let number = { (name: String, standard: Int) in body[name].map { $0.number?.integer } ?? standard }
    guard let status = number("status", 200), status == 200 || (400...599).contains(status),
      let count = number("count", 1), let every = number("every", 1), count > 0, every > 0,
      let milliseconds = number("delay_ms", 0), (0...600_000).contains(milliseconds)
    else { return refusal("status, count, every and delay_ms must be integers within their ranges.") }
    let method = body["method"]?.string
    guard method.map({ CalendarMethod.ID(rawValue: $0) != nil }) ?? true else {
      return refusal("The method is unknown.")
    }
    failCalls(
      CallFault(
        status: status, reason: body["reason"]?.string ?? "backendError", method: method, count: count, every: every,
        isCarriedOut: body["carried_out"] == true, delay: milliseconds == 0 ? nil : .milliseconds(milliseconds)))
    return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
  }
}

extension Sandbox.BackchannelRequest {
  fileprivate var json: JSONValue {
    .object(of: [
      "id": .string(id), "client_id": .string(clientID), "user": .string(user),
      "scope": .string(scopes.joined(separator: " ")), "binding_message": bindingMessage.map { .string($0) },
    ])
  }
}
