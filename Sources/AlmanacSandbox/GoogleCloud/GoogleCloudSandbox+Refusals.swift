// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope

extension GoogleCloudSandbox {
  /// An error in the format of Google's APIs.
  struct Refusal: Error {
    let status: Int
    let name: String
    let message: String

    static func invalid(_ message: String) -> Refusal {
      Refusal(status: 400, name: "INVALID_ARGUMENT", message: message)
    }

    var response: HTTPResponse {
      let code = JSONValue.integer(Int64(status))
      return .json(["error": ["code": code, "message": .string(message), "status": .string(name)]], status: status)
    }
  }

  /// Returns the identity of a request's access token, which must have one of the scopes.
  func caller(of request: HTTPRequest, with scopes: Set<Scope>) throws(Refusal) -> Identity {
    guard let token = Self.bearerToken(of: request), let identity = identity(ofAccessToken: token) else {
      throw Refusal(
        status: 401, name: "UNAUTHENTICATED", message: "Request had invalid authentication credentials.")
    }
    guard !scopes.isDisjoint(with: identity.scopes) else {
      throw Refusal(
        status: 403, name: "PERMISSION_DENIED", message: "Request had insufficient authentication scopes.")
    }
    return identity
  }
}
