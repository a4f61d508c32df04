// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import Timekeeping

/// Tests any bytes as the query of a callback.
///
/// The query is a response if and only if a plain parser finds the state, no repeated parameter, and no parameter in a fragment. The code
/// is sent to the token endpoint if and only if the parser also finds the issuer, no error, and the code.
func fuzz(_ bytes: [UInt8]) {
  let query = String(decoding: bytes, as: UTF8.self)
  guard let url = URL(string: "https://app.example/callback?" + query) else { return }
  let pairs = PlainFormEncoding.read(Array((url.query(percentEncoded: true) ?? "").utf8))
  let parameters = Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
  // Servers append a fragment without parameters, or with this one.
  let appended = PlainFormEncoding.read(Array((url.fragment(percentEncoded: true) ?? "").utf8))
  let hasNoOthers = appended.allSatisfy { $0.value.isEmpty || ($0.name == "_" && $0.value == "_") }
  let isResponse = parameters.count == pairs.count && parameters["state"] == "s" && hasNoOthers
  precondition(pending.matches(url) == isResponse)
  let transport = OneResponse(HTTPResponse(status: 200, body: Array(#"{"access_token":"a"}"#.utf8)))
  let client = fuzzClient(transport)
  let outcome = wait { try await client.completeAuthorization(pending, callback: url) }
  let code = parameters["code"] ?? ""
  let isFromServer = parameters["iss"].map { $0 == "https://login.example" } ?? true
  guard isResponse, isFromServer, parameters["error"] == nil, !code.isEmpty else {
    guard case .failure(let error as OAuthError) = outcome else { preconditionFailure("It is refused.") }
    precondition(transport.requests.isEmpty && !"\(error)".contains("verifier-of-the-sign-in"))
    precondition(!isResponse || isFromServer || error.code == .issuerMismatch)
    return
  }
  let body = transport.requests.first?.body ?? []
  precondition(PlainFormEncoding.read(body).contains { $0.name == "code" && $0.value.utf8.elementsEqual(code.utf8) })
  precondition((try? outcome.get())?.accessToken.reveal() == "a" && transport.requests.count == 1)
}

/// The encoded authorization, as a program stores it in a session.
private struct Written: Encodable {
  var authorizationURL = "https://login.example/a"
  var redirectURI = "https://app.example/callback"
  var issuer = "https://login.example"
  var scopes = ["read"]
  var state = "s"
  var verifier = "verifier-of-the-sign-in"
  var lifetime: Duration = .seconds(600)
  var deadline = StoppedClock().now + .seconds(600)
}

private let pending: PendingAuthorization = {
  guard let text = try? JSONEncoder().encode(Written()),
    let pending = try? JSONDecoder().decode(PendingAuthorization.self, from: text)
  else { preconditionFailure("The authorization can be read.") }
  return pending
}()
