// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import Timekeeping
import TokenStore

/// Tests any bytes as a response of a token endpoint, for success and failure, as JSON and as a form.
///
/// The stored token is the one that a plain parser finds. Invalid members do not affect stored data, and errors contain no secret.
func fuzz(_ bytes: [UInt8]) {
  for (status, type) in [
    (200, "application/json"), (400, "application/json"), (200, "application/x-www-form-urlencoded"),
  ] {
    let response = HTTPResponse(status: status, fields: ["Content-Type": type], body: bytes)
    let client = fuzzClient(OneResponse(response))
    let outcome = wait { try await client.refresh(stored) }
    switch outcome {
    case .success(let token):
      precondition(status == 200 && !token.accessToken.reveal().isEmpty && token.refreshToken != nil)
      precondition(token.scopes.allSatisfy { !$0.rawValue.isEmpty } && !token.scopes.isEmpty)
      precondition(token.expiresAt.map { $0 <= StoppedClock().now + .seconds(400_000_000) } ?? true)
      precondition((try? JSONDecoder().decode(StoredToken.self, from: JSONEncoder().encode(token))) == token)
      if type == "application/json", let expected = plainToken(bytes) {
        precondition(token.accessToken.reveal().utf8.elementsEqual(expected.utf8))
      }
    case .failure(let error as OAuthError):
      precondition(type != "application/json" || status != 200 || plainToken(bytes) == nil)
      for text in ["\(error)", error.serverDescription ?? "", error.serverCode ?? ""] {
        precondition(!text.contains("refresh-token-that-is-stored"))
      }
    case .failure(let error): preconditionFailure("It is another error: \(error).")
    }
  }
}

private let stored = StoredToken(
  accessToken: Secret("old"), expiresAt: StoppedClock().now, refreshToken: Secret("refresh-token-that-is-stored"),
  scopes: ["read"], issuer: "https://login.example", clientID: "app")

/// Returns the access token if all parsers agree about it: no name is repeated, and no escape is half a character.
private func plainToken(_ bytes: [UInt8]) -> String? {
  guard let value = try? JSONValue(json: bytes, requiringUniqueNames: true), !bytes.contains(UInt8(ascii: "\\")) else {
    return nil
  }
  return value["access_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
}
