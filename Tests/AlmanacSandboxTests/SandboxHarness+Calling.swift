// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

extension SandboxHarness {
  static let fullScope = "https://www.googleapis.com/auth/calendar"

  /// Sends a call of the Calendar API.
  ///
  /// - Parameter path: The path below `/calendar/v3/`, with the query.
  func call(
    _ method: HTTPMethod, _ path: String, _ json: String? = nil, token: String, fields: HTTPFields = [:]
  ) async throws -> Answer {
    var fields = fields
    fields["Authorization"] = "Bearer \(token)"
    if json != nil { fields["Content-Type"] = "application/json" }
    let url = try #require(URL(string: "\(Self.base)/calendar/v3/\(path)"))
    return try await send(HTTPRequest(method, url, fields: fields, body: json.map { Array($0.utf8) }))
  }

  /// Signs a user in, and returns the access token.
  func token(of user: String = "person@example.com", scope: String = SandboxHarness.fullScope) async throws -> String {
    let callback = try sandbox.approve(try authorizationURL(["scope": scope]), as: user)
    let code = try #require(parameters(of: callback)["code"])
    return try #require(try await redeem(code)["access_token"])
  }

  /// A sandbox with two more users.
  static func withUsers() throws -> SandboxHarness {
    return try SandboxHarness {
      $0.otherUsers = [
        Sandbox.User(subject: "2", givenName: "Ana", familyName: "Muestra", email: "ana@example.com"),
        Sandbox.User(
          subject: "3", givenName: "Ben", familyName: "Beispiel", email: "ben@example.org", timeZone: "Asia/Tokyo"),
      ]
    }
  }
}

extension Answer {
  /// A field by the names that lead to it.
  func value(_ path: String...) -> Any? {
    path.reduce(object as Any?) { value, name in (value as? [String: Any])?[name] }
  }

  func ids() -> [String] { items.compactMap { $0["id"] as? String } }
}
