// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import PlatformFoundation
import Synchronization
import Timekeeping

extension Sandbox {
  /// Responds to a control request of a program.
  ///
  /// Web pages of other origins cannot send such requests: the body must be JSON, and a browser's `Sec-Fetch-Site` field reveals
  /// them. A body with an unknown member, or a member of another type, has no effect.
  ///
  /// - Parameter path: The path below `/sandbox/`.
  func controlResponse(to request: HTTPRequest, path: Substring) -> HTTPResponse {
    requests.count(.control)
    if let site = request.fields["Sec-Fetch-Site"], site != "same-origin", site != "none" {
      return refusal("A web page cannot control the sandbox.", status: 403)
    }
    if path == "log", request.method == .get { return .json(["log": .array(log.map { .string($0.description) })]) }
    guard request.method == .post else { return .methodNotAllowed(path == "log" ? [.get] : [.post], as: .oauth) }
    guard request.mediaType == "application/json",
      let body = try? JSONValue(
        json: request.body?.isEmpty == false ? request.body ?? [] : Array("{}".utf8), requiringUniqueNames: true)
    else { return refusal("The body is not a JSON object, or has a duplicate member.") }
    do throws(SandboxError) {
      var members = try CheckedMembers(body, of: "body")
      return try controlResponse(to: request, path, &members)
    } catch {
      return refusal(error.message)
    }
  }

  private func controlResponse(
    to request: HTTPRequest, _ path: Substring, _ members: inout CheckedMembers
  ) throws(SandboxError) -> HTTPResponse {
    switch path {
    case "token": return try issueToken(&members)
    case "approve": return try decide(&members, from: request)
    case "fault": return try requestFault(&members)
    case "backchannel-requests":
      try members.finish()
      return .json(["requests": .array(backchannelRequests.map(\.json))])
    case "clear-faults":
      try members.finish()
      stopFailing()
    case "expire-sync-tokens":
      try members.finish()
      expireSyncTokens()
    case "invalidate-access-tokens":
      try members.finish()
      invalidateAccessTokens()
    case "revoke-grants":
      try members.finish()
      revokeGrants()
    default: return refusal("The sandbox has no such control.", status: 404)
    }
    return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
  }

  private func refusal(_ message: String, status: Int = 400) -> HTTPResponse {
    .json(["error": "invalid_request", "error_description": .string(message)], status: status)
  }

  /// Issues an access token without a sign-in, for tests of programs that receive their tokens from elsewhere.
  private func issueToken(_ members: inout CheckedMembers) throws(SandboxError) -> HTTPResponse {
    let email = try members.text("user") ?? configuration.user.email
    let id = try members.text("client_id") ?? configuration.clients.first?.id
    let asked =
      try members.text("scope").map { [Scope](parameter: $0) } ?? [Scope(OfferedScope.google + "calendar")]
    try members.finish()
    guard configuration.users.contains(where: { $0.email == email }) else { return refusal("The user is unknown.") }
    guard let client = configuration.clients.first(where: { $0.id == id }) else {
      return refusal("The client is unknown.")
    }
    guard asked.allSatisfy(Set(configuration.scopes.map(\.scope)).contains) else {
      return refusal("A scope is unknown.")
    }
    let now = clock.now
    let issued = authorization.state.withLock {
      $0.issued[.google, default: .init()].grants.issue(
        clientID: client.id, user: email, scopes: asked, withRefreshToken: false, keyThumbprint: nil, now: now,
        configuration: configuration)
    }
    requests.record(.tokenIssued, client: client.id, asked.joined())
    return .json([
      "access_token": .string(issued.accessToken), "token_type": "Bearer",
      "expires_in": .integer(configuration.accessTokenLifetime.components.seconds),
      "scope": .string(asked.joined()),
    ])
  }

  /// Applies a user's decision on the request identified by the body.
  private func decide(_ members: inout CheckedMembers, from request: HTTPRequest) throws(SandboxError) -> HTTPResponse {
    var named: [(name: String, value: String)] = []
    for name in ["url", "user_code", "auth_req_id"] {
      if let value = try members.text(name) { named.append((name, value)) }
    }
    let user = try members.text("user")
    let scopes = try members.text("scope").map { Set([Scope](parameter: $0)) }
    let denies = try members.flag("deny") ?? false
    try members.finish()
    guard named.count == 1, let (name, value) = named.first else {
      return refusal("Exactly one of url, user_code and auth_req_id is required, as a string.")
    }
    guard user.map({ email in configuration.users.contains { $0.email == email } }) ?? true else {
      return refusal("The user is unknown.")
    }
    do {
      switch name {
      case "url":
        guard let url = URL(string: value), Origin(url) == Origin(request.url) else {
          return refusal("The URL does not belong to this sandbox.")
        }
        let callback = denies ? try deny(url) : try approve(url, granting: scopes, as: user)
        return .json(["callback": .string(callback.absoluteString)])
      case "user_code": denies ? try deny(userCode: value) : try approve(userCode: value, granting: scopes, as: user)
      default:
        let id = authorization.state.withLock { $0.issued[.google]?.backchannel.userCode(ofDeviceCode: value) }
        guard let waiting = backchannelRequests.first(where: { $0.id == id }) else {
          return refusal("The back-channel request is unknown, was decided, or has expired.")
        }
        guard user == nil || user == waiting.user else { return refusal("The request is for another user.") }
        denies ? try deny(waiting) : try approve(waiting, granting: scopes)
      }
    } catch {
      return refusal((error as? SandboxError)?.message ?? "The request failed.")
    }
    return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
  }

  private func requestFault(_ members: inout CheckedMembers) throws(SandboxError) -> HTTPResponse {
    let status = try members.integer("status", "200, or an integer from 400 to 599") {
      $0 == 200 || (400...599).contains($0)
    }
    let count = try members.integer("count", "a positive integer") { $0 > 0 }
    let every = try members.integer("every", "a positive integer") { $0 > 0 }
    let delay = try members.integer("delay_ms", "an integer from 0 to 600000") { (0...600_000).contains($0) } ?? 0
    let method = try members.text("method")
    let reason = try members.text("reason")
    let isCarriedOut = try members.flag("carried_out") ?? false
    try members.finish()
    guard method.map({ CalendarMethod.ID(rawValue: $0) != nil }) ?? true else {
      return refusal("The method is unknown.")
    }
    try failCalls(
      CallFault(
        status: status ?? 200, reason: reason ?? "backendError", method: method, count: count ?? 1, every: every ?? 1,
        isCarriedOut: isCarriedOut, delay: delay == 0 ? nil : .milliseconds(delay)))
    return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
  }
}

extension Sandbox.BackchannelRequest {
  fileprivate var json: JSONValue {
    .object(of: [
      "id": .string(id), "client_id": .string(clientID), "user": .string(user),
      "scope": .string(scopes.joined()), "binding_message": bindingMessage.map { .string($0) },
    ])
  }
}
